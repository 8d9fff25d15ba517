package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"time"

	"unknot/bench/quiet"
)

// slowdown is what was measured of a program: the seconds that a quarter of the runs do not exceed, the median of the
// ratios of neighbouring runs, and the share of the processors' time that the most disturbed pair lacked.
type slowdown struct {
	problem
	pairs          int
	plain, checked float64
	median, stolen float64
	day            string // when it was measured
}

// problem is a program in a class with a number of threads.
type problem struct {
	program, class string
	threads        int
}

// fastest is how many times longer the faster runs take with checks.
func (s slowdown) fastest() float64 { return s.checked / s.plain }

// problems are those to be measured: in classes A and B the programs of table 2.2, in class B with two threads, and CG
// and IS with the numbers of threads of tables 3.1 and 3.2 that are not too many for one machine.
func (b *bench) problems() (all []problem) {
	for _, class := range b.classes {
		for _, name := range b.names {
			threads := b.threads
			if class >= "A" && class <= "B" && published[name+" S"] == 0 && published[name+" B"] == 0 {
				continue
			}
			if class == "B" {
				threads = threads[:1]
				if name == "cg" || name == "is" {
					threads = []int{threads[0], 16, 32, 64}
				}
			}
			for _, n := range threads {
				all = append(all, problem{name, class, n})
			}
		}
	}
	return all
}

// programs measures whole programs until the time is over, and writes the table after each.
func (b *bench) programs() error {
	watch := quiet.Start()
	rows, err := keptRows()
	if err != nil {
		return err
	}
	for _, name := range b.names {
		source := filepath.Join("bench/upc/programs", name+".upc")
		err := errors.Join(b.compile("upcc", name+".plain", source, "-lm"), b.compile("upc-check", name+".checked",
			source, "-lm"))
		if err != nil {
			return err
		}
	}
	var failed []error
	for _, p := range b.problems() {
		if time.Now().After(b.deadline) {
			fmt.Fprintf(os.Stderr, "%s, class %s, with %d threads: no time left\n", p.program, p.class, p.threads)
			continue
		}
		s, err := b.compare(p)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		fmt.Printf("%s %s %d threads: %.4f s, with checks %.4f s, ratio %.3f, fastest %.3f\n", s.program, s.class,
			s.threads, s.plain, s.checked, s.median, s.fastest())
		rows[p] = s
		if err := writeRows(watch, rows); err != nil {
			return err
		}
	}
	return errors.Join(failed...)
}

// Of the pairs of a row there are at least and at most so many.
const leastPairs, mostPairs = 3, 39

// compare runs a program without and with checks in turn. Which of them comes first changes from pair to pair.
func (b *bench) compare(p problem) (slowdown, error) {
	s := slowdown{problem: p, day: quiet.Day()}
	start := time.Now()
	if _, err := b.timed(p.program+".plain", p); err != nil {
		return s, err
	}
	fitting := b.each.Seconds() / (2 * time.Since(start).Seconds())
	s.pairs = int(math.Max(leastPairs, math.Min(mostPairs, fitting)))
	nth := 0
	pairs, stolen, err := quiet.Runs(s.pairs, func() (times [2]float64, err error) {
		nth++
		for k := range 2 {
			which := (nth + k) % 2
			if times[which], err = b.timed(p.program+[]string{".plain", ".checked"}[which], p); err != nil {
				break
			}
		}
		return times, err
	})
	if err != nil {
		return s, err
	}
	var times [2][]float64
	var ratios []float64
	for _, p := range pairs {
		times[0], times[1], ratios = append(times[0], p[0]), append(times[1], p[1]), append(ratios, p[1]/p[0])
	}
	s.plain, s.checked, s.median, s.stolen = quarter(times[0]), quarter(times[1]), quiet.Median(ratios), stolen
	return s, nil
}

var seconds = regexp.MustCompile(`seconds=(\S+) verified`)

// timed runs a program and gives the time that it says. A result that is not verified is an error.
func (b *bench) timed(program string, p problem) (float64, error) {
	out, err := b.launch(program, p.threads, p.class)
	if err != nil {
		return 0, err
	}
	found := seconds.FindSubmatch(out)
	if found == nil {
		return 0, fmt.Errorf("%s, class %s, with %d threads: not verified\n%s", program, p.class, p.threads, out)
	}
	return strconv.ParseFloat(string(found[1]), 64)
}

// quarter is the time that a quarter of the runs do not exceed: the fastest of up to three.
func quarter(list []float64) float64 {
	list = slices.Clone(list)
	slices.Sort(list)
	return list[(len(list)-1)/4]
}
