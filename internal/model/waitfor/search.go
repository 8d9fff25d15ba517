package waitfor

import "slices"

// search looks for the smallest closed set of a piece by branch and bound.
//
// It grows a set from a seed: whatever a member needs for certain comes in at once, and for an AND with a choice each
// child is tried in turn. A child that has been tried is banned in the branches after it, as are the seeds that have
// been tried, so no set is looked at twice.
type search struct {
	*piece
	in     []bool
	banned []bool
	trail  []int32 // the set, in the order in which it grew
	size   int     // its processes
	bound  int     // the largest size of interest
	spent  int     // the sum of the members' costs
	steps  int     // what is left of the budget
	best   []int32 // processes, ascending
	bestAt int     // the cost of best
}

// smallest gives the processes of the smallest closed set, of those the cheapest, of those the one with the lowest
// ranks. If the budget runs out first, exact is false and the set is whatever was found, perhaps none.
func (p *piece) smallest(budget int) (core []int32, exact bool) {
	s := &search{piece: p, in: make([]bool, len(p.nodes)), banned: make([]bool, len(p.nodes)), steps: budget}
	for bound := 1; ; bound *= 2 {
		s.bound = bound
		for seed := int32(0); seed < p.processes && s.steps > 0; seed++ {
			if s.need(seed) {
				s.grow(0)
			}
			s.undo(0)
			s.banned[seed] = true
		}
		if s.steps <= 0 || s.best != nil {
			return s.best, s.steps > 0
		}
		clear(s.banned)
	}
}

// need takes a node into the set with all that follows for certain; false if that is banned or too much.
func (s *search) need(n int32) bool {
	next := len(s.trail)
	if !s.take(n) {
		return false
	}
	for ; next < len(s.trail); next++ {
		if n := s.trail[next]; !s.choice[n] {
			for _, c := range s.kids(n) {
				s.steps--
				if !s.in[c] && !s.take(c) {
					return false
				}
			}
		}
	}
	return true
}

func (s *search) take(n int32) bool {
	s.steps--
	if s.banned[n] {
		return false
	}
	s.in[n] = true
	s.trail = append(s.trail, n)
	if n < s.processes {
		s.size++
		s.spent += s.price(n)
	}
	return s.size <= s.bound
}

func (s *search) undo(to int) {
	for _, n := range s.trail[to:] {
		s.in[n] = false
		if n < s.processes {
			s.size--
			s.spent -= s.price(n)
		}
	}
	s.trail = s.trail[:to]
}

// grow completes the set in every way that is worth it. The choices before from on the trail have been made.
func (s *search) grow(from int) {
	for ; from < len(s.trail); from++ {
		if n := s.trail[from]; s.choice[n] && !s.chosen(n) {
			s.branch(n, from+1)
			return
		}
	}
	s.keep()
}

func (s *search) chosen(n int32) bool {
	for _, c := range s.kids(n) {
		s.steps--
		if s.in[c] {
			return true
		}
	}
	return false
}

func (s *search) branch(n int32, from int) {
	var tried []int32
	for _, c := range s.kids(n) {
		if s.banned[c] {
			continue
		}
		mark := len(s.trail)
		if s.need(c) {
			s.grow(from)
		}
		s.undo(mark)
		if s.steps <= 0 || s.size > s.bound {
			break
		}
		s.banned[c] = true
		tried = append(tried, c)
	}
	for _, c := range tried {
		s.banned[c] = false
	}
}

// keep remembers the set if it is better than the best so far.
func (s *search) keep() {
	smaller := s.best == nil || s.size < len(s.best)
	if !smaller && s.spent > s.bestAt {
		return
	}
	var found []int32
	for _, n := range s.trail {
		if n < s.processes {
			found = append(found, n)
		}
	}
	slices.Sort(found)
	if smaller || s.spent < s.bestAt || slices.Compare(found, s.best) < 0 {
		s.best, s.bestAt, s.bound = found, s.spent, s.size
	}
}
