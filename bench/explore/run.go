package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"unknot/bench/quiet"
	"unknot/internal/vocab/finding"
)

// strategies are the last columns but one.
func strategies() []string { return []string{"predictive", "mspoe", "poe"} }

// row measures a row. The error says what went wrong, which may be that the default strategy does not say what is
// there to find; there may be a row all the same.
func (b *bench) row(r row) (string, error) {
	program, err := b.compile(r.program)
	if err != nil {
		return "", err
	}
	line := fmt.Sprintf("%s %s | %s | %s |", r.key(), map[bool]string{true: "yes", false: "no"}[r.deadlock], r.isp,
		r.mspoe)
	var wrong error
	for _, strategy := range strategies() {
		c, err := b.exploration(&r, program, strategy)
		if err != nil {
			return "", err
		}
		if strategy == "predictive" && c.deadlock != r.deadlock {
			wrong = errors.New("it does not find what is there")
		}
		line += " " + c.String() + " |"
	}
	return line + " " + quiet.Day() + " |", wrong
}

// counted is the result of an exploration.
type counted struct {
	finding.Coverage
	claim    finding.Claim
	deadlock bool
	took     time.Duration
}

func (c *counted) String() string {
	text := fmt.Sprintf("%d runs", c.Runs)
	if c.Runs == 1 {
		text = "1 run"
	}
	if c.Waiting > 0 {
		text = "> " + text
	}
	switch {
	case c.deadlock:
		text += fmt.Sprintf(", deadlock in run %d", c.Shown)
	case c.claim == finding.Free:
		text += ", free"
	case c.claim == finding.FreeAsTried:
		text += ", free as far as tried"
	default:
		text += ", not decided"
	}
	return text + fmt.Sprintf(", %.1f s", c.took.Seconds())
}

// exploration explores a program.
func (b *bench) exploration(r *row, program, strategy string) (*counted, error) {
	state, out := filepath.Join(b.dir, "state"), filepath.Join(b.dir, "explore.json")
	defer os.RemoveAll(state)
	most := r.most()
	switch {
	case b.most > 0:
		most = b.most
	case b.only.String() == "":
		most = min(most, b.longest)
	}
	cmd := exec.CommandContext(b.ctx, b.unknot, "explore", "--strategy="+strategy, "--buffering="+r.buffering,
		"--timeout", most.String(), "--state", state, "--json", out, "--mpicc", "mpicc."+b.mpi,
		"mpirun."+b.mpi, "-n", fmt.Sprint(r.ranks), program)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	start := time.Now()
	text, err := cmd.CombinedOutput()
	c := &counted{took: time.Since(start)}
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != 0 && cmd.ProcessState.ExitCode() != 66 {
		return nil, fmt.Errorf("%v: %w: %s", cmd.Args, err, text)
	}
	file, err := os.ReadFile(out)
	if err != nil {
		return nil, err
	}
	var run finding.Run
	if err := json.Unmarshal(file, &run); err != nil {
		return nil, err
	}
	if run.Coverage == nil {
		return nil, fmt.Errorf("%v: no coverage in its result", cmd.Args)
	}
	c.Coverage, c.claim = *run.Coverage, run.Claim
	for _, f := range run.Findings {
		c.deadlock = c.deadlock || f.Code == finding.Deadlock && f.Standing != finding.Predicted ||
			f.Code == finding.DeadlockUnsafe && f.Standing == finding.Confirmed
	}
	return c, nil
}

// rates compares the runs a second of an exploration with those of bare restarts of the launcher, in turns.
func (b *bench) rates() error {
	const runs, turns, ranks = 12, 5, "4"
	s := section{heading: "## Rate of runs", opening: "An exploration against bare restarts of the launcher, in " +
		"turns: the median of 5 turns of 12 runs of `pi` with 4 ranks.\nThe aim is 80 %.\n"}
	watch, own := quiet.Start(), b.mpi
	defer func() { b.mpi = own }()
	text := "| MPI library | rate | a bare run takes |\n|---|---|---|\n"
	for _, b.mpi = range []string{"openmpi", "mpich"} {
		program, err := b.compile("pi")
		if err != nil {
			return err
		}
		var shares, plain []float64
		for range turns {
			start := time.Now()
			for range runs {
				if err := quiet.Do(b.ctx, "mpirun."+b.mpi, "-n", ranks, program); err != nil {
					return err
				}
			}
			bare := time.Since(start).Seconds()
			start = time.Now()
			state := filepath.Join(b.dir, "state")
			if err := quiet.Do(b.ctx, b.unknot, "explore", "--strategy=poe", "--max-runs", fmt.Sprint(runs), "--state",
				state, "--mpicc", "mpicc."+b.mpi, "mpirun."+b.mpi, "-n", ranks, program); err != nil {
				return err
			}
			shares, plain = append(shares, bare/time.Since(start).Seconds()), append(plain, bare/runs)
			if err := os.RemoveAll(state); err != nil {
				return err
			}
		}
		text += fmt.Sprintf("| %s | %.0f %% | %.2f s |\n", b.mpi, 100*quiet.Median(shares),
			quiet.Median(plain))
	}
	return s.put(document, text, watch.Caption("explore"))
}
