// Command attach runs generated programs that hang, nothing prepared, and counts what can be seen of them from outside:
//
//	go run ./bench/attach -from 0 -n 300 -library openmpi
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"sync"
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
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *from, *n, *library, *jobs, *verbose); err != nil {
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
	seeds, results := make(chan uint64), make(chan result)
	var working sync.WaitGroup
	for range jobs {
		working.Go(func() {
			resolver := symbol.New()
			defer resolver.Close()
			for seed := range seeds {
				results <- one(ctx, &outside.Looker{Resolver: resolver, Table: table}, hangs.Generate(seed), library)
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
	t := newTable(verbose)
	for r := range results {
		t.add(r)
	}
	t.print(os.Stdout, library)
	return ctx.Err()
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
