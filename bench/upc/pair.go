package main

import (
	"cmp"
	"os"
	"slices"
	"strconv"
	"strings"
)

// A pair of runs is disturbed if a hypervisor gave more than this share of the processors' time to others meanwhile: whoever waits for
// others in a barrier then waits for the hypervisor. For an undisturbed pair, up to patience pairs are run.
const (
	disturbed = 0.02
	patience  = 3
)

// pair is a run of a program in UPC, and one of the same in MPI right after it.
type pair struct {
	upc, mpi float64 // seconds
	stolen   float64 // share of the processors' time
}

// measure runs pairs of a program, and keeps the least disturbed.
func (b *bench) measure(k kernel, class string, threads int) (row, error) {
	b.look()
	var all []pair
	for good := 0; good < b.pairs && len(all) < patience*b.pairs; {
		p, err := b.pair(k, class, threads)
		if err != nil {
			return row{}, err
		}
		if all = append(all, p); p.stolen <= disturbed {
			good++
		}
	}
	slices.SortStableFunc(all, func(p, q pair) int { return cmp.Compare(p.stolen, q.stolen) })
	all = all[:b.pairs]
	var upc, mpi, ratios []float64
	for _, p := range all {
		upc, mpi, ratios = append(upc, p.upc), append(mpi, p.mpi), append(ratios, p.upc/p.mpi)
	}
	return row{k, class, threads, median(upc), median(mpi), median(ratios), slices.Min(upc) / slices.Min(mpi), all[b.pairs-1].stolen}, nil
}

func (b *bench) pair(k kernel, class string, threads int) (p pair, err error) {
	stolen, ticks := processorTime()
	if p.upc, err = b.once(k.name+".upc", class, threads); err != nil {
		return p, err
	}
	if p.mpi, err = b.once(k.name+".mpi", class, threads); err != nil {
		return p, err
	}
	stolen2, ticks2 := processorTime()
	p.stolen = (stolen2 - stolen) / max(ticks2-ticks, 1)
	return p, nil
}

// processorTime is the processor time since the machine started: what a hypervisor gave to others, and all (proc(5), /proc/stat).
func processorTime() (stolen, all float64) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0, 0
	}
	line, _, _ := strings.Cut(string(text), "\n")
	for i, word := range strings.Fields(line) {
		n, err := strconv.ParseFloat(word, 64)
		if err != nil {
			continue // "cpu"
		}
		all += n
		if i == 8 {
			stolen = n
		}
	}
	return stolen, all
}
