// Command races measures what the detection of data races costs UPC programs, and what it finds, as Table 1 of
// UPC-Thrille does, and writes the section "Data races" of bench/RESULTS.md. Runs with each sampling take turns with
// runs without any, and the table has the median of the ratios. It must be started in the repository's root, as go run
// ./bench/races.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"unknot/bench/quiet"
	"unknot/bench/section"
)

// samplings are the columns; plain stands for the program without --check=race.
func samplings() []string { return []string{"none", "I", "F", "H0.5", "IA", "HA0.5", "HA0", "all"} }

// classes are the sizes of the problems.
func classes() []string { return []string{"S", "W", "A"} }

const (
	threads  = 4
	tooLong  = 100 // times the plain run: it does not end, so to speak
	far      = 3   // times: one pair of runs is enough to see it
	document = "bench/RESULTS.md"
	heading  = "## Data races"
)

func main() {
	chosen := flag.String("classes", strings.Join(classes(), ","), "the classes of the problems")
	pairs := flag.Int("pairs", 3, "runs with each sampling")
	mpi := flag.String("mpi", "openmpi", "the MPI library: openmpi or mpich")
	limit := flag.Duration("limit", 30*time.Minute, "start no new row after this time")
	only := flag.String("only", "", "measure only programs whose name matches this `regexp`")
	flag.Parse()
	quiet.Main("bench/races", func(ctx context.Context) error {
		b := &bench{ctx: ctx, mpi: *mpi, pairs: *pairs, deadline: time.Now().Add(*limit)}
		return b.run(strings.Split(*chosen, ","), *only)
	})
}

type bench struct {
	ctx      context.Context
	mpi      string
	pairs    int
	dir      string
	unknot   string
	deadline time.Time
}

// row is a program in a class: what each sampling costs and finds.
type row struct {
	kernel
	class  string
	plain  float64 // seconds, median
	cells  []cell
	broken []int // races found in the program without its barrier, by sampling; nil if there is none such
}

// cell is a sampling: the ratio to the plain run, 0 if it took too long, and the races that it found.
type cell struct {
	ratio float64
	races int
}

func (b *bench) run(classes []string, only string) error {
	wanted, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	if b.dir, err = os.MkdirTemp("", "unknot-races-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	if b.unknot, err = quiet.Unknot(b.ctx, b.dir); err != nil {
		return err
	}
	text, err := os.ReadFile(document)
	if err != nil {
		return err
	}
	_, old, _ := section.Cut(string(text), heading)
	rows := rowsOf(old)
	var failed []error
	for _, class := range classes {
		for _, k := range kernels() {
			if !wanted.MatchString(k.name) {
				continue
			}
			if time.Now().After(b.deadline) {
				fmt.Fprintf(os.Stderr, "%s, class %s: no time left\n", k.name, class)
				continue
			}
			r, err := b.measure(k, class)
			if err != nil {
				failed = append(failed, fmt.Errorf("%s, class %s: %w", k.name, class, err))
				continue
			}
			fmt.Println(r.line())
			rows[problem{k.name, class}] = r.line()
			if err := section.Replace(document, heading, b.document(rows)); err != nil {
				return err
			}
		}
	}
	return errors.Join(failed...)
}

// problem is a program in a class.
type problem struct{ name, class string }

// rowsOf are the rows of a table that was written before: those that are not measured now stay.
func rowsOf(text string) map[problem]string {
	rows := make(map[problem]string)
	for line := range strings.Lines(text) {
		if columns := strings.Split(line, " | "); len(columns) == 3+len(samplings()) {
			rows[problem{strings.TrimPrefix(columns[0], "| "), columns[1]}] = strings.TrimSuffix(line, "\n")
		}
	}
	return rows
}

// ratio is that of a sampling in a row; false if the program took too long with it.
func ratio(line, sampling string) (float64, bool) {
	cell := strings.Split(line, " | ")[3+slices.Index(samplings(), sampling)]
	number, _, _ := strings.Cut(cell, ";")
	n, err := strconv.ParseFloat(number, 64)
	return n, err == nil
}

// compile makes the three forms of a program.
func (b *bench) compile(k kernel) error {
	source := filepath.Join("bench/upc/programs", k.name+".upc")
	compile := func(form, source string, args ...string) error {
		args = append([]string{"upcc", "--mpicc", "mpicc." + b.mpi, "-O3", "-Ibench/upc/programs", "-o",
			filepath.Join(b.dir, k.name+"."+form)}, args...)
		return quiet.Do(b.ctx, b.unknot, append(args, source, "-lm")...)
	}
	if err := errors.Join(compile("plain", source), compile("race", source, "--check=race")); err != nil ||
		k.barrier == 0 {
		return err
	}
	text, err := os.ReadFile(source)
	if err != nil {
		return err
	}
	const barrier = "upc_barrier;"
	at := 0
	for range k.barrier {
		i := bytes.Index(text[at:], []byte(barrier))
		if i < 0 {
			return fmt.Errorf("%s has no barrier %d", source, k.barrier)
		}
		at += i + len(barrier)
	}
	broken := filepath.Join(b.dir, k.name+".upc")
	if err := os.WriteFile(broken, slices.Concat(text[:at-len(barrier)], []byte(";"), text[at:]), 0o600); err != nil {
		return err
	}
	return compile("broken", broken, "--check=race")
}

func (b *bench) measure(k kernel, class string) (r row, err error) {
	if err := b.compile(k); err != nil {
		return r, err
	}
	r = row{kernel: k, class: class}
	var plain []float64
	for _, s := range samplings() {
		var ratios []float64
		races := 0
		pair := func() (float64, error) {
			base, _, err := b.once(k.name+".plain", class, "", time.Hour)
			if err != nil {
				return 0, err
			}
			plain = append(plain, base)
			took, found, err := b.once(k.name+".race", class, s, time.Duration(base*tooLong*float64(time.Second)))
			races = max(races, found)
			return took / base, err
		}
		first, err := pair()
		ratios = append(ratios, first)
		if err == nil && first < far {
			ratios, _, err = quiet.Runs(b.pairs, pair)
		}
		switch {
		case errors.Is(err, context.DeadlineExceeded):
			r.cells = append(r.cells, cell{0, races})
		case err != nil:
			return r, fmt.Errorf("%s: %w", s, err)
		default:
			r.cells = append(r.cells, cell{quiet.Median(ratios), races})
		}
		if k.barrier == 0 {
			continue
		}
		_, found, err := b.once(k.name+".broken", class, s, 5*time.Minute)
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			return r, err
		}
		r.broken = append(r.broken, found)
	}
	r.plain = quiet.Median(plain)
	return r, nil
}

// once runs a program, watched unless it is plain, and gives the time from its start to its end and how many races were
// found.
func (b *bench) once(program, class, sampling string, limit time.Duration) (took float64, races int, err error) {
	ctx, cancel := context.WithTimeout(b.ctx, limit)
	defer cancel()
	args := []string{"upcrun", "-n", strconv.Itoa(threads)}
	if sampling != "" {
		args = append(args, "--race-sampling", sampling)
	}
	command := exec.CommandContext(ctx, b.unknot, append(args, filepath.Join(b.dir, program), class)...)
	command.Env = append(os.Environ(), "UPC_SHARED_HEAP_SIZE=1G")
	command.Cancel = func() error { return command.Process.Signal(syscall.SIGTERM) }
	command.WaitDelay = 20 * time.Second
	start := time.Now()
	out, err := command.CombinedOutput()
	took = time.Since(start).Seconds()
	races = bytes.Count(out, []byte("upc-race ("))
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return took, races, ctx.Err()
	case errors.As(err, &exit) && (races > 0 || strings.HasSuffix(program, ".broken")): // which may crash of its race
		err = nil
	}
	if err == nil && !strings.HasSuffix(program, ".broken") && !bytes.Contains(out, []byte(" verified")) {
		err = errors.New("not verified")
	}
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s", program, err, out)
	}
	return took, races, err
}

// line is the row in the document.
func (r *row) line() string {
	var d strings.Builder
	fmt.Fprintf(&d, "| %s | %s | %.2f s |", r.name, r.class, r.plain)
	for i, c := range r.cells {
		text := fmt.Sprintf("%.2f", c.ratio)
		if c.ratio == 0 {
			text = fmt.Sprintf("more than %d", tooLong)
		}
		fmt.Fprintf(&d, " %s; %d", text, c.races)
		if r.broken != nil {
			fmt.Fprintf(&d, " + %d", r.broken[i])
		}
		d.WriteString(" |")
	}
	return d.String()
}

func (b *bench) document(rows map[problem]string) string {
	var d strings.Builder
	fmt.Fprintf(&d, "%s\n\nWritten by `go run ./bench/races`; do not edit. UPC programs of bench/upc/programs with "+
		"%d threads, %s, %d processors, %s, compiled with -O3.\n"+
		"Rows that were not measured then are of an earlier day. Each cell has the time of the whole run with that "+
		"sampling, start and end included, as a multiple of the run without --check=race (median of %d pairs of\n"+
		"neighbouring runs, one pair from 3 on); then the races that were found, by pairs of places, and after + "+
		"those in the program with one of its barriers left out:\n",
		heading, threads, b.mpi, runtime.NumCPU(), time.Now().Format("2 January 2006"), b.pairs)
	var left []string
	for _, k := range kernels() {
		if k.barrier > 0 {
			left = append(left, fmt.Sprintf("%s number %d", k.name, k.barrier))
		}
	}
	fmt.Fprintf(&d, "%s. gups and psearch have races as they are: %s, and %s.\n\n", strings.Join(left, ", "),
		"updates that meet", "the look at how much is left to be stolen")
	d.WriteString("| program | class | plain |")
	for _, s := range samplings() {
		d.WriteString(" " + s + " |")
	}
	d.WriteString("\n|---|---|---|" + strings.Repeat("---|", len(samplings())) + "\n")
	var usual []float64
	for _, class := range classes() {
		for _, k := range kernels() {
			line, measured := rows[problem{k.name, class}]
			if !measured {
				continue
			}
			d.WriteString(line + "\n")
			if r, ended := ratio(line, "HA0.5"); ended {
				usual = append(usual, r)
			}
		}
	}
	if len(usual) > 0 {
		fmt.Fprintf(&d, "\nWith HA0.5, which is usual, the median of the ratios is %.2f (at most 1.2 is promised) "+
			"and the largest %.2f (at most 1.5).\n", quiet.Median(usual), slices.Max(usual))
	}
	return d.String()
}
