package main

import (
	"slices"

	"unknot/bench/quiet"
)

// row is what was measured of a program with a number of threads: medians of the times and of the ratios, the ratio of
// the fastest runs, which others on the machine have disturbed the least, and the ratio of the processor time of the
// whole jobs.
type row struct {
	kernel
	class           string
	threads         int
	upc, mpi, ratio float64
	fastest         float64
	// what all processors did from the start to the end of a job, and the median of the ratios
	upcProcessor, mpiProcessor, processor float64
	// stolen is the largest share of the processors' time in a pair that a hypervisor gave to others
	stolen float64
}

// pair is a run of a program in UPC, and one of the same in MPI right after it.
type pair struct{ upc, mpi spent }

// measure runs pairs of a program, and keeps the least disturbed.
func (b *bench) measure(k kernel, class string, threads int) (row, error) {
	pairs, stolen, err := quiet.Runs(b.pairs, func() (pair, error) { return b.pair(k, class, threads) })
	if err != nil {
		return row{}, err
	}
	var upc, mpi, ratios, upcProcessor, mpiProcessor, processors []float64
	for _, p := range pairs {
		upc, mpi, ratios = append(upc, p.upc.wall), append(mpi, p.mpi.wall), append(ratios, p.upc.wall/p.mpi.wall)
		upcProcessor, mpiProcessor = append(upcProcessor, p.upc.processor), append(mpiProcessor, p.mpi.processor)
		processors = append(processors, p.upc.processor/p.mpi.processor)
	}
	return row{kernel: k, class: class, threads: threads, upc: quiet.Median(upc), mpi: quiet.Median(mpi),
		ratio: quiet.Median(ratios), fastest: slices.Min(upc) / slices.Min(mpi),
		upcProcessor: quiet.Median(upcProcessor), mpiProcessor: quiet.Median(mpiProcessor),
		processor: quiet.Median(processors), stolen: stolen}, nil
}

func (b *bench) pair(k kernel, class string, threads int) (p pair, err error) {
	if p.upc, err = b.once(k.name+".upc", class, threads); err != nil {
		return p, err
	}
	p.mpi, err = b.once(k.name+".mpi", class, threads)
	return p, err
}
