package report

import (
	"cmp"
	"container/heap"
	"slices"

	"unknot/internal/vocab/finding"
)

// causal puts findings, which are in their canonical order, so that what came first on a rank stands before what came
// later there, as far as the findings say when that was. The death of a rank stands after what else is said of its last
// call. What no rank orders stays in canonical order.
func causal(list []finding.Finding) []finding.Finding {
	type moment struct {
		at    uint64
		death bool
		of    int // which finding
	}
	byRank := make(map[int][]moment)
	for i := range list {
		first := make(map[int]uint64)
		for k := range list[i].Places {
			p := &list[i].Places[k]
			if at, known := first[p.Rank]; p.Moment > 0 && (!known || p.Moment < at) {
				first[p.Rank] = p.Moment
			}
		}
		for rank, at := range first {
			byRank[rank] = append(byRank[rank], moment{at, list[i].Code == finding.RankDied, i})
		}
	}
	after, open := make([][]int, len(list)), make([]int, len(list))
	for _, of := range byRank {
		slices.SortFunc(of, func(a, b moment) int {
			return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(boolOrder(a.death), boolOrder(b.death)),
				cmp.Compare(a.of, b.of))
		})
		same := func(a, b moment) bool { return a.at == b.at && a.death == b.death }
		for from, before := 0, []moment(nil); from < len(of); {
			to := from + 1
			for to < len(of) && same(of[from], of[to]) {
				to++
			}
			for _, a := range before {
				for _, b := range of[from:to] {
					after[a.of] = append(after[a.of], b.of)
					open[b.of]++
				}
			}
			before, from = of[from:to], to
		}
	}
	return sorted(list, after, open)
}

func boolOrder(b bool) int {
	if b {
		return 1
	}
	return 0
}

// sorted is the topological order in which the first of the list stands first wherever there is a choice. after has
// what follows on each, open how many each follows on. Ranks may contradict each other; then the first of the list
// breaks the tie.
func sorted(list []finding.Finding, after [][]int, open []int) []finding.Finding {
	var ready places
	done := make([]bool, len(list))
	for i, n := range open {
		if n == 0 {
			heap.Push(&ready, i)
		}
	}
	out := make([]finding.Finding, 0, len(list))
	for next := 0; len(out) < len(list); {
		var i int
		if ready.Len() > 0 {
			i = heap.Pop(&ready).(int)
		} else {
			for done[next] {
				next++
			}
			i = next
		}
		if done[i] {
			continue
		}
		done[i] = true
		out = append(out, list[i])
		for _, k := range after[i] {
			if open[k]--; open[k] == 0 && !done[k] {
				heap.Push(&ready, k)
			}
		}
	}
	return out
}

// places is a heap of places in a list.
type places []int

func (p places) Len() int           { return len(p) }
func (p places) Less(i, j int) bool { return p[i] < p[j] }
func (p places) Swap(i, j int)      { p[i], p[j] = p[j], p[i] }
func (p *places) Push(x any)        { *p = append(*p, x.(int)) }

func (p *places) Pop() any {
	old := *p
	x := old[len(old)-1]
	*p = old[:len(old)-1]
	return x
}
