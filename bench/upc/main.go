// Command upc measures compiled UPC programs against the same computations in MPI C, and writes bench/UPC.md. Runs of
// the two take turns, so that what else the machine does meets both; the table has the median of the ratios of
// neighbours. It must be started in the repository's root, as go run ./bench/upc.
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
	"runtime"
	"strconv"
	"strings"
	"time"

	"unknot/bench/quiet"
)

// kernel is a program in both languages. Limit is the ratio that is promised, 0 for none.
type kernel struct {
	name, what string
	limit      float64
}

func kernels() []kernel {
	return []kernel{
		{"ep", "NAS EP: independent random numbers", 1.05},
		{"cg", "NAS CG: conjugate gradients", 1.25},
		{"is", "NAS IS: integer sort", 1.25},
		{"ft", "NAS FT: 3-D Fourier transforms", 1.25},
		{"mg", "NAS MG: multigrid", 1.25},
		{"stream", "copy, scale, add, triad in upc_forall", 1.25},
		{"matmul", "matrix multiply", 1.25},
		{"uts", "unbalanced tree search", 1.25},
		{"gups", "random updates (MPI: batches and MPI_Alltoallv)", 1.25},
	}
}

func main() {
	classes := flag.String("classes", "S,W,A", "the classes of the problems")
	pairs := flag.Int("pairs", 7, "pairs of a UPC run and an MPI run")
	only := flag.String("only", "", "measure only programs whose name matches this `regexp`, and write nothing")
	threads := flag.String("threads", "1,2,4", "numbers of threads")
	mpi := flag.String("mpi", "openmpi", "the MPI library: openmpi or mpich")
	limit := flag.Duration("limit", 25*time.Minute, "start nothing new after this time")
	flag.Parse()
	quiet.Main("bench/upc", func(ctx context.Context) error {
		b := &bench{ctx: ctx, classes: strings.Split(*classes, ","), pairs: *pairs, mpi: *mpi,
			deadline: time.Now().Add(*limit)}
		return b.run(*only, *threads)
	})
}

type bench struct {
	ctx      context.Context
	classes  []string
	mpi      string
	pairs    int
	dir      string
	deadline time.Time
	// quiet and busy are the least and the greatest load average of the machine before a measurement.
	quiet, busy float64
}

// row is what was measured of a program with a number of threads: medians of the times and of the ratios, and the ratio
// of the fastest runs, which others on the machine have disturbed the least.
type row struct {
	kernel
	class           string
	threads         int
	upc, mpi, ratio float64
	fastest         float64
	stolen          float64 // the largest share of the processors' time in a pair that a hypervisor gave to others
}

func (b *bench) run(only, threads string) error {
	wanted, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	b.dir, err = os.MkdirTemp("", "bench-upc")
	if err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	unknot := filepath.Join(b.dir, "unknot")
	if err := quiet.Do(b.ctx, "go", "build", "-o", unknot, "./cmd/unknot"); err != nil {
		return err
	}
	var wantedKernels []kernel
	for _, k := range kernels() {
		if !wanted.MatchString(k.name) {
			continue
		}
		source := filepath.Join("bench/upc/programs", k.name)
		if err := quiet.Do(b.ctx, unknot, "upcc", "--mpicc", "mpicc."+b.mpi, "-O2", "-o",
			filepath.Join(b.dir, k.name+".upc"), source+".upc", "-lm"); err != nil {
			return err
		}
		if err := quiet.Do(b.ctx, "mpicc."+b.mpi, "-std=gnu11", "-O2", "-o", filepath.Join(b.dir, k.name+".mpi"),
			source+".c", "-lm"); err != nil {
			return err
		}
		wantedKernels = append(wantedKernels, k)
	}
	rows, failed := b.rows(wantedKernels, threads)
	if only == "" {
		failed = append(failed, os.WriteFile("bench/UPC.md", b.document(rows), 0o644))
	}
	return errors.Join(failed...)
}

// rows measures the programs in every class with all numbers of threads, until the time is over.
func (b *bench) rows(programs []kernel, threads string) (rows []row, failed []error) {
	for _, class := range b.classes {
		for _, k := range programs {
			for _, word := range strings.Split(threads, ",") {
				n, err := strconv.Atoi(word)
				if err != nil {
					return rows, append(failed, err)
				}
				if time.Now().After(b.deadline) {
					fmt.Fprintf(os.Stderr, "%s, class %s, with %d threads: no time left\n", k.name, class, n)
					continue
				}
				r, err := b.measure(k, class, n)
				if err != nil {
					failed = append(failed, err)
					continue
				}
				fmt.Printf("%-8s %s %d threads: UPC %.4f s, MPI %.4f s, ratio %.3f, of the fastest %.3f\n", k.name,
					class, n, r.upc, r.mpi, r.ratio, r.fastest)
				rows = append(rows, r)
			}
		}
	}
	return rows, failed
}

// look notes the load average of the machine: where it is far above the number of processors, other work was measured
// too.
func (b *bench) look() {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return
	}
	word, _, _ := strings.Cut(string(text), " ")
	load, err := strconv.ParseFloat(word, 64)
	if err != nil {
		return
	}
	if b.busy == 0 || load < b.quiet {
		b.quiet = load
	}
	b.busy = max(b.busy, load)
}

// once runs a program and gives the time that it says. A result that is not verified is an error.
func (b *bench) once(program, class string, threads int) (float64, error) {
	ctx, cancel := context.WithTimeout(b.ctx, 5*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, "mpirun."+b.mpi, "-n", strconv.Itoa(threads), filepath.Join(b.dir, program),
		class)
	command.Env = append(os.Environ(), "UPC_SHARED_HEAP_SIZE=1G")
	out, err := command.CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("%s with %d threads: %w\n%s", program, threads, err, out)
	}
	found := regexp.MustCompile(`seconds=(\S+) verified`).FindSubmatch(out)
	if found == nil {
		return 0, fmt.Errorf("%s with %d threads: not verified\n%s", program, threads, out)
	}
	return strconv.ParseFloat(string(found[1]), 64)
}

// document is bench/UPC.md.
func (b *bench) document(rows []row) []byte {
	var d strings.Builder
	fmt.Fprintf(&d, "# UPC against MPI\n\nWritten by `go run ./bench/upc`; do not edit. %s, %d processors, %s. Times "+
		"are medians of %d runs, the ratio is the\n"+
		"median of the ratios of neighbouring runs, and beside it that of the fastest runs. THREADS is dynamic. More "+
		"threads than processors say how waiting behaves.\n"+
		"The load average of the machine was %.1f to %.1f meanwhile. Pairs of runs are made until %d of them had "+
		"more than %.0f %% of the\n"+
		"processors' time to themselves, %d at most, and the least disturbed ones count; \"stolen\" is the largest "+
		"share that the hypervisor gave to others in one.\n\n",
		b.mpi, runtime.NumCPU(), time.Now().Format("2 January 2006"), b.pairs, b.quiet, b.busy, b.pairs,
		100*(1-quiet.Disturbed), quiet.Patience*b.pairs)
	d.WriteString("| program | what | class | threads | UPC | MPI | UPC / MPI | fastest | stolen | promised " +
		"|\n|---|---|---|---|---|---|---|---|---|---|\n")
	for _, r := range rows {
		promised := "at most " + strconv.FormatFloat(r.limit, 'f', 2, 64)
		if r.ratio > r.limit {
			promised += ": **missed**"
		}
		fmt.Fprintf(&d, "| %s | %s | %s | %d | %.4f s | %.4f s | %.2f | %.2f | %.0f %% | %s |\n", r.name, r.what,
			r.class, r.threads, r.upc, r.mpi, r.ratio, r.fastest, 100*r.stolen, promised)
	}
	return []byte(d.String())
}
