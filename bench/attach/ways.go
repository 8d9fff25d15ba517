package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"unknot/bench/quiet"
	"unknot/internal/test/testkit/hangs"
	"unknot/internal/test/testkit/hangs/verdict"
)

// runWays runs programs three ways, and counts what is said of them.
func runWays(ctx context.Context, from, n uint64, library string, jobs int, verbose bool) error {
	dir, err := os.MkdirTemp("", "unknot-bench-attach-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	unknot, err := quiet.Unknot(ctx, dir)
	if err != nil {
		return err
	}
	runner := &verdict.Runner{Unknot: unknot, Most: 2 * time.Minute}
	t := &ways{verbose: verbose, groups: make(map[string]*says)}
	each(ctx, from, n, jobs, func(seed uint64) verdicts {
		p := hangs.Generate(seed)
		at := filepath.Join(dir, fmt.Sprint(seed))
		if err := os.Mkdir(at, 0o755); err != nil {
			return verdicts{p, nil, err}
		}
		defer os.RemoveAll(at)
		list, err := runner.All(ctx, p, library, at)
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return verdicts{p, list, err}
	}, t.add)
	t.print(os.Stdout, library)
	return ctx.Err()
}

// verdicts are those of a program, in the order of verdict.Ways.
type verdicts struct {
	program *hangs.Program
	list    []verdict.Verdict
	err     error
}

// says counts what is said of programs.
type says struct {
	programs, equal int // equal: the recorded run's verdict and core are those of run
	proved          [3]int
	untrue          [3]int
}

type ways struct {
	verbose bool
	failed  int
	groups  map[string]*says
}

func (t *ways) add(v verdicts) {
	if v.err != nil {
		t.failed++
		fmt.Fprintln(os.Stderr, v.err)
		return
	}
	p := v.program
	equal := v.list[0].Same(v.list[1])
	for _, name := range []string{"all", p.Family} {
		g := t.groups[name]
		if g == nil {
			g = new(says)
			t.groups[name] = g
		}
		g.programs++
		if equal {
			g.equal++
		}
		for i := range v.list {
			if v.list[i].Word == verdict.Proved {
				g.proved[i]++
			}
			if len(v.list[i].False) > 0 {
				g.untrue[i]++
			}
		}
	}
	what := fmt.Sprintf("seed %d, %s, %s %s", p.Seed, p.Family, p.Language, strings.Join(p.Options, " "))
	for i, way := range verdict.Ways {
		if untrue := v.list[i].False; len(untrue) > 0 {
			fmt.Printf("untrue: %s, %s: %s\n", what, way, strings.Join(untrue, "; "))
		}
	}
	if !equal || t.verbose {
		fmt.Printf("%s: run: %s; recorded: %s; plain: %s\n", what, v.list[0], v.list[1], v.list[2])
	}
}

func (t *ways) print(to io.Writer, library string) {
	w := tabwriter.NewWriter(to, 0, 8, 1, ' ', 0)
	fmt.Fprintf(w, "| %s\t| programs\t| proved by run\t| recorded, attach\t| equal to run\t| plain, attach\t| untrue\t|\n",
		library)
	fmt.Fprint(w, "|---\t|--:\t|--:\t|--:\t|--:\t|--:\t|--:\t|\n")
	for _, name := range slices.Sorted(maps.Keys(t.groups)) {
		g := t.groups[name]
		untrue := g.untrue[0] + g.untrue[1] + g.untrue[2]
		fmt.Fprintf(w, "| %s\t| %d\t| %d\t| %d\t| %d (%.1f %%)\t| %d (%.1f %%)\t| %d\t|\n", name, g.programs, g.proved[0],
			g.proved[1], g.equal, g.percent(g.equal), g.proved[2], g.percent(g.proved[2]), untrue)
	}
	w.Flush()
	fmt.Fprintf(to, "%d programs could not be run\n", t.failed)
}

func (g *says) percent(n int) float64 { return 100 * float64(n) / float64(g.programs) }
