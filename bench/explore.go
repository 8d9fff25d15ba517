package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"unknot/internal/vocab/finding"
)

// explored is a program of bench/explore/programs, and what was published of the like: executions of ISP and of MSPOE
// (Sharma et al., table 1) with 4 and with 8 ranks.
type explored struct {
	name      string
	ranks     [2]int
	deadlock  map[string]string // by buffering: what is there to find
	published map[string]string // by buffering and ranks
}

func programs() []explored {
	four := [2]int{4, 8}
	return []explored{
		{"matmul", four, nil, map[string]string{"4": "54 and 1", "8": "120 and 1"}},
		{"diffusion", four, map[string]string{"none": "yes"}, map[string]string{"none 4": "1 and 1",
			"infinite 4": "90 and 1", "infinite 8": "more than 10,500 and 1"}},
		{"pi", four, nil, map[string]string{"4": "36 and 1", "8": "5,040 and 1"}},
		{"integrate", four, nil, map[string]string{"none 4": "81 and 81", "none 8": "2,401 and 2,401"}},
		{"gauss", four, nil, map[string]string{"none 4": "1 and 1", "none 8": "1 and 1", "infinite 4": "180 and 1",
			"infinite 8": "more than 20,000 and 1"}},
		{"heat", four, map[string]string{"none": "yes", "infinite": "yes"},
			map[string]string{"none 8": "5,041 and 23"}},
		{"dtg", [2]int{5, 8}, map[string]string{"none": "yes"}, nil},
		{"orphan", [2]int{5, 8}, map[string]string{"none": "yes", "infinite": "yes"}, nil},
		{"cycle", four, map[string]string{"none": "yes"}, map[string]string{"none 4": "MSPOE misses it"}},
		{"barrier", four, map[string]string{"none": "yes"}, map[string]string{"none 4": "MSPOE misses it"}},
		{"floyd", four, nil, nil},
		{"steal", four, nil, nil},
	}
}

// mostRuns and limit are those of one exploration that does not end by itself: all control flows of a program may take
// days.
const (
	mostRuns = 40
	limit    = 20 * time.Second
)

func (b *bench) exploreRates() []row {
	var rows []row
	for _, i := range b.mpis {
		rows = append(rows, b.exploreRate(i))
	}
	return rows
}

// explore counts executions of a program: until a deadlock is shown, and in all.
func (b *bench) explore(p explored) []row {
	i := b.mpis[0]
	program, err := b.compile(i, "bench/explore/programs/"+p.name+".c", "explored-"+p.name)
	if err != nil {
		return []row{{what: "explore: " + p.name, err: err}}
	}
	var rows []row
	for _, n := range p.ranks {
		for _, buffering := range []string{"none", "infinite"} {
			rows = append(rows, b.exploreOne(i, p, program, n, buffering))
		}
	}
	return rows
}

// exploreRate compares the runs a second of an exploration with those of bare restarts of the launcher, in turns.
func (b *bench) exploreRate(i mpi) row {
	const runs, turns, ranks = 12, 5, "4"
	r := row{what: "explore: rate of runs against bare restarts, 4 ranks, " + i.name, budget: "≥ 80 %"}
	program, err := b.compile(i, "bench/explore/programs/pi.c", "explored-rate")
	if err != nil {
		r.err = err
		return r
	}
	var shares, plain sample
	for range turns {
		state := filepath.Join(b.dir, "explore")
		start := time.Now()
		for range runs {
			if text, err := exec.CommandContext(b.ctx, i.launcher(), "-n", ranks,
				program).CombinedOutput(); err != nil {
				r.err = fmt.Errorf("%w: %s", err, text)
				return r
			}
		}
		bare := time.Since(start)
		start = time.Now()
		text, err := exec.CommandContext(b.ctx, b.unknot, "explore", "--strategy=poe", "--max-runs", fmt.Sprint(runs),
			"--state", state, "--mpicc",
			"mpicc."+i.suffix, i.launcher(), "-n", ranks, program).CombinedOutput()
		if err != nil {
			r.err = fmt.Errorf("%w: %s", err, text)
			return r
		}
		shares = append(shares, bare.Seconds()/time.Since(start).Seconds())
		plain = append(plain, bare.Seconds()/runs)
		_ = os.RemoveAll(state)
	}
	r.figure = fmt.Sprintf("%.0f %%", 100*shares.median())
	r.met = shares.median() >= 0.8
	r.detail = fmt.Sprintf("%d turns of %d runs; a bare run takes %.2f s", turns, runs, plain.median())
	return r
}

func (b *bench) exploreOne(i mpi, p explored, program string, n int, buffering string) row {
	words := map[string]string{"none": "no buffering", "infinite": "unlimited buffering"}[buffering]
	r := row{what: fmt.Sprintf("explore: %s, %d ranks, %s", p.name, n, words), budget: "no deadlock reported"}
	expected := p.deadlock[buffering] != ""
	if expected {
		r.budget = "deadlock within 2 executions"
	}
	var parts []string
	for _, strategy := range []string{"predictive", "mspoe", "poe"} {
		if time.Now().After(b.deadline) {
			r.err = errTime
			return r
		}
		c, err := b.exploration(i, program, n, buffering, strategy)
		if err != nil {
			r.err = err
			return r
		}
		parts = append(parts, strategy+" "+c.String())
		if strategy == "predictive" {
			r.figure = c.String()
			r.met = c.deadlock == expected && (!expected || c.Shown <= 2)
		}
	}
	r.detail = strings.Join(parts, "; ")
	for _, key := range []string{fmt.Sprintf("%s %d", buffering, n), fmt.Sprint(n)} {
		if text := p.published[key]; text != "" {
			r.detail += "; published for ISP and MSPOE: " + text
			break
		}
	}
	return r
}

// counted is the result of an exploration.
type counted struct {
	finding.Coverage
	claim    finding.Claim
	deadlock bool
	took     time.Duration
}

func (c counted) String() string {
	text := fmt.Sprintf("%d runs", c.Runs)
	if c.Runs == 1 {
		text = "1 run"
	}
	if c.Waiting > 0 {
		text = "more than " + text
	}
	switch {
	case c.deadlock:
		text = fmt.Sprintf("deadlock in run %d, %s", c.Shown, text)
	case c.claim == finding.Free:
		text = "free, " + text
	case c.claim == finding.FreeAsTried:
		text = "free as far as tried, " + text
	default:
		text = "not decided, " + text
	}
	return text + fmt.Sprintf(" (%.1f s)", c.took.Seconds())
}

func (b *bench) exploration(i mpi, program string, n int, buffering, strategy string) (counted, error) {
	state := filepath.Join(b.dir, "explore")
	out := filepath.Join(b.dir, "explore.json")
	defer os.RemoveAll(state)
	cmd := exec.CommandContext(b.ctx, b.unknot, "explore", "--strategy="+strategy, "--buffering="+buffering,
		"--max-runs", fmt.Sprint(mostRuns),
		"--timeout", limit.String(), "--state", state, "--json", out, "--mpicc", "mpicc."+i.suffix, i.launcher(), "-n",
		fmt.Sprint(n), program)
	start := time.Now()
	text, err := cmd.CombinedOutput()
	c := counted{took: time.Since(start)}
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != 0 && cmd.ProcessState.ExitCode() != 66 {
		return c, fmt.Errorf("%v: %w: %s", cmd.Args, err, text)
	}
	file, err := os.ReadFile(out)
	if err != nil {
		return c, err
	}
	var run finding.Run
	if err := json.Unmarshal(file, &run); err != nil {
		return c, err
	}
	if run.Coverage == nil {
		return c, fmt.Errorf("%v: no coverage in its result", cmd.Args)
	}
	c.Coverage, c.claim = *run.Coverage, run.Claim
	for _, f := range run.Findings {
		c.deadlock = c.deadlock || f.Code == finding.Deadlock && f.Standing != finding.Predicted ||
			f.Code == finding.DeadlockUnsafe && f.Standing == finding.Confirmed
	}
	return c, nil
}
