package op

import (
	"iter"
	"slices"
)

// Ranks are ranks in an order, as the runs that they make: what all of a large job have in common takes no more room
// than what a few have. Sets of ranks are Ranks that ascend. A value is not changed once it is made.
type Ranks struct{ Runs []Run }

// Run is First, First+Step, … up to Last.
type Run struct {
	First, Last Rank
	Step        Rank // at least 1
}

// Valid says whether r can be a run, of one that came from another host.
func (r Run) Valid() bool {
	return r.Step >= 1 && r.First <= r.Last && (r.First >= 0 || r.First == r.Last) &&
		(int64(r.Last)-int64(r.First))%int64(r.Step) == 0
}

func (r *Run) len() int {
	if r.Step == 1 { // as nearly always, and a division takes its time
		return int(r.Last-r.First) + 1
	}
	return int(r.Last-r.First)/int(r.Step) + 1
}

func (r Run) index(x Rank) int {
	if x < r.First || x > r.Last || (x-r.First)%r.Step != 0 {
		return -1
	}
	return int(x-r.First) / int(r.Step)
}

// FirstRanks are the ranks from 0 to n-1.
func FirstRanks(n int) Ranks { return Between(0, Rank(n)-1) }

// Between are the ranks from first to last; none if last comes before first.
func Between(first, last Rank) Ranks {
	if last < first {
		return Ranks{}
	}
	return Ranks{[]Run{{first, last, 1}}}
}

// RanksOf are the ranks of a list.
func RanksOf(list ...Rank) Ranks {
	var out Ranks
	for _, r := range list {
		out.add(r)
	}
	return out.tight()
}

// add puts a rank behind those that are there. It is for who makes the value.
func (s *Ranks) add(x Rank) {
	if last := len(s.Runs) - 1; last >= 0 && x >= 0 {
		switch r := &s.Runs[last]; {
		case r.First < 0 || x <= r.Last:
		case r.First == r.Last:
			r.Step, r.Last = x-r.First, x
			return
		case x-r.Last == r.Step:
			r.Last = x
			return
		// two far from each other are no run: the second may begin a longer one
		case r.Last-r.First == r.Step && r.Step > 1:
			second := r.Last
			r.Last, r.Step = r.First, 1
			s.Runs = append(s.Runs, Run{second, x, x - second})
			return
		}
	}
	s.Runs = append(s.Runs, Run{x, x, 1})
}

// tight drops the room that was kept for more, as most values live long.
func (s Ranks) tight() Ranks { return Ranks{slices.Clip(s.Runs)} }

// Len is their number.
func (s Ranks) Len() (n int) {
	for i := range s.Runs {
		n += s.Runs[i].len()
	}
	return n
}

// Repeat says whether one of them is there more than once. Of those below 0, which are no ranks of the job, nobody
// knows who they are.
func (s Ranks) Repeat() bool {
	ascending := true
	for i := range s.Runs[min(1, len(s.Runs)):] {
		ascending = ascending && s.Runs[i].Last < s.Runs[i+1].First
	}
	if ascending {
		return false
	}
	seen := make(map[Rank]bool, s.Len())
	for x := range s.All() {
		if seen[x] && x >= 0 {
			return true
		}
		seen[x] = true
	}
	return false
}

// At is the i-th of them, from 0.
func (s Ranks) At(i int) Rank {
	for k := range s.Runs {
		r := &s.Runs[k]
		if n := r.len(); i >= n {
			i -= n
			continue
		}
		return r.First + Rank(i)*r.Step
	}
	panic("op: index beyond the end of ranks")
}

// Index is the place of the first x among them, -1 if there is none.
func (s Ranks) Index(x Rank) int {
	before := 0
	for k := range s.Runs {
		r := &s.Runs[k]
		if i := r.index(x); i >= 0 {
			return before + i
		}
		before += r.len()
	}
	return -1
}

// Has says whether x is among them.
func (s Ranks) Has(x Rank) bool { return s.Index(x) >= 0 }

// All are they in their order.
func (s Ranks) All() iter.Seq[Rank] {
	return func(yield func(Rank) bool) {
		for _, r := range s.Runs {
			for x := r.First; ; x += r.Step {
				if !yield(x) {
					return
				}
				if x == r.Last {
					break
				}
			}
		}
	}
}

// List are they one by one.
func (s Ranks) List() []Rank {
	if len(s.Runs) == 0 {
		return nil
	}
	return slices.AppendSeq(make([]Rank, 0, s.Len()), s.All())
}

// Lowest is the lowest of them, which there must be.
func (s Ranks) Lowest() Rank {
	least := s.Runs[0].First
	for _, r := range s.Runs[1:] {
		least = min(least, r.First)
	}
	return least
}

// Then are those of s and behind them those of t.
func (s Ranks) Then(t Ranks) Ranks {
	return Ranks{slices.Concat(s.Runs, t.Runs)}
}

// Union are the ranks that are in one of two sets.
func (s Ranks) Union(t Ranks) Ranks {
	switch {
	case len(s.Runs) == 0:
		return t
	case len(t.Runs) == 0:
		return s
	case t.Runs[len(t.Runs)-1].Last < s.Runs[0].First && t.ascends():
		s, t = t, s
	}
	if end := s.Runs[len(s.Runs)-1].Last; end < t.Runs[0].First && s.ascends() {
		out := Ranks{slices.Clone(s.Runs)}
		for _, r := range t.Runs {
			out.join(r)
		}
		return out
	}
	list := append(s.List(), t.List()...)
	slices.Sort(list)
	return RanksOf(slices.Compact(list)...)
}

// ascends says whether each run ends before the next begins.
func (s Ranks) ascends() bool {
	for i := 1; i < len(s.Runs); i++ {
		if s.Runs[i].First <= s.Runs[i-1].Last {
			return false
		}
	}
	return true
}

// join puts a run behind those that are there.
func (s *Ranks) join(r Run) {
	last := &s.Runs[len(s.Runs)-1]
	gap := r.First - last.Last
	switch one, other := last.First == last.Last, r.First == r.Last; {
	case one && other && gap == 1, one && !other && gap == r.Step:
		last.Last, last.Step = r.Last, gap
	case !one && gap == last.Step && (other || r.Step == gap):
		last.Last = r.Last
	default:
		s.Runs = append(s.Runs, r)
	}
}

// Count is how many of two sets' ranks are in both.
func (s Ranks) Count(t Ranks) (n int) {
	for _, a := range s.Runs {
		for _, b := range t.Runs {
			n += a.common(b)
		}
	}
	return n
}

// common is how many ranks two runs have in common.
func (r Run) common(o Run) (n int) {
	if r.Step > o.Step {
		r, o = o, r
	}
	if r.Step == 1 {
		low, high := max(r.First, o.First), min(r.Last, o.Last)
		low = o.First + (low-o.First+o.Step-1)/o.Step*o.Step
		if low > high {
			return 0
		}
		return int(high-low)/int(o.Step) + 1
	}
	for x := o.First; x <= o.Last; x += o.Step {
		if r.index(x) >= 0 {
			n++
		}
	}
	return n
}
