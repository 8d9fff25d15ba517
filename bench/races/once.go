package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"unknot/bench/quiet"
	"unknot/internal/vocab/finding"
)

// The forms of a program: without --check=race, with it, and so without one of its barriers.
const plain, watched, broken = "plain", "race", "broken"

// compile makes a form of a program, once.
func (b *bench) compile(k kernel, form string) (program string, err error) {
	program = filepath.Join(b.dir, k.name+"."+form)
	if b.compiled[program] {
		return program, nil
	}
	source := filepath.Join("bench/upc/programs", k.name+".upc")
	args := []string{"upcc", "--mpicc", "mpicc." + b.mpi, "-O3", "-Ibench/upc/programs", "-o", program}
	args = append(args, quiet.Aligned()...)
	if form != plain {
		args = append(args, "--check=race")
	}
	if form == broken {
		if source, err = b.withoutBarrier(source, k); err != nil {
			return program, err
		}
	}
	err = quiet.Do(b.ctx, b.unknot, append(args, source, "-lm")...)
	b.compiled[program] = err == nil
	return program, err
}

// withoutBarrier writes a program without one of its barriers.
func (b *bench) withoutBarrier(source string, k kernel) (string, error) {
	text, err := os.ReadFile(source)
	if err != nil {
		return "", err
	}
	const barrier = "upc_barrier;"
	at := 0
	for range k.barrier {
		i := bytes.Index(text[at:], []byte(barrier))
		if i < 0 {
			return "", fmt.Errorf("%s has no barrier %d", source, k.barrier)
		}
		at += i + len(barrier)
	}
	changed := filepath.Join(b.dir, k.name+".upc")
	return changed, os.WriteFile(changed, slices.Concat(text[:at-len(barrier)], []byte(";"), text[at:]), 0o600)
}

// how a program is run. Sampling is "" if it is not watched.
type how struct {
	form, class, sampling string
	threads               int
	seed                  int
	slowdown              string // "" for none
	confirm               bool
	limit                 time.Duration // 0 for an hour
}

// result is what a run took and what came of it.
type result struct {
	took, processor   float64 // seconds, of everything from start to end
	own               float64 // seconds of processor time of unknot itself, which compares
	records, accesses int
	races             map[string]bool // by pairs of places; whether it is confirmed
}

// once runs a program.
func (b *bench) once(k kernel, h how) (r result, err error) {
	program, err := b.compile(k, h.form)
	if err != nil {
		return r, err
	}
	if h.limit == 0 {
		h.limit = time.Hour
	}
	ctx, cancel := context.WithTimeout(b.ctx, h.limit)
	defer cancel()
	report := filepath.Join(b.dir, "report.json")
	args := []string{"upcrun", "-n", strconv.Itoa(h.threads), program, h.class}
	if h.sampling != "" {
		_ = os.Remove(report) // of an earlier run
		run := []string{"run", "--quiet", "--json", report, "--log=races", "--race-sampling", h.sampling, "--race-seed",
			strconv.Itoa(h.seed)}
		if h.slowdown != "" {
			run = append(run, "--slowdown", h.slowdown)
		}
		if h.confirm {
			run = append(run, "--confirm")
		}
		args = slices.Concat(run, []string{b.unknot}, args)
	}
	command := exec.CommandContext(ctx, b.unknot, args...)
	command.Env = append(append(os.Environ(), quiet.Jobs()...), "UPC_SHARED_HEAP_SIZE=1G")
	command.Cancel = func() error { return command.Process.Signal(syscall.SIGTERM) }
	command.WaitDelay = 20 * time.Second
	start := time.Now()
	out, err := command.CombinedOutput()
	r.took = time.Since(start).Seconds()
	r.processor = (command.ProcessState.UserTime() + command.ProcessState.SystemTime()).Seconds()
	if h.sampling != "" {
		r.read(report, out)
	}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return r, ctx.Err()
	case errors.As(err, &exit) && (len(r.races) > 0 || h.form == broken): // which may crash of its race
		err = nil
	}
	if err == nil && h.form != broken && !bytes.Contains(out, []byte(" verified")) {
		err = errors.New("not verified")
	}
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return r, err
}

// read takes what unknot has reported and logged.
func (r *result) read(report string, out []byte) {
	r.races = make(map[string]bool)
	var run finding.Run
	if text, err := os.ReadFile(report); err == nil && json.Unmarshal(text, &run) == nil {
		for _, f := range run.Findings {
			if f.Code == finding.UPCRace {
				r.races[placesOf(&f)] = f.Standing == finding.Confirmed
			}
		}
	}
	if i := bytes.Index(out, []byte("unknot: races: ")); i >= 0 {
		_, _ = fmt.Sscanf(string(out[i:]), "unknot: races: %d records of %d accesses were compared; %f s", &r.records,
			&r.accesses, &r.own)
	}
}

// placesOf is what tells a race from others: its two places.
func placesOf(f *finding.Finding) string {
	var places []string
	for _, p := range f.Places {
		places = append(places, fmt.Sprintf("%s:%d", filepath.Base(p.File), p.Line))
	}
	slices.Sort(places)
	if f.Meeting != nil {
		places = append(places, fmt.Sprint(f.Meeting.Sites))
	}
	return strings.Join(places, " ")
}

// pair is a watched run and the plain one before it.
type pair struct{ base, with result }

func (p pair) ratio() float64 { return p.with.took / p.base.took }

func (p pair) processor() float64 { return p.with.processor / p.base.processor }

// pair runs a program plain and then as it says.
func (b *bench) pair(k kernel, h how) (p pair, err error) {
	base := h
	base.form, base.sampling, base.slowdown, base.limit = plain, "", "", 0
	if p.base, err = b.once(k, base); err != nil {
		return p, err
	}
	p.with, err = b.once(k, h)
	return p, err
}

// again makes further pairs until there are n, or all took as long as is patient.
func (b *bench) again(first pair, n int, k kernel, h how) (all []pair, err error) {
	const patient = 40 // seconds
	all = []pair{first}
	for spent := first.base.took + first.with.took; len(all) < n && spent < patient; {
		more, _, err := quiet.Runs(1, func() (pair, error) { return b.pair(k, h) })
		if err != nil {
			return all, err
		}
		all = append(all, more...)
		spent += more[0].base.took + more[0].with.took
	}
	return all, nil
}
