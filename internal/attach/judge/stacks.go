package judge

import (
	"slices"

	"unknot/internal/vocab/finding"
)

// Stacks are the call stacks of the threads that may act, merged from the outermost function on, and how many threads
// of libraries there are besides.
func (j *Job) Stacks() (tree []finding.Branch, left int) {
	tree = []finding.Branch{}
	for _, n := range j.threads {
		path := n.thread.Path()
		list := &tree
		for _, b := range path {
			list = under(list, b, n.rank.Rank.Rank)
		}
	}
	for i := range j.of {
		if len(j.of[i]) > 0 {
			left += len(j.of[i][0].rank.Threads) - len(j.of[i])
		}
	}
	return tree, left
}

// under counts a thread in a branch, which is added if it is new, and gives those below it.
func under(list *[]finding.Branch, b finding.Branch, rank int) *[]finding.Branch {
	i := slices.IndexFunc(*list, func(o finding.Branch) bool {
		return o.Frame == b.Frame &&
			o.Call == b.Call
	})
	if i < 0 {
		i = len(*list)
		*list = append(*list, b)
	}
	at := &(*list)[i]
	at.Threads++
	if k, has := slices.BinarySearch(at.Ranks, rank); !has {
		at.Ranks = slices.Insert(at.Ranks, k, rank)
	}
	return &at.Below
}
