// Command attach runs generated programs that hang, nothing prepared, and counts what can be seen of them from outside:
//
//	go run ./bench/attach -from 0 -n 300 -library openmpi
//
// With -ways it runs each program three ways, under `unknot run`, with the recorder and plain, looks at the latter two
// with `unknot attach`, and compares what is said.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"unknot/internal/kit/symbol"
	"unknot/internal/test/testkit/hangs"
	"unknot/internal/test/testkit/hangs/outside"
	"unknot/internal/vocab/mpi"
)

func main() {
	from := flag.Uint64("from", 0, "the first seed")
	n := flag.Uint64("n", 165, "how many programs")
	library := flag.String("library", "mpich", "the MPI library: openmpi or mpich")
	jobs := flag.Int("j", 2, "how many jobs run at the same time")
	verbose := flag.Bool("v", false, "list what is not known, too")
	ways := flag.Bool("ways", false, "compare what run, record with attach, and attach alone say")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	do := run
	if *ways {
		do = runWays
	}
	if err := do(ctx, *from, *n, *library, *jobs, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "attach:", err)
		os.Exit(1)
	}
}

// result is what was seen of a program.
type result struct {
	program *hangs.Program
	rows    []outside.Row
	err     error
}

func run(ctx context.Context, from, n uint64, library string, jobs int, verbose bool) error {
	table, err := mpi.Load()
	if err != nil {
		return err
	}
	t := newTable(verbose)
	each(ctx, from, n, jobs, func(seed uint64) result {
		resolver := symbol.New()
		defer resolver.Close()
		return one(ctx, &outside.Looker{Resolver: resolver, Table: table}, hangs.Generate(seed), library)
	}, t.add)
	t.print(os.Stdout, library)
	return ctx.Err()
}

// each does the work of n seeds, some at the same time, and gives the results to take one after the other.
func each[R any](ctx context.Context, from, n uint64, jobs int, work func(seed uint64) R, take func(R)) {
	seeds, results := make(chan uint64), make(chan R)
	var working sync.WaitGroup
	for range jobs {
		working.Go(func() {
			for seed := range seeds {
				results <- work(seed)
			}
		})
	}
	go func() {
		for seed := from; seed < from+n && ctx.Err() == nil; seed++ {
			seeds <- seed
		}
		close(seeds)
		working.Wait()
		close(results)
	}()
	for r := range results {
		take(r)
	}
}

func one(ctx context.Context, l *outside.Looker, p *hangs.Program, library string) result {
	dir, err := os.MkdirTemp("", "unknot-hang")
	if err != nil {
		return result{p, nil, err}
	}
	defer os.RemoveAll(dir)
	const most = time.Minute
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	rows, err := l.Run(ctx, p, library, dir)
	return result{p, rows, err}
}
