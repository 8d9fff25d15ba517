// Command bench measures what unknot costs, plain against watched in the same run, and writes bench/RESULTS.md. Every
// number there is made here; `make bench` calls it. It must be started in the repository's root.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"unknot/bench/quiet"
	part "unknot/bench/section"
)

// usual is the time that a whole run may take.
const usual = 28 * time.Minute

func main() {
	unknot := flag.String("unknot", "bin/unknot", "the tool")
	out := flag.String("o", "bench/RESULTS.md", "the file to write")
	only := flag.String("only", "", "measure only sections whose name matches this `regexp`, and keep the other rows "+
		"of the file")
	pairs := flag.Int("pairs", 7, "pairs of a plain and a watched run")
	limit := flag.Duration("limit", usual, "start nothing new after this time")
	flag.Parse()
	quiet.Main("bench", func(ctx context.Context) error {
		return run(ctx, *unknot, *out, *only, *pairs, *limit)
	})
}

// bench is what all sections need.
type bench struct {
	ctx      context.Context
	unknot   string
	dir      string // compiled workloads: DIR/MPI/name
	pairs    int
	deadline time.Time
	share    float64 // of the time that cases may take when nothing hurries
	mpis     []mpi
}

// section measures one budget, or several that belong together.
type section struct {
	name    string
	measure func(*bench) []row
}

func sections() []section {
	return []section{
		{"record", (*bench).record},
		{"agent", (*bench).agent},
		{"check", (*bench).check},
		{"start", (*bench).start},
		{"kernels", (*bench).kernels},
		{"one-sided", (*bench).oneSided},
		{"exchange", (*bench).exchange},
		{"threads", (*bench).threads},
		{"history", (*bench).history},
		{"latency", (*bench).latency},
		{"memory", (*bench).memory},
		{"hosts", (*bench).hosts},
		{"scale", (*bench).scale},
	}
}

func run(ctx context.Context, unknot, out, only string, pairs int, limit time.Duration) error {
	pick, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	unknot, err = filepath.Abs(unknot)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "unknot-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b := &bench{ctx: ctx, unknot: unknot, dir: dir, pairs: pairs, deadline: time.Now().Add(limit),
		share: min(1, limit.Seconds()/usual.Seconds()),
		mpis:  []mpi{{name: "Open MPI", suffix: "openmpi"}, {name: "MPICH", suffix: "mpich"}}}
	if err := b.build(); err != nil {
		return err
	}
	m := describe(b.mpis)
	var rows []row
	for _, s := range sections() {
		if !pick.MatchString(s.name) {
			continue
		}
		fmt.Fprintf(os.Stderr, "bench: %s\n", s.name)
		for _, r := range s.measure(b) {
			if r.err != nil {
				r.figure, r.detail = "", ""
			}
			fmt.Fprintf(os.Stderr, "bench:   %s: %s %s\n", r.what, r.figure, r.verdict())
			rows = append(rows, r)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	m.finish()
	var before *results
	if only != "" {
		if before, err = earlier(out); err != nil {
			return err
		}
	}
	if err := write(out, text(m, rows, pairs, before)); err != nil {
		return err
	}
	failed := 0
	for _, r := range rows {
		if r.err != nil && !errors.Is(r.err, errTime) {
			failed++
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d cases could not be measured; hint: %s names them", failed, len(rows), out)
	}
	return nil
}

// write writes the file, except for the sections that others write.
func write(path, own string) error {
	data, _ := os.ReadFile(path) // there may be none yet
	if _, others := part.Own(string(data)); others != "" {
		own += "\n" + others
	}
	return os.WriteFile(path, []byte(own), 0o644)
}
