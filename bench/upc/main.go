// Command upc measures compiled UPC programs against the same computations in MPI C, and writes bench/UPC.md. Runs of
// the two take turns, so that what else the machine does meets both; the table has the median of the ratios of
// neighbours. Rows that are not measured now stay. It must be started in the repository's root, as go run ./bench/upc.
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
	"strconv"
	"strings"
	"time"

	"unknot/bench/quiet"
)

// document is the file that is written.
const document = "bench/UPC.md"

func main() {
	classes := flag.String("classes", "W,A", "the classes of the problems: S, W, A, B")
	pairs := flag.Int("pairs", 5, "pairs of a UPC run and an MPI run")
	only := flag.String("only", "", "measure only programs whose name matches this `regexp`")
	threads := flag.String("threads", "1,2,4", "numbers of threads")
	mpi := flag.String("mpi", "openmpi", "the MPI library: openmpi or mpich")
	limit := flag.Duration("limit", 20*time.Minute, "start nothing new after this time")
	flag.Parse()
	quiet.Main("bench/upc", func(ctx context.Context) error {
		b := &bench{ctx: ctx, watch: quiet.Start(), classes: strings.Split(*classes, ","), pairs: *pairs, mpi: *mpi,
			deadline: time.Now().Add(*limit)}
		return b.run(*only, *threads)
	})
}

type bench struct {
	ctx      context.Context
	watch    quiet.Watch
	classes  []string
	mpi      string
	pairs    int
	dir      string
	deadline time.Time
}

func (b *bench) run(only, threads string) error {
	wanted, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	counts, err := quiet.Numbers(threads)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(document)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if b.dir, err = os.MkdirTemp("", "bench-upc"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	unknot, err := quiet.Unknot(b.ctx, b.dir)
	if err != nil {
		return err
	}
	var programs []kernel
	for _, k := range kernels() {
		if !wanted.MatchString(k.name) {
			continue
		}
		if err := b.compile(unknot, k); err != nil {
			return err
		}
		programs = append(programs, k)
	}
	rows := rowsOf(string(text))
	failed := b.measureAll(programs, counts, rows)
	return errors.Join(append(failed, os.WriteFile(document, b.page(rows), 0o644))...)
}

// compile makes both forms of a program.
func (b *bench) compile(unknot string, k kernel) error {
	source := filepath.Join("bench/upc/programs", k.name)
	upc := append([]string{"upcc", "--mpicc", "mpicc." + b.mpi, "-O2", "-o", filepath.Join(b.dir, k.name+".upc"),
		source + ".upc", "-lm"}, quiet.Aligned()...)
	if err := quiet.Do(b.ctx, unknot, upc...); err != nil {
		return err
	}
	return quiet.Do(b.ctx, "mpicc."+b.mpi, append([]string{"-std=gnu11", "-O2", "-o",
		filepath.Join(b.dir, k.name+".mpi"), source + ".c", "-lm"}, quiet.Aligned()...)...)
}

// measureAll measures the programs in every class with all numbers of threads, until the time is over, and puts the
// rows in their places.
func (b *bench) measureAll(programs []kernel, counts []int, rows map[problem]string) (failed []error) {
	for _, class := range b.classes {
		for _, k := range programs {
			for _, n := range counts {
				if time.Now().After(b.deadline) {
					fmt.Fprintf(os.Stderr, "%s, class %s, with %d threads: no time left\n", k.name, class, n)
					continue
				}
				r, err := b.measure(k, class, n)
				switch {
				case errors.Is(err, errTooMany):
					fmt.Fprintln(os.Stderr, err)
				case err != nil:
					failed = append(failed, err)
				default:
					fmt.Println(r.line())
					rows[problem{k.name, class, n}] = r.line()
				}
			}
		}
	}
	return failed
}

// errTooMany is that a class of a program has less parts than threads were asked for.
var errTooMany = errors.New("it does not run so")

var (
	verified = regexp.MustCompile(`seconds=(\S+) verified`)
	declined = regexp.MustCompile(`\w+: class \w has .+ so it runs with 1 to \d+ threads, not with \d+`)
)

// spent are the seconds of a run: those that the program says, and those of processors from its start to its end.
type spent struct{ wall, processor float64 }

// once runs a program. A result that is not verified is an error.
func (b *bench) once(program, class string, threads int) (s spent, err error) {
	ctx, cancel := context.WithTimeout(b.ctx, 10*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, "mpirun."+b.mpi, "-n", strconv.Itoa(threads), filepath.Join(b.dir, program),
		class)
	command.Env = append(os.Environ(), append(quiet.Jobs(), "UPC_SHARED_HEAP_SIZE=1G")...)
	out, err := command.CombinedOutput()
	if sentence := declined.Find(out); sentence != nil {
		return s, fmt.Errorf("%w: %s", errTooMany, sentence)
	}
	if err != nil {
		return s, fmt.Errorf("%s with %d threads: %w\n%s", program, threads, err, out)
	}
	found := verified.FindSubmatch(out)
	if found == nil {
		return s, fmt.Errorf("%s with %d threads: not verified\n%s", program, threads, out)
	}
	s.processor = (command.ProcessState.UserTime() + command.ProcessState.SystemTime()).Seconds()
	s.wall, err = strconv.ParseFloat(string(found[1]), 64)
	return s, err
}
