package main

import (
	"slices"

	"unknot/bench/quiet"
)

// pair is a run of a program in UPC, and one of the same in MPI right after it, in seconds.
type pair struct{ upc, mpi float64 }

// measure runs pairs of a program, and keeps the least disturbed.
func (b *bench) measure(k kernel, class string, threads int) (row, error) {
	b.look()
	pairs, stolen, err := quiet.Runs(b.pairs, func() (pair, error) { return b.pair(k, class, threads) })
	if err != nil {
		return row{}, err
	}
	var upc, mpi, ratios []float64
	for _, p := range pairs {
		upc, mpi, ratios = append(upc, p.upc), append(mpi, p.mpi), append(ratios, p.upc/p.mpi)
	}
	return row{k, class, threads, quiet.Median(upc), quiet.Median(mpi), quiet.Median(ratios),
		slices.Min(upc) / slices.Min(mpi), stolen}, nil
}

func (b *bench) pair(k kernel, class string, threads int) (p pair, err error) {
	if p.upc, err = b.once(k.name+".upc", class, threads); err != nil {
		return p, err
	}
	p.mpi, err = b.once(k.name+".mpi", class, threads)
	return p, err
}
