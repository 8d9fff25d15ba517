package main

import (
	"errors"
	"fmt"
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
	program, class string
	threads, pairs int
	plain, checked float64
	median, stolen float64
}

// ratio is how many times longer the program takes with checks.
func (s slowdown) ratio() float64 { return s.checked / s.plain }

// slowdowns measures the programs in every class with all numbers of threads, until the time is over.
func (b *bench) slowdowns() ([]slowdown, error) {
	var all []slowdown
	var failed []error
	for _, name := range b.programs {
		source := filepath.Join("bench/upc/programs", name+".upc")
		err := errors.Join(b.compile("upcc", name+".plain", source, "-lm"), b.compile("upc-check", name+".checked",
			source, "-lm"))
		if err != nil {
			return nil, err
		}
	}
	for _, class := range b.classes {
		for _, name := range b.programs {
			for _, n := range b.threads {
				if time.Now().After(b.deadline) {
					fmt.Fprintf(os.Stderr, "%s, class %s, with %d threads: no time left\n", name, class, n)
					continue
				}
				s, err := b.compare(name, class, n)
				if err != nil {
					failed = append(failed, err)
					continue
				}
				fmt.Printf("%s %s %d threads: %.4f s, with checks %.4f s, ratio %.3f, median %.3f\n", name, class, n,
					s.plain, s.checked, s.ratio(), s.median)
				all = append(all, s)
			}
		}
	}
	return all, errors.Join(failed...)
}

// short is the length of a run, in seconds, below which there are more pairs.
const short = 0.2

// compare runs a program without and with checks in turn. Which of them comes first changes from pair to pair.
func (b *bench) compare(name, class string, threads int) (slowdown, error) {
	s := slowdown{program: name, class: class, threads: threads, pairs: b.pairs}
	first, err := b.timed(name+".plain", class, threads)
	if err != nil {
		return s, err
	}
	if first < short {
		s.pairs *= 13
	}
	nth := 0
	pairs, stolen, err := quiet.Runs(s.pairs, func() (times [2]float64, err error) {
		nth++
		for k := range 2 {
			which := (nth + k) % 2
			if times[which], err = b.timed(name+[]string{".plain", ".checked"}[which], class, threads); err != nil {
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
	s.plain, s.checked, s.median, s.stolen = quarter(times[0]), quarter(times[1]), median(ratios), stolen
	return s, nil
}

var seconds = regexp.MustCompile(`seconds=(\S+) verified`)

// timed runs a program and gives the time that it says. A result that is not verified is an error.
func (b *bench) timed(program, class string, threads int) (float64, error) {
	out, err := b.launch(program, threads, class)
	if err != nil {
		return 0, err
	}
	found := seconds.FindSubmatch(out)
	if found == nil {
		return 0, fmt.Errorf("%s, class %s, with %d threads: not verified\n%s", program, class, threads, out)
	}
	return strconv.ParseFloat(string(found[1]), 64)
}

// quarter is the time that a quarter of the runs do not exceed: the fastest of up to three.
func quarter(list []float64) float64 {
	list = slices.Clone(list)
	slices.Sort(list)
	return list[(len(list)-1)/4]
}

func median(list []float64) float64 {
	list = slices.Clone(list)
	slices.Sort(list)
	return (list[(len(list)-1)/2] + list[len(list)/2]) / 2
}
