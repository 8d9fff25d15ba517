package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"unknot/bench/quiet"
	"unknot/internal/say/report"
)

// tool is a column: how a program is compiled and run, and whether what came of it is a report of an error in it.
type tool struct {
	name    string
	flags   []string
	limit   time.Duration
	env     []string
	wrap    []string // between mpirun's options and the program
	reports func(b *bench, p *pair, out string, err error) bool
}

const unknot = "unknot"

func tools() []tool {
	return []tool{
		{name: unknot, limit: time.Minute, reports: unknotReports},
		{name: "the MPI library", limit: 10 * time.Second, reports: func(_ *bench, _ *pair, _ string, err error) bool {
			var exit *exec.ExitError
			return errors.As(err, &exit) && exit.ExitCode() > 0
		}},
		// Its wrappers of MPI functions are linked to the program: a preloaded library would be one of valgrind itself,
		// too.
		{name: "valgrind", flags: []string{"-Wl,--no-as-needed",
			"/usr/lib/x86_64-linux-gnu/valgrind/libmpiwrap-amd64-linux.so"}, limit: 20 * time.Second,
			env:     []string{"MPIWRAP_DEBUG=quiet"},
			wrap:    []string{"valgrind", "--quiet", "--suppressions=/usr/share/openmpi/openmpi-valgrind.supp"},
			reports: pattern(`(?m)^==\d+==.*\((?:broken|fixed)\.c:\d+\)`)},
		{name: "address and undefined behaviour sanitizers", flags: []string{"-fsanitize=address,undefined",
			"-fno-omit-frame-pointer"}, limit: 10 * time.Second,
			env:     []string{"ASAN_OPTIONS=detect_leaks=0"},
			reports: pattern(`(?m)(?:broken|fixed)\.c:\d+:\d+: runtime error|^ +#\d+ .*/(?:broken|fixed)\.c:\d+`)},
		{name: "thread sanitizer", flags: []string{"-fsanitize=thread"}, limit: 10 * time.Second,
			reports: pattern(`(?m)^ +#\d+ .*(?:broken|fixed)\.c:\d+`)},
	}
}

// pattern finds a report with a place in the program.
func pattern(text string) func(*bench, *pair, string, error) bool {
	at := regexp.MustCompile(text)
	return func(_ *bench, _ *pair, out string, _ error) bool { return at.MatchString(out) }
}

// unknotReports says whether unknot reports the code of a pair.
func unknotReports(b *bench, p *pair, _ string, _ error) bool {
	run, err := report.ReadFile(b.json())
	if err != nil {
		return false
	}
	for i := range run.Findings {
		if string(run.Findings[i].Code) == p.code {
			return true
		}
	}
	return false
}

func (b *bench) json() string { return filepath.Join(b.dir, "report.json") }

// try compiles and runs the broken or the fixed program of a pair under a tool.
func (b *bench) try(t *tool, p *pair, name string) (reported bool, err error) {
	program := filepath.Join(b.dir, "program")
	command := []string{"mpicc.openmpi", "-g", "-std=gnu11", "-pthread", "-fopenmp", "-w"}
	if t.name == unknot && p.by != nil {
		command = append(append([]string{b.unknot, "mpicc", "--mpicc=mpicc.openmpi"}, command[1:]...), p.by...)
	}
	command = append(append(command, t.flags...), p.source(name), "-o", program, "-lm")
	if err := quiet.Do(b.ctx, command[0], command[1:]...); err != nil {
		return false, err
	}
	os.Remove(b.json())
	job := []string{"mpirun.openmpi"}
	if t.name == unknot {
		job = append(append([]string{b.unknot, "run", "--report", b.json()}, p.checks...), job...)
	}
	job = append(job, "-n", p.ranks)
	for _, e := range t.env {
		job = append(job, "-x", e)
	}
	job = append(append(job, t.wrap...), program)
	out, err := b.job(t.limit, job)
	if b.ctx.Err() != nil {
		return false, b.ctx.Err()
	}
	return t.reports(b, p, out, err), nil
}

// job runs a job, and ends it with all its processes when its time is over.
func (b *bench) job(limit time.Duration, command []string) (string, error) {
	ctx, stop := context.WithTimeout(b.ctx, limit)
	defer stop()
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Dir = b.dir
	c.Env = append(append(os.Environ(), quiet.Jobs()...), "OMPI_MCA_pml=ob1")
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	c.WaitDelay = 10 * time.Second
	out, err := c.CombinedOutput()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return strings.ToValidUTF8(string(out), "?"), err
}
