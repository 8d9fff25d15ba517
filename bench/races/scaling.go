package main

import (
	"fmt"
	"strconv"

	"unknot/bench/quiet"
)

// scaled are the samplings of the table of scaling, as in figure 4 of the paper, without H, which is far above.
func scaled() []string { return []string{"IA", promised, "HA0"} }

// scaling is the paper's figure 4: problems of one size with more threads.
func scaling(b *bench) *table {
	columns := []string{"program", "class", "threads", "plain", "processor"}
	for _, s := range scaled() {
		columns = append(columns, s, s+", processor")
	}
	t := &table{heading: "## Scaling", columns: columns}
	t.about = fmt.Sprintf("Strong scaling as in figure 4 of the paper: the same problem with more threads. There "+
		"are fewer processors than threads, so more threads make no run faster; what counts is\nwhether the factors "+
		"stay as they are. Plain is the run without --check=race, in seconds of time and of processor time of all "+
		"threads. The other columns are factors of these, with\n%s as medians of %d pairs of runs, otherwise of "+
		"one. Threads that wait for others use the processors, too.", promised, b.pairs)
	for _, class := range b.classesOr("W") {
		for _, k := range kernels() {
			for _, n := range b.threadsOr(2, 4, 8, 16) {
				t.rows = append(t.rows, row{[]string{k.name, class, strconv.Itoa(n)}, func() ([]string, error) {
					return b.scale(k, class, n)
				}})
			}
		}
	}
	return t
}

func (b *bench) scale(k kernel, class string, threads int) (cells []string, err error) {
	var every []pair
	for _, s := range scaled() {
		h := how{form: watched, class: class, sampling: s, threads: threads}
		first, err := b.pair(k, h)
		if err != nil {
			return nil, err
		}
		n := 1
		if s == promised {
			n = b.pairs
		}
		all, err := b.again(first, n, k, h)
		if err != nil {
			return nil, err
		}
		every = append(every, all...)
		cells = append(cells, fmt.Sprintf("%.2f", quiet.MedianOf(all, pair.ratio)),
			fmt.Sprintf("%.2f", quiet.MedianOf(all, pair.processor)))
	}
	took := quiet.MedianOf(every, func(p pair) float64 { return p.base.took })
	processor := quiet.MedianOf(every, func(p pair) float64 { return p.base.processor })
	return append([]string{fmt.Sprintf("%.2f s", took), fmt.Sprintf("%.2f s", processor)}, cells...), nil
}
