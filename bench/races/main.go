// Command races measures what the detection of data races costs UPC programs and what it finds, beside UPC-Thrille's
// paper, and writes sections of docs/papers/upc-thrille.md: one for each -table. Runs with each sampling take turns with
// runs without any. It must be started in the repository's root, as go run ./bench/races.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"

	"unknot/bench/quiet"
	"unknot/bench/section"
)

const document = "docs/papers/upc-thrille.md"

func main() {
	name := flag.String("table", "cost", "what is measured: cost, published, scaling, breakdown, choices or oddities")
	chosen := flag.String("classes", "", "the classes of the problems, such as S,W (default: as usual for the table)")
	threads := flag.String("threads", "", "numbers of threads (default: as usual for the table)")
	pairs := flag.Int("pairs", 3, "pairs of runs where a ratio is a median")
	seeds := flag.Int("seeds", 5, "runs with different seeds of the table of choices")
	mpi := flag.String("mpi", "openmpi", "the MPI library: openmpi or mpich")
	limit := flag.Duration("limit", 30*time.Minute, "start no new row after this time")
	only := flag.String("only", "", "measure only rows whose first column matches this `regexp`")
	flag.Parse()
	quiet.Main("bench/races", func(ctx context.Context) error {
		wanted, err := regexp.Compile(*only)
		if err != nil {
			return err
		}
		b := &bench{ctx: ctx, mpi: *mpi, pairs: *pairs, seeds: *seeds, deadline: time.Now().Add(*limit), wanted: wanted,
			watch:    quiet.Start(),
			compiled: make(map[string]bool)}
		if *chosen != "" {
			b.classes = strings.Split(*chosen, ",")
		}
		if *threads != "" {
			if b.threads, err = quiet.Numbers(*threads); err != nil {
				return err
			}
		}
		return b.run(*name)
	})
}

// bench is what is measured how.
type bench struct {
	ctx          context.Context
	mpi          string
	pairs, seeds int
	classes      []string // nil: those of the table
	threads      []int    // nil: those of the table
	dir, unknot  string
	deadline     time.Time
	wanted       *regexp.Regexp
	watch        quiet.Watch
	compiled     map[string]bool
}

// run measures a table.
func (b *bench) run(name string) (err error) {
	tables := map[string]func(*bench) *table{"cost": cost, "published": published, "scaling": scaling,
		"breakdown": breakdown, "choices": choices, "oddities": oddities}
	of := tables[name]
	if of == nil {
		return fmt.Errorf("-table %s: there is no such table", name)
	}
	if b.dir, err = os.MkdirTemp("", "unknot-races-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	if b.unknot, err = quiet.Unknot(b.ctx, b.dir); err != nil {
		return err
	}
	t := of(b)
	text, err := os.ReadFile(document)
	if err != nil {
		return err
	}
	_, old, _ := section.Cut(string(text), t.heading)
	t.keep(old)
	var failed []error
	measured := false
	for _, r := range t.newFirst() {
		if !b.wanted.MatchString(r.key[0]) || b.ctx.Err() != nil {
			continue
		}
		if time.Now().After(b.deadline) {
			fmt.Fprintf(os.Stderr, "%s: no time left\n", strings.Join(r.key, ", "))
			continue
		}
		cells, err := r.measure()
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", strings.Join(r.key, ", "), err))
			continue
		}
		measured = true
		fmt.Println(t.put(r.key, cells))
	}
	if measured {
		failed = append(failed, section.Replace(document, t.heading, t.text(b.watch.Caption("races"))))
	}
	return errors.Join(failed...)
}

// classesOr and threadsOr are what the user has chosen, or what is usual.
func (b *bench) classesOr(usual ...string) []string {
	if b.classes != nil {
		return b.classes
	}
	return usual
}

func (b *bench) threadsOr(usual ...int) []int {
	if b.threads != nil {
		return b.threads
	}
	return usual
}
