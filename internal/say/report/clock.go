package report

import "unknot/internal/vocab/finding"

// The calls of a history have no times, so its picture has a logical one: that of the longest chain of what must have
// come before (Lamport, 1978). A call begins when the one before it on its thread has returned, and takes a moment at
// least; a receive does not return before its message was sent, and no member of a collective before those have called
// it that it waits for.

// span is a time from Start to End, in moments.
type span struct{ Start, End int }

// bar is one call of a thread in the picture, or calls left out that repeat those before.
type bar struct {
	Step   int             // in the thread's Steps; of calls left out, the step that they follow
	Repeat *finding.Repeat // nil of a call
	span
}

// barsOf are the bars of a thread, without times.
func barsOf(t *finding.Track) []bar {
	out := make([]bar, 0, len(t.Steps)+len(t.Repeats))
	next := 0
	for i := range t.Steps {
		out = append(out, bar{Step: i})
		if next < len(t.Repeats) && t.Repeats[next].After == i {
			out = append(out, bar{Step: i, Repeat: &t.Repeats[next]})
			next++
		}
	}
	return out
}

// events are the beginnings and ends of bars, and points between them that belong to no thread.
type events struct {
	at    []int   // the earliest time that is known
	later [][]int // what must come after
	least [][]int // by how many moments
	open  []int   // how much must come before that has no time yet
}

func (e *events) add(n int) (first int) {
	first = len(e.at)
	e.at, e.open = append(e.at, make([]int, n)...), append(e.open, make([]int, n)...)
	e.later, e.least = append(e.later, make([][]int, n)...), append(e.least, make([][]int, n)...)
	return first
}

// before says that one event comes before another by so many moments.
func (e *events) before(a, b, least int) {
	e.later[a], e.least[a] = append(e.later[a], b), append(e.least[a], least)
	e.open[b]++
}

// settle gives each event its time. Where events would come before themselves, as in a file that was written by
// something else, the first of them does not wait for the others.
func (e *events) settle() {
	var ready []int
	done := make([]bool, len(e.at))
	for i, n := range e.open {
		if n == 0 {
			ready = append(ready, i)
		}
	}
	for first := 0; ; {
		for len(ready) > 0 {
			i := ready[len(ready)-1]
			ready = ready[:len(ready)-1]
			if done[i] {
				continue
			}
			done[i] = true
			for k, j := range e.later[i] {
				e.at[j] = max(e.at[j], e.at[i]+e.least[i][k])
				if e.open[j]--; e.open[j] == 0 && !done[j] {
					ready = append(ready, j)
				}
			}
		}
		for first < len(done) && done[first] {
			first++
		}
		if first == len(done) {
			return
		}
		ready = append(ready, first)
	}
}

// clock gives the bars of all threads their times, and says when the last of them ends.
func clock(h *finding.History) (bars [][]bar, end int) {
	e := new(events)
	firsts := make([]int, len(h.Threads)) // events of the threads' first bars
	steps := make([][]int, len(h.Threads))
	for i := range h.Threads {
		list := barsOf(&h.Threads[i])
		bars, firsts[i] = append(bars, list), e.add(2*len(list))
		steps[i] = make([]int, len(h.Threads[i].Steps))
		for k := range list {
			if list[k].Repeat == nil {
				steps[i][list[k].Step] = firsts[i] + 2*k
			}
			e.before(firsts[i]+2*k, firsts[i]+2*k+1, 1)
			if k > 0 {
				e.before(firsts[i]+2*k-1, firsts[i]+2*k, 0)
			}
		}
	}
	begin := func(at [2]int) int { return steps[at[0]][at[1]] }
	for _, m := range h.Messages {
		e.before(begin([2]int{m[0], m[1]}), begin([2]int{m[2], m[3]})+1, 1)
	}
	for i := range h.Collectives {
		e.collective(h, &h.Collectives[i], begin)
	}
	e.settle()
	for i := range bars {
		for k := range bars[i] {
			bars[i][k].span = span{e.at[firsts[i]+2*k], e.at[firsts[i]+2*k+1]}
			end = max(end, bars[i][k].End)
		}
	}
	for i := range bars {
		if n := len(bars[i]); n > 0 && h.Threads[i].Open {
			bars[i][n-1].End = end
		}
	}
	return bars, end
}

// collective has the members of a collective wait for each other.
func (e *events) collective(h *finding.History, c *finding.Collective, begin func([2]int) int) {
	isRoot := func(m [2]int) bool { return c.Root != nil && h.Threads[m[0]].Rank == *c.Root }
	switch c.Waits {
	case "all":
		all := e.add(1)
		for _, m := range c.Members {
			e.before(begin(m), all, 0)
			e.before(all, begin(m)+1, 1)
		}
	case "from root", "to root":
		for _, root := range c.Members {
			if !isRoot(root) {
				continue
			}
			for _, m := range c.Members {
				switch {
				case m == root:
				case c.Waits == "from root":
					e.before(begin(root), begin(m)+1, 1)
				default:
					e.before(begin(m), begin(root)+1, 1)
				}
			}
			break // there is one
		}
	case "lower": // members are in the order of their ranks
		lower := -1
		for _, m := range c.Members {
			next := e.add(1)
			e.before(begin(m), next, 0)
			if lower >= 0 {
				e.before(lower, next, 0)
				e.before(lower, begin(m)+1, 1)
			}
			lower = next
		}
	}
}
