// Command accesses measures what it costs to have a program's own accesses seen (unknot mpicc), and writes the section
// "A program's own accesses" of bench/RESULTS.md. Runs of the forms of a program take turns, and the table has the
// medians of the ratios to the plain one. It must be started in the repository's root, as go run ./bench/accesses.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"unknot/bench/quiet"
	"unknot/bench/section"
)

const (
	document = "bench/RESULTS.md"
	heading  = "## A program's own accesses"
)

// program is a source, and how it is run.
type program struct {
	name, source string
	args         []string
	ranks        int
	pending      bool // it has a form with an operation pending all the time, with this as its argument
}

func programs() []program {
	list := []program{{"kernels", "bench/accesses/testdata/kernels.c", nil, 1, true}}
	for _, w := range []struct{ name, size string }{{"cg", "400"}, {"ft", "8"}, {"is", "20"}, {"mg", "16"},
		{"stencil", "50000"}} {
		list = append(list, program{w.name, "bench/workloads/" + w.name + ".c", []string{w.size}, 2, false})
	}
	for _, w := range []struct{ what, times string }{{"fence", "1500"}, {"post", "1500"}, {"lock", "1500"},
		{"flush", "1500"}, {"request", "1500"}, {"shared", "1500"}, {"queue", "8000"}} {
		list = append(list, program{"one-sided " + w.what, "bench/workloads/onesided.c", []string{w.what, w.times}, 2,
			false})
	}
	return list
}

// form is how a program is compiled and run: the columns.
type form struct {
	name    string
	verb    bool   // compiled by unknot
	flag    string // for the compiler
	watched bool
	options []string // of unknot run
	pending bool
}

func forms() []form {
	return []form{
		{name: "plain"},
		{name: "compiled by unknot, run without it", verb: true},
		{name: "watched, compiled otherwise", watched: true},
		{name: "watched, compiled by unknot", verb: true, watched: true},
		{name: "--accesses=off", verb: true, watched: true, options: []string{"--accesses=off"}},
		{name: "buffers", verb: true, watched: true, options: []string{"--accesses=buffers"}},
		{name: "all", verb: true, watched: true, options: []string{"--accesses=all"}},
		{name: "an operation pending all the time", verb: true, watched: true, pending: true},
		{name: "thread sanitizer", flag: "-fsanitize=thread"},
	}
}

func main() {
	pairs := flag.Int("pairs", 5, "runs of each form")
	mpi := flag.String("mpi", "mpich", "the MPI library: openmpi or mpich")
	level := flag.String("level", "-O2", "how the compiler optimises")
	only := flag.String("only", "", "measure only programs whose name matches this `regexp`, and write nothing")
	flag.Parse()
	quiet.Main("bench/accesses", func(ctx context.Context) error {
		b := &bench{ctx: ctx, mpi: *mpi, level: *level, pairs: *pairs}
		return b.run(*only)
	})
}

type bench struct {
	ctx         context.Context
	mpi, level  string
	pairs       int
	dir, unknot string
}

// row is what is timed, with the plain time and the ratio of each form, 0 if there is none.
type row struct {
	name   string
	plain  float64 // seconds
	ratios []float64
}

func (b *bench) run(only string) error {
	wanted, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	if b.dir, err = os.MkdirTemp("", "unknot-accesses-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	if b.unknot, err = quiet.Unknot(b.ctx, b.dir); err != nil {
		return err
	}
	var rows []row
	for _, p := range programs() {
		if !wanted.MatchString(p.name) {
			continue
		}
		more, err := b.measure(p)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		for _, r := range more {
			fmt.Println(r.line())
		}
		rows = append(rows, more...)
	}
	if only != "" {
		return nil
	}
	return section.Replace(document, heading, b.document(rows))
}

// times are what one run printed: seconds by the name of what was timed.
type times map[string]float64

func (b *bench) measure(p program) ([]row, error) {
	for i, f := range forms() {
		command := []string{"mpicc." + b.mpi}
		if f.verb {
			command = []string{b.unknot, "mpicc", "--mpicc=mpicc." + b.mpi}
		}
		command = append(command, b.level, "-g", "-w")
		if f.flag != "" {
			command = append(command, f.flag)
		}
		if err := quiet.Do(b.ctx, command[0], append(command[1:], p.source, "-lm", "-o",
			b.binary(p, i))...); err != nil {
			return nil, err
		}
	}
	all, _, err := quiet.Runs(b.pairs, func() ([]times, error) {
		var round []times
		for i, f := range forms() {
			if f.pending && !p.pending {
				round = append(round, nil)
				continue
			}
			t, err := b.once(p, i, f)
			if err != nil {
				return nil, err
			}
			round = append(round, t)
		}
		return round, nil
	})
	if err != nil {
		return nil, err
	}
	var rows []row
	for _, name := range slices.Sorted(maps.Keys(all[0][0])) {
		r := row{name: name}
		if name == "seconds" {
			r.name = fmt.Sprintf("%s, %d ranks", p.name, p.ranks)
		}
		var plain []float64
		for _, round := range all {
			plain = append(plain, round[0][name])
		}
		r.plain = quiet.Median(plain)
		for i := range forms() {
			var ratios []float64
			for _, round := range all {
				if round[i] != nil {
					ratios = append(ratios, round[i][name]/round[0][name])
				}
			}
			ratio := 0.0
			if len(ratios) > 0 {
				ratio = quiet.Median(ratios)
			}
			r.ratios = append(r.ratios, ratio)
		}
		rows = append(rows, r)
	}
	return rows, nil
}

func (b *bench) binary(p program, form int) string {
	return filepath.Join(b.dir, fmt.Sprintf("%s.%d", strings.ReplaceAll(p.name, " ", "-"), form))
}

var timed = regexp.MustCompile(`(?m)^(\w+) ([0-9.]+)$`)

// once runs a program in a form.
func (b *bench) once(p program, i int, f form) (times, error) {
	command := []string{"mpirun." + b.mpi, "-n", strconv.Itoa(p.ranks), b.binary(p, i)}
	command = append(command, p.args...)
	if f.pending {
		command = append(command, "pending")
	}
	if f.watched {
		command = append(append([]string{b.unknot, "run"}, f.options...), command...)
	}
	c := exec.CommandContext(b.ctx, command[0], command[1:]...)
	c.Env = slices.Concat(os.Environ(), quiet.Jobs(), []string{"TSAN_OPTIONS=report_bugs=0"})
	out, err := c.CombinedOutput()
	if err != nil && f.flag == "" { // under the thread sanitizer, UCX below MPICH crashes when all is done
		return nil, fmt.Errorf("%s: %w\n%s", strings.Join(command, " "), err, out)
	}
	t := times{}
	for _, m := range timed.FindAllStringSubmatch(string(out), -1) {
		if t[m[1]], err = strconv.ParseFloat(m[2], 64); err != nil {
			return nil, err
		}
	}
	if len(t) == 0 {
		return nil, errors.New("it printed no times")
	}
	return t, nil
}

// line is the row in the document.
func (r *row) line() string {
	var d strings.Builder
	fmt.Fprintf(&d, "| %s | %.2f s |", r.name, r.plain)
	for _, ratio := range r.ratios[1:] {
		if ratio == 0 {
			d.WriteString(" |")
		} else {
			fmt.Fprintf(&d, " %.2f |", ratio)
		}
	}
	return d.String()
}

func (b *bench) document(rows []row) string {
	var d strings.Builder
	fmt.Fprintf(&d, "%s\n\nWritten by `go run ./bench/accesses`; do not edit. %s, %d processors, %s, compiled with "+
		"%s. Of the kernels (triad, stencil, product of a sparse\n"+
		"matrix and a vector, insertion into a tree) the processor time, of the programs of bench/workloads the time "+
		"of the slowest rank, as multiples of the plain run\n"+
		"(median of %d neighbouring runs). The one-sided ones use a window's memory in\n"+
		"their loops; as watched, loops that use windows are sampled, and with --accesses=all every access is looked "+
		"at. Budgets: kernels at most 2 in the median, programs at most 1.5, with windows 1.8, and a fifth of the "+
		"thread sanitizer's slow-down.\n\n",
		heading, b.mpi, runtime.NumCPU(), time.Now().Format("2 January 2006"), b.level, b.pairs)
	d.WriteString("| program | plain |")
	for _, f := range forms()[1:] {
		d.WriteString(" " + f.name + " |")
	}
	d.WriteString("\n|---|--:|" + strings.Repeat("--:|", len(forms())-1) + "\n")
	for i := range rows {
		d.WriteString(rows[i].line() + "\n")
	}
	return d.String()
}
