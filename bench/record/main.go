// Command record measures what the recorder costs (unknot record): programs that do little but call MPI, kernels and
// one-sided programs, plain and with the recorder in turns, for both MPI libraries, and programs of others. It writes a
// section of bench/RESULTS.md, and must be started in the repository's root, after scripts/apps/measured.sh.
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

	"unknot/bench/others"
	"unknot/bench/quiet"
	"unknot/bench/section"
)

const (
	document = "bench/RESULTS.md"
	heading  = "## The recorder"
	sources  = "bench/workloads"
	head     = "| program | of | plain | recorded | per call | measured |\n|---|---|--:|--:|--:|---|\n"
	keys     = 2
)

// bench is what all rows need.
type bench struct {
	ctx         context.Context
	deadline    time.Time
	pairs       int
	only        *regexp.Regexp
	dir, unknot string
}

func main() {
	b := &bench{}
	only := flag.String("only", "", "measure only rows whose first cells match this `regexp`")
	limit := flag.Duration("limit", 10*time.Minute, "start nothing new after this time")
	flag.IntVar(&b.pairs, "pairs", 5, "pairs of a plain and a recorded run")
	flag.Parse()
	quiet.Main("bench/record", func(ctx context.Context) error {
		b.ctx, b.deadline = ctx, time.Now().Add(*limit)
		var err error
		if b.only, err = regexp.Compile(*only); err != nil {
			return err
		}
		return b.run()
	})
}

// program is a workload with its arguments, and how many calls of MPI a rank makes in it; 0 if that is not of interest.
type program struct {
	what, name string
	ranks      int
	arguments  []string
	calls      float64
}

func programs() []program {
	return []program{
		{"ring, three calls", "exchange", 2, []string{"3000000", "three"}, 3_000_000 * 3.1},
		{"ring, one call", "exchange", 2, []string{"3000000", "one"}, 3_000_000 * 1.1},
		{"allreduce", "calls", 2, []string{"3000000", "allreduce"}, 3_000_000},
		{"eight messages, one wait", "calls", 2, []string{"500000", "waitall"}, 500_000 * 17},
		{"polls", "calls", 2, []string{"2000000", "poll"}, 2_000_000 * 3},
		{"sends to nobody", "calls", 1, []string{"50000000", "self"}, 50_000_000},
		{"CG-like kernel", "cg", 2, []string{"400"}, 0}, {"FT-like kernel", "ft", 2, []string{"8"}, 0},
		{"MG-like kernel", "mg", 2, []string{"48"}, 0}, {"IS-like kernel", "is", 2, []string{"20"}, 0},
		{"stencil, MPI_Win_fence", "onesided", 2, []string{"fence", "20000"}, 0},
		{"stencil, MPI_Win_lock", "onesided", 2, []string{"lock", "20000"}, 0},
		{"stencil, MPI_Win_flush_all", "onesided", 2, []string{"flush", "20000"}, 0},
		{"stencil, MPI_Win_post", "onesided", 2, []string{"post", "20000"}, 0},
	}
}

// libraries are the MPI libraries, by the ending of the names of their tools.
var libraries = [][2]string{{"Open MPI", "openmpi"}, {"MPICH", "mpich"}}

func (b *bench) run() error {
	var err error
	if b.dir, err = os.MkdirTemp("", "unknot-bench-record-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	if b.unknot, err = quiet.Unknot(b.ctx, b.dir); err != nil {
		return err
	}
	watch := quiet.Start()
	before, err := section.Rows(document, heading, keys)
	if err != nil {
		return err
	}
	table := section.Table{Before: before, Only: b.only, Deadline: b.deadline, Day: quiet.Day(), Empty: " | | |"}
	for _, p := range programs() {
		for _, l := range libraries {
			table.Add(b.ctx, p.what+" | "+l[0], func() (string, error) { return b.row(&p, l[1]) })
		}
	}
	real, err := others.All(others.Prepared)
	if err != nil {
		return err
	}
	for _, p := range real {
		table.Add(b.ctx, p.Name+" | Open MPI", func() (string, error) { return b.compare(p.Command, p.Dir, 0) })
	}
	lines, failed := table.Lines()
	text := fmt.Sprintf("%s\n\n%s\nMedians of %d pairs of a plain run and one with `unknot record`, in turns. *Plain* is "+
		"the time of the slowest rank between two\nbarriers, or the whole time of programs of Debian's packages; *recorded* "+
		"is a multiple of it, and *per call* the difference\nfor each call of a rank.\n"+
		"The budget is 15 ns a call; 1.10 for the ring, 1.03 for programs that also compute.\n\n"+
		"%s%s", heading, watch.Caption("record"), b.pairs, head, lines)
	return errors.Join(append(failed, section.Replace(document, heading, text))...)
}

// row measures a program.
func (b *bench) row(p *program, library string) (string, error) {
	binary := filepath.Join(b.dir, p.name+"."+library)
	// gcc takes MPICH's MPI_STATUSES_IGNORE for an array that is too short.
	line := slices.Concat([]string{"-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-Wno-stringop-overflow"},
		quiet.Aligned())
	if err := quiet.Do(b.ctx, "mpicc."+library, append(line, "-o", binary,
		filepath.Join(sources, p.name+".c"), "-lm")...); err != nil {
		return "", err
	}
	job := append([]string{"mpirun." + library, "-n", strconv.Itoa(p.ranks), binary}, p.arguments...)
	return b.compare(job, "", p.calls)
}

// compare measures a command, in a directory, whose ranks make so many calls; 0 if that is not of interest.
func (b *bench) compare(job []string, dir string, calls float64) (string, error) {
	recorded := append([]string{b.unknot, "record"}, job...)
	if _, err := b.once(recorded, dir); err != nil { // the first run may compile the recorder
		return "", err
	}
	all, stolen, err := quiet.Runs(b.pairs, func() (pair [2]float64, err error) {
		for i, line := range [][]string{job, recorded} {
			if pair[i], err = b.once(line, dir); err != nil {
				return pair, err
			}
		}
		return pair, nil
	})
	if err != nil {
		return "", err
	}
	plain := quiet.MedianOf(all, func(t [2]float64) float64 { return t[0] })
	ratio := quiet.MedianOf(all, func(t [2]float64) float64 { return t[1] / t[0] })
	nanoseconds := quiet.MedianOf(all, func(t [2]float64) float64 {
		return (t[1] - t[0]) / calls * 1e9
	})
	note := ""
	if stolen > quiet.Disturbed {
		note = " (disturbed)"
	}
	each := ""
	if calls > 0 {
		each = fmt.Sprintf("%.0f ns", nanoseconds)
	}
	return fmt.Sprintf("%.3f s | %.2f | %s%s", plain, ratio, each, note), nil
}

var seconds = regexp.MustCompile(`(?m)^seconds ([0-9.]+)$`)

// most is for one run.
const most = 10 * time.Minute

// once runs a job: the time that it prints, or else that it takes.
func (b *bench) once(line []string, dir string) (float64, error) {
	ctx, cancel := context.WithTimeout(b.ctx, most)
	defer cancel()
	c := exec.CommandContext(ctx, line[0], line[1:]...)
	c.Env = slices.Concat(os.Environ(), quiet.Jobs())
	c.Dir = dir
	begin := time.Now()
	out, err := c.Output()
	if err != nil {
		return 0, fmt.Errorf("%s: %w", strings.Join(line, " "), err)
	}
	m := seconds.FindSubmatch(out)
	switch {
	case m == nil && dir == "":
		return 0, fmt.Errorf("%s: it printed no time", strings.Join(line, " "))
	case m == nil:
		return time.Since(begin).Seconds(), nil
	}
	return strconv.ParseFloat(string(m[1]), 64)
}
