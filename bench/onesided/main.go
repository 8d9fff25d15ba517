// Command onesided runs programs with one-sided communication, of MPI and of OpenSHMEM, whose windows are larger than
// the processor's caches: what it costs to watch them, and whether their races are found when one synchronisation is
// missing. It writes a section of docs/papers/one-sided.md, and must be started in the repository's root.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"unknot/bench/quiet"
	"unknot/bench/section"
)

const (
	document = "docs/papers/one-sided.md"
	heading  = "## Programs with one-sided communication"
	sources  = "bench/onesided/programs"
)

// bench is what all programs need.
type bench struct {
	ctx         context.Context
	deadline    time.Time
	pairs       int
	size        int // MiB of a rank
	ranks       int
	only        *regexp.Regexp
	dir, unknot string
	polite      string // what has ranks of MPICH give the processor away while they wait
}

func main() {
	b := &bench{}
	only := flag.String("only", "", "measure only rows whose first cells match this `regexp`")
	limit := flag.Duration("limit", 10*time.Minute, "start nothing new after this time")
	flag.IntVar(&b.pairs, "pairs", 3, "runs of each form")
	flag.IntVar(&b.size, "size", 96, "MiB of a rank's window")
	flag.IntVar(&b.ranks, "ranks", 4, "ranks, or PEs")
	flag.Parse()
	quiet.Main("bench/onesided", func(ctx context.Context) error {
		b.ctx, b.deadline = ctx, time.Now().Add(*limit)
		var err error
		if b.only, err = regexp.Compile(*only); err != nil {
			return err
		}
		return b.run()
	})
}

// kind is what a program communicates by, and how it is compiled and started.
type kind struct{ name, dir, compiler, own, launcher string }

func kinds() []kind {
	return []kind{
		{"Open MPI", sources, "mpicc.openmpi", "mpicc --mpicc=mpicc.openmpi", "mpirun.openmpi"},
		{"MPICH", sources, "mpicc.mpich", "mpicc --mpicc=mpicc.mpich", "mpirun.mpich"},
		{"OpenSHMEM", sources + "/shmem", "oshcc", "oshcc", "oshrun"},
	}
}

// program is a source, with how often it does what it does.
type program struct{ name, what, times string }

func programs() []program {
	return []program{
		{"stencil", "stencil: halos are put", "6"},
		{"transpose", "transpose: blocks are put", "3"},
		{"pipeline", "pipeline: data, then a flag", "4"},
		{"sparse", "sparse CG: parts are got", "1"},
		{"sort", "integer sort: keys are put", "2"},
		{"random", "random access: words are changed atomically", "1"},
	}
}

const head = "| program | of | plain | watched | compiled by unknot | watched, too | right program | one missing, " +
	"compiled otherwise | one missing, compiled by unknot | with --accesses=all | measured |\n" +
	"|---|---|--:|--:|--:|--:|---|---|---|---|---|\n"

const keys = 2

func (b *bench) run() error {
	var err error
	if b.dir, err = os.MkdirTemp("", "unknot-onesided-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	if b.unknot, err = quiet.Unknot(b.ctx, b.dir); err != nil {
		return err
	}
	if b.polite, err = quiet.Polite(b.ctx, b.dir); err != nil {
		return err
	}
	watch := quiet.Start()
	before, err := section.Rows(document, heading, keys)
	if err != nil {
		return err
	}
	table := section.Table{Before: before, Only: b.only, Deadline: b.deadline, Day: quiet.Day(), Empty: " | | | | | | | |"}
	for _, k := range kinds() {
		for _, p := range programs() {
			if _, err := os.Stat(filepath.Join(k.dir, p.name+".c")); !errors.Is(err, os.ErrNotExist) {
				table.Add(b.ctx, p.what+" | "+k.name, func() (string, error) { return b.row(&k, &p) })
			}
		}
	}
	lines, failed := table.Lines()
	text := fmt.Sprintf("%s\n\n%s\n%d ranks or PEs with %d MiB of a window each (`%s`), medians of %d runs of each "+
		"form in turns. MPI ranks that wait give the processor to others, in all forms. *Plain* is the time of the\n"+
		"slowest rank, the next columns are multiples of it: watched; compiled by `unknot mpicc` or `oshcc` and\n"+
		"run without unknot; compiled so and watched. Each program checks its result. Then what is reported: of the right program, and with one\n"+
		"synchronisation left out (`-DLEFT_OUT`), whose accesses the sources mark: *at the places* says that all "+
		"places of the finding are marked.\n\n%s%s", heading, watch.Caption("onesided"), b.ranks, b.size, sources,
		b.pairs, head, lines)
	return errors.Join(append(failed, section.Replace(document, heading, text))...)
}

// form is how a program is compiled and run.
type form struct {
	own, watched, wrong bool
	all                 bool // every access is checked
}

func (b *bench) binary(k *kind, p *program, f form) string {
	return filepath.Join(b.dir, fmt.Sprintf("%s.%s.%v.%v", p.name, filepath.Base(k.compiler), f.own, f.wrong))
}

func (b *bench) compile(k *kind, p *program, f form) error {
	line := []string{k.compiler}
	if f.own {
		line = append([]string{b.unknot}, strings.Fields(k.own)...)
	}
	line = append(line, "-std=gnu11", "-g", "-O2", "-Wall", "-Wextra", "-Werror", "-Ibench/workloads")
	if f.wrong {
		line = append(line, "-DLEFT_OUT")
	}
	line = append(line, "-o", b.binary(k, p, f), filepath.Join(k.dir, p.name+".c"), "-lm")
	return quiet.Do(b.ctx, line[0], line[1:]...)
}

// row measures a program.
func (b *bench) row(k *kind, p *program) (string, error) {
	for _, f := range []form{{}, {own: true}, {wrong: true}, {own: true, wrong: true}} {
		if err := b.compile(k, p, f); err != nil {
			return "", err
		}
	}
	timed := []form{{}, {watched: true}, {own: true}, {own: true, watched: true}}
	var right []found
	all, _, err := quiet.Runs(b.pairs, func() ([]float64, error) {
		times := make([]float64, len(timed))
		for i, f := range timed {
			seconds, said, err := b.once(k, p, f)
			if err != nil {
				return nil, err
			}
			times[i] = seconds
			right = append(right, said...)
		}
		return times, nil
	})
	if err != nil {
		return "", err
	}
	cells := []string{fmt.Sprintf("%.2f s", quiet.MedianOf(all, func(t []float64) float64 { return t[0] }))}
	for i := range timed[1:] {
		ratio := quiet.MedianOf(all, func(t []float64) float64 { return t[i+1] / t[0] })
		cells = append(cells, fmt.Sprintf("%.2f", ratio))
	}
	marks, err := marked(filepath.Join(k.dir, p.name+".c"))
	if err != nil {
		return "", err
	}
	cells = append(cells, describe(right, marks))
	for _, f := range []form{{}, {own: true}, {own: true, all: true}} {
		f.watched, f.wrong = true, true
		_, said, err := b.once(k, p, f)
		if err != nil {
			return "", err
		}
		cells = append(cells, describe(said, marks))
	}
	return strings.Join(cells, " | "), nil
}

var seconds = regexp.MustCompile(`(?m)^seconds ([0-9.]+)$`)

// most is for one run; found races end nothing.
const most = 2 * time.Minute

// once runs a program in a form: what it printed, and what unknot reported.
func (b *bench) once(k *kind, p *program, f form) (took float64, said []found, err error) {
	report := filepath.Join(b.dir, "report.json")
	line := []string{k.launcher, "-n", strconv.Itoa(b.ranks), b.binary(k, p, f), strconv.Itoa(b.size), p.times}
	if f.watched {
		options := []string{b.unknot, "run", "--json=" + report}
		if f.all {
			options = append(options, "--accesses=all")
		}
		line = append(options, line...)
	}
	ctx, cancel := context.WithTimeout(b.ctx, most)
	defer cancel()
	c := exec.CommandContext(ctx, line[0], line[1:]...)
	c.Env = slices.Concat(os.Environ(), quiet.Crowded(), []string{"OMPI_MCA_memory=^patcher",
		"SHMEM_SYMMETRIC_SIZE=" + strconv.Itoa(2*b.size+64) + "M"})
	if k.name == "MPICH" {
		c.Env = append(c.Env, "LD_PRELOAD="+b.polite)
	}
	out, err := c.CombinedOutput()
	m := seconds.FindSubmatch(out)
	// With a finding, the exit status is unknot's.
	var status *exec.ExitError
	if err != nil && !(f.watched && errors.As(err, &status) && status.ExitCode() == 66) || m == nil {
		return 0, nil, fmt.Errorf("%s: %w\n%s", strings.Join(line, " "), err, out)
	}
	if took, err = strconv.ParseFloat(string(m[1]), 64); err != nil || !f.watched {
		return took, nil, err
	}
	said, err = findings(report)
	return took, said, err
}
