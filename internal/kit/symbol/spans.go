package symbol

import "sort"

// spans finds what lies at an address: units, functions, sequences of line rows.
type spans struct {
	list   []span
	sorted bool
}

type span struct {
	low, high uint64 // high is excluded
	what      int
}

// maxSpans bounds what one table may hold, so that a damaged file cannot exhaust the agent's memory.
const maxSpans = 1 << 23

// add enters ranges for one thing. Ranges at address zero are of functions that the linker threw away.
func (s *spans) add(ranges [][2]uint64, what int) {
	for _, r := range ranges {
		if r[0] != 0 && r[0] < r[1] && len(s.list) < maxSpans {
			s.list = append(s.list, span{r[0], r[1], what})
			s.sorted = false
		}
	}
}

// find returns what has the range that begins nearest before pc and contains it. Ranges rarely overlap, so looking
// back a little is enough.
func (s *spans) find(pc uint64) (int, bool) {
	if !s.sorted {
		sort.SliceStable(s.list, func(i, j int) bool { return s.list[i].low < s.list[j].low })
		s.sorted = true
	}
	i := sort.Search(len(s.list), func(i int) bool { return s.list[i].low > pc })
	for back := 0; back < 32 && i > 0; back++ {
		i--
		if s.list[i].high > pc {
			return s.list[i].what, true
		}
	}
	return 0, false
}

func contains(ranges [][2]uint64, pc uint64) bool {
	for _, r := range ranges {
		if r[0] <= pc && pc < r[1] {
			return true
		}
	}
	return false
}
