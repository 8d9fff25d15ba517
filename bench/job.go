package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// mpi is one MPI library.
type mpi struct{ name, suffix string }

func (i mpi) launcher() string { return "mpirun." + i.suffix }

// build compiles the workloads for every MPI library.
func (b *bench) build() error {
	sources, err := filepath.Glob("bench/workloads/*.c")
	if err != nil || len(sources) == 0 {
		return fmt.Errorf("no bench/workloads/*.c; hint: start it in the root of the repository")
	}
	for _, i := range b.mpis {
		dir := filepath.Join(b.dir, i.suffix)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		for _, src := range sources {
			if _, err := b.compile(i, src, strings.TrimSuffix(filepath.Base(src), ".c")); err != nil {
				return err
			}
		}
	}
	return nil
}

// compile compiles a program and returns its path.
func (b *bench) compile(i mpi, src, name string) (string, error) {
	program := filepath.Join(b.dir, i.suffix, name)
	// MPICH's header has arrays of statuses where MPI_STATUSES_IGNORE is passed.
	args := []string{"-std=gnu11", "-g", "-O2", "-Wall", "-Wextra", "-Werror", "-Wno-stringop-overflow", "-o", program, src,
		"-lm"}
	if name == "openmp" {
		args = append(args, "-fopenmp")
	}
	cmd := exec.Command("mpicc."+i.suffix, args...)
	if text, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("mpicc.%s %s: %w\n%s", i.suffix, src, err, text)
	}
	return program, nil
}

// job is one command line.
type job struct {
	b     *bench
	on    *cluster // nil for one on this host
	argv  []string
	env   []string
	limit time.Duration // 0: runLimit
}

// plain is a workload on n ranks; watched is the same under unknot, with options of unknot run.
func (b *bench) plain(i mpi, n int, workload string, args ...string) job {
	argv := []string{i.launcher(), "-n", strconv.Itoa(n), filepath.Join(b.dir, i.suffix, workload)}
	return job{b: b, argv: append(argv, args...)}
}

func (j job) watched(options ...string) job {
	unknot := j.b.unknot
	if j.on != nil {
		unknot = filepath.Join(j.b.dir, "unknot")
	}
	j.argv = slices.Concat([]string{unknot, "run"}, options, j.argv)
	return j
}

// String is the command line with the names of files alone: figures do not tell where this machine keeps them.
func (j job) String() string {
	words := make([]string, len(j.argv))
	for i, w := range j.argv {
		words[i] = filepath.Base(w)
	}
	return strings.Join(words, " ")
}

// runLimit ends a run that takes too long, if the job has no limit of its own: with more ranks than cores some
// libraries hardly move.
const runLimit = 60 * time.Second

func (j job) most() time.Duration { return cmp.Or(j.limit, runLimit) }

func (j job) command() (*exec.Cmd, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(j.b.ctx, j.most())
	if j.on != nil {
		return j.on.Hosts()[0].Command(ctx, j.on.env, j.argv...), cancel
	}
	cmd := exec.CommandContext(ctx, j.argv[0], j.argv[1:]...)
	cmd.Env = append(os.Environ(), j.env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	return cmd, cancel
}

// run runs the job to its end and returns its output and how long it took.
func (j job) run() (string, time.Duration, error) {
	cmd, cancel := j.command()
	defer cancel()
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	begin := time.Now()
	err := cmd.Run()
	took := time.Since(begin)
	if err != nil {
		if took >= j.most() {
			err = fmt.Errorf("longer than %v: %w", j.most(), errTime)
		}
		last := strings.TrimSpace(complaint.String())
		if len(last) > 200 {
			last = last[:200]
		}
		return "", took, fmt.Errorf("%s: %w %s", j, err, last)
	}
	return out.String(), took, nil
}

// number runs the job and returns the number that it prints after a word.
func (j job) number(word string) (float64, error) {
	out, _, err := j.run()
	if err != nil {
		return 0, err
	}
	s := bufio.NewScanner(strings.NewReader(out))
	for s.Scan() {
		if rest, ok := strings.CutPrefix(s.Text(), word+" "); ok {
			return strconv.ParseFloat(strings.TrimSpace(rest), 64)
		}
	}
	return 0, fmt.Errorf("%s printed no %q", j, word)
}

func (j job) seconds() (float64, error) { return j.number("seconds") }

func (j job) wall() (float64, error) {
	_, took, err := j.run()
	return took.Seconds(), err
}

// errTime is no fault of anything but the machine.
var errTime = errors.New("no time was left")

// stopwatch says whether a case that is allowed some time may make another run after done ones.
func (b *bench) stopwatch(allowed time.Duration) func(done int) bool {
	end := time.Now().Add(time.Duration(float64(allowed) * b.share))
	return func(done int) bool {
		now := time.Now()
		return now.Before(b.deadline) && (done == 0 || now.Before(end))
	}
}

// inTurns measures pairs of a plain and a watched run, the order changing from pair to pair, until there are enough or
// the case has had its time. One pair is the least.
func (b *bench) inTurns(allowed time.Duration, plain, watched func() (float64, error)) (p, w sample, err error) {
	return b.pairsInTurns(b.pairs, allowed, plain, watched)
}

// pairsInTurns is inTurns with a number of pairs of its own.
func (b *bench) pairsInTurns(pairs int, allowed time.Duration, plain, watched func() (float64, error)) (p,
	w sample, err error) {
	left := b.stopwatch(allowed)
	for k := range pairs {
		if !left(k) {
			break
		}
		both := []func() (float64, error){plain, watched}
		got := [2]float64{}
		for _, at := range []int{k % 2, 1 - k%2} {
			if got[at], err = both[at](); err != nil {
				return p, w, err
			}
		}
		p, w = append(p, got[0]), append(w, got[1])
	}
	if len(p) == 0 {
		return p, w, errTime
	}
	return p, w, nil
}

// fewer says how many pairs a row rests on if they are fewer than asked for.
func (b *bench) fewer(n int) string {
	if n >= b.pairs {
		return ""
	}
	return fmt.Sprintf("; only %d pairs in the time allowed", n)
}
