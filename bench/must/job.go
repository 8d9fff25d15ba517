package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"unknot/bench/quiet"
	"unknot/bench/watched"
)

// library is an MPI library.
type library struct{ name, suffix string }

func libraries() []library { return []library{{"Open MPI", "openmpi"}, {"MPICH", "mpich"}} }

// program is where a compiled program is.
func (b *bench) program(l library, name string) string {
	return filepath.Join(b.dir, name+"."+l.suffix)
}

// compile compiles all programs for both libraries.
func (b *bench) compile() error {
	own, err := filepath.Glob("bench/must/programs/*.c")
	if err != nil {
		return err
	}
	for _, name := range []string{"exchange", "hang", "cg", "mg", "is", "stencil"} {
		own = append(own, "bench/workloads/"+name+".c")
	}
	for _, source := range own {
		for _, l := range libraries() {
			name := strings.TrimSuffix(filepath.Base(source), ".c")
			if err := quiet.Do(b.ctx, "mpicc."+l.suffix, "-std=gnu11", "-g", "-O2", "-Wall", "-Wextra", "-Werror",
				"-Ibench/workloads", "-o", b.program(l, name), source, "-lm"); err != nil {
				return err
			}
		}
	}
	return nil
}

// settings are those of all jobs, plain and watched: ranks that wait give the processor to others, those of Open MPI for
// a time that grows with their number, or waking them would take all of it. PMIx keeps a separate table for each rank
// (hash): of 512 ranks on a host, Open MPI's could not lock the shared one.
func (b *bench) settings(ranks int) []string {
	const each = 20 * time.Microsecond
	yield := max(100*time.Microsecond, min(time.Duration(ranks)*each, 20*time.Millisecond))
	return append(quiet.Crowded(), "OMPI_MCA_pml=ob1", "PMIX_MCA_gds=hash", "LD_PRELOAD="+b.polite,
		fmt.Sprintf("POLITE_YIELD=%d", yield.Nanoseconds()))
}

// job is one command line.
type job struct {
	argv  []string
	ranks int
	dir   string
	limit time.Duration
}

// ranks is a job of a program with so many ranks of this machine.
func (b *bench) ranks(l library, n int, name string, args ...string) job {
	return job{ranks: n, argv: append([]string{"mpirun." + l.suffix, "-n", strconv.Itoa(n), b.program(l, name)}, args...)}
}

// watched is the same job under unknot.
func (b *bench) watched(j job, options ...string) job {
	j.argv = slices.Concat([]string{b.unknot, "run"}, options, j.argv)
	return j
}

// start prepares a job's command. What is returned with it ends the job, and all that is left of it.
func (b *bench) start(j job) (*exec.Cmd, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(b.ctx, j.limit)
	cmd := exec.CommandContext(ctx, j.argv[0], j.argv[1:]...)
	cmd.Env, cmd.Dir = append(os.Environ(), b.settings(j.ranks)...), j.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = 20 * time.Second
	return cmd, func() {
		cancel()
		watched.EndRemains(b.dir)
	}
}

// once is what one run showed.
type once struct {
	seconds float64 // that it printed, else of the whole run
	mebi    float64 // that a rank had at most, if it printed that
	watched.Peak
}

var (
	seconds = regexp.MustCompile(`(?m)^seconds ([0-9.]+)$`)
	kib     = regexp.MustCompile(`(?m)^kib ([0-9]+)$`)
)

// once runs a job to its end.
func (b *bench) once(j job) (o once, err error) {
	cmd, cancel := b.start(j)
	defer cancel()
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return o, err
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		err = cmd.Wait()
	}()
	o.Peak = watched.Look(cmd.Process.Pid, done)
	return o.finish(j, begin, out.Bytes(), complaint.Bytes(), err)
}

// finish takes in what a run has printed.
func (o once) finish(j job, begin time.Time, out, complaint []byte, err error) (once, error) {
	o.seconds = time.Since(begin).Seconds()
	if err != nil {
		const most = 2000
		return o, fmt.Errorf("%s: %w\n%s\n…\n%s", j, err, complaint[:min(len(complaint), most)],
			complaint[max(0, len(complaint)-most):])
	}
	if m := seconds.FindSubmatch(out); m != nil {
		o.seconds, _ = strconv.ParseFloat(string(m[1]), 64)
	}
	if m := kib.FindSubmatch(out); m != nil {
		n, _ := strconv.ParseFloat(string(m[1]), 64)
		o.mebi = n / 1024
	}
	return o, nil
}

// String is the command line with the names of files alone.
func (j job) String() string {
	var words []string
	for _, w := range j.argv {
		words = append(words, filepath.Base(w))
	}
	return strings.Join(words, " ")
}

// pair is a plain and a watched run next to each other.
type pair struct{ plain, watched once }

// inTurns runs a job so many times plain and watched.
func (b *bench) inTurns(pairs int, run func(watched bool) (once, error)) ([]pair, error) {
	turn := false
	all, _, err := quiet.Runs(pairs, func() (p pair, err error) {
		turn = !turn
		for _, second := range []bool{false, true} {
			if turn == second {
				p.watched, err = run(true)
			} else {
				p.plain, err = run(false)
			}
			if err != nil {
				return p, err
			}
		}
		return p, nil
	})
	return all, err
}

func plainSeconds(p pair) float64   { return p.plain.seconds }
func watchedSeconds(p pair) float64 { return p.watched.seconds }
func ratio(p pair) float64          { return p.watched.seconds / p.plain.seconds }

// named counts the ranks that a report in JSON names in its findings with a code, or says that there is no such one.
func named(path, code string) (int, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	var report struct {
		Findings []struct {
			Code  string
			Ranks []int
		}
	}
	if err := json.Unmarshal(text, &report); err != nil {
		return 0, err
	}
	ranks := make(map[int]bool)
	for _, f := range report.Findings {
		for _, r := range f.Ranks {
			ranks[r] = ranks[r] || f.Code == code
		}
	}
	n := 0
	for _, is := range ranks {
		if is {
			n++
		}
	}
	return n, nil
}
