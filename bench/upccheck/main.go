// Command upccheck measures what upc-check adds to UPC programs, and writes sections of docs/papers/upc-check.md: the
// time of whole programs as in tables 2.2, 3.1 and 3.2 of UPC-CHECK, the cost of one checked collective operation, and
// memory. It must be started in the repository's root, as go run ./bench/upccheck.
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
	"strings"
	"time"

	"unknot/bench/quiet"
	"unknot/bench/section"
)

func main() {
	var o options
	classes := flag.String("classes", "S,W,A,B", "the classes of the problems")
	programs := flag.String("programs", "bt,cg,ep,ft,is,lu,mg,sp", "the programs of bench/upc/programs")
	flag.DurationVar(&o.each, "each", 12*time.Second, "the time for the runs of a row, of which there are at least "+
		"6 and at most 78")
	flag.IntVar(&o.rounds, "rounds", 200, "rounds of the measurement of one operation")
	threads := flag.String("threads", "2,4,16,64", "numbers of threads of the programs")
	many := flag.String("many", "2,4,8,16,32,64", "numbers of threads for the cost of one operation")
	flag.StringVar(&o.mpi, "mpi", "openmpi", "the MPI library: openmpi or mpich")
	limit := flag.Duration("limit", 40*time.Minute, "start no new program after this time")
	flag.Parse()
	o.classes, o.names = strings.Split(*classes, ","), strings.Split(*programs, ",")
	o.deadline = time.Now().Add(*limit)
	quiet.Main("bench/upccheck", func(ctx context.Context) (err error) {
		if o.threads, err = quiet.Numbers(*threads); err != nil {
			return err
		}
		if o.many, err = quiet.Numbers(*many); err != nil {
			return err
		}
		return run(ctx, o)
	})
}

// options are what is to be measured.
type options struct {
	classes, names []string
	threads, many  []int
	rounds         int
	each           time.Duration
	mpi            string
	deadline       time.Time
}

// bench is a measurement: where programs are, and how they are made and run.
type bench struct {
	options
	ctx context.Context
	dir string
}

func run(ctx context.Context, o options) error {
	dir, err := os.MkdirTemp("", "bench-upccheck")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b := &bench{options: o, ctx: ctx, dir: dir}
	if _, err := b.do(nil, "go", "build", "-o", b.path("unknot"), "./cmd/unknot"); err != nil {
		return err
	}
	return errors.Join(b.programs(), b.operations(), b.memories())
}

// document has a section for each table.
const document = "docs/papers/upc-check.md"

// replace writes a section with what says how it was measured, and its text.
func replace(heading string, watch quiet.Watch, text string) error {
	return section.Replace(document, heading, heading+"\n\n"+watch.Caption("upccheck")+"\n\n"+text)
}

func (b *bench) path(name string) string { return filepath.Join(b.dir, name) }

// compile makes a program with the checks or without.
func (b *bench) compile(command, out string, args ...string) error {
	line := append([]string{command, "--mpicc", "mpicc." + b.mpi, "-O2", "-o", b.path(out)}, quiet.Aligned()...)
	_, err := b.do(nil, b.path("unknot"), append(line, args...)...)
	return err
}

// launch runs a program and gives what it says.
func (b *bench) launch(program string, threads int, args ...string) ([]byte, error) {
	heap := "UPC_SHARED_HEAP_SIZE=1G"
	if threads > 8 {
		heap = "UPC_SHARED_HEAP_SIZE=64M"
	}
	return b.do(append(quiet.Jobs(), heap), "mpirun."+b.mpi,
		append([]string{"-n", fmt.Sprint(threads), b.path(program)}, args...)...)
}

func (b *bench) do(env []string, name string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(b.ctx, 10*time.Minute)
	defer cancel()
	var out bytes.Buffer
	command := exec.CommandContext(ctx, name, args...)
	command.Env = append(os.Environ(), env...)
	command.Stdout, command.Stderr = &out, &out
	if err := command.Run(); err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out.Bytes())
	}
	return out.Bytes(), nil
}
