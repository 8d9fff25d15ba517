// Command explore counts the executions of unknot explore for the programs of Table 1 of MSPOE and for others, and
// writes docs/papers/mspoe.md. Rows that it does not measure stay as they are. It must be started in the repository's
// root, as go run ./bench/explore.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"unknot/bench/quiet"
)

func main() {
	limit := flag.Duration("limit", 40*time.Minute, "start nothing new after this time")
	only := flag.String("only", "", "measure only rows whose name, as \"gauss infinite 4\", matches this `regexp`")
	longest := flag.Duration("longest", 2*time.Minute, "end explorations after this time, and leave out "+
		"rows that need more if the page has them, unless -only is given")
	most := flag.Duration("most", 0, "let each exploration take this time instead of that of its row")
	mpi := flag.String("mpi", "mpich", "the MPI library: openmpi or mpich")
	flag.Parse()
	quiet.Main("bench/explore", func(ctx context.Context) error {
		pick, err := regexp.Compile(*only)
		if err != nil {
			return err
		}
		b := &bench{ctx: ctx, mpi: *mpi, only: pick, longest: *longest, most: *most, deadline: time.Now().Add(*limit)}
		return b.run()
	})
}

// bench is a measurement.
type bench struct {
	ctx           context.Context
	mpi           string
	only          *regexp.Regexp
	longest, most time.Duration
	deadline      time.Time
	dir, unknot   string
}

// run measures the rows of each section, and writes it.
func (b *bench) run() error {
	dir, err := os.MkdirTemp("", "unknot-explore-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b.dir = dir
	for _, name := range quiet.Jobs() {
		key, value, _ := strings.Cut(name, "=")
		if err := os.Setenv(key, value); err != nil {
			return err
		}
	}
	if b.unknot, err = quiet.Unknot(b.ctx, dir); err != nil {
		return err
	}
	var failed []error
	for _, s := range sections() {
		failed = append(failed, b.section(s))
		if b.ctx.Err() != nil {
			return b.ctx.Err()
		}
	}
	if b.only.MatchString("rate") && time.Now().Before(b.deadline) {
		failed = append(failed, b.rates())
	}
	return errors.Join(failed...)
}

// section measures rows, and writes the section after each.
func (b *bench) section(s section) error {
	watch := quiet.Start()
	lines := make(map[string]string)
	have, err := s.earlier(document)
	failed := []error{err}
	for _, r := range s.rows {
		if b.ctx.Err() != nil || !b.only.MatchString(r.name()) || time.Now().After(b.deadline) ||
			b.only.String() == "" && r.most() > b.longest && have(&r) != "" {
			continue
		}
		line, err := b.row(r)
		if b.ctx.Err() != nil { // an exploration that was cut short says less than it seems
			return b.ctx.Err()
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", r.name(), err))
		}
		if line == "" {
			continue
		}
		fmt.Println("explore:", line)
		lines[r.key()] = line
		if err := s.write(document, lines, watch.Caption("explore")); err != nil {
			return err
		}
	}
	return errors.Join(failed...)
}

// compile compiles a program of bench/explore/programs.
func (b *bench) compile(name string) (string, error) {
	program := filepath.Join(b.dir, name)
	return program, quiet.Do(b.ctx, "mpicc."+b.mpi, "-std=gnu11", "-g", "-O2", "-Wall", "-Wextra", "-Werror", "-o",
		program, filepath.Join("bench/explore/programs", name+".c"), "-lm")
}
