package ordered

// mostThreads bounds the threads of a program.
const mostThreads = 3

// state is how far a program is. Of locks, 0 is free, else 1 more than the thread that has it.
type state struct {
	pc      [mostThreads]int8
	inside  [mostThreads]bool // it has begun its step, which is a use of a buffer, and not ended it
	arrived [mostThreads]bool // at a barrier
	mutex   [locks]int8
	writer  [rwlocks]int8
	readers [rwlocks]int8
	posted  [semaphores]int8
	set     [events]bool
}

// Meetings are the pairs of uses that can happen at the same time, by going through every interleaving; false if there
// is one that does not end.
func (p *Program) Meetings() (pairs map[Pair]bool, ends bool) {
	pairs = make(map[Pair]bool)
	seen := map[state]bool{{}: true}
	for todo := []state{{}}; len(todo) > 0; {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		p.meet(&s, pairs)
		next := p.next(&s)
		if len(next) == 0 && !p.over(&s) {
			return nil, false
		}
		for _, n := range next {
			if !seen[n] {
				seen[n] = true
				todo = append(todo, n)
			}
		}
	}
	return pairs, true
}

func (p *Program) over(s *state) bool {
	for t, steps := range p.Threads {
		if int(s.pc[t]) < len(steps) {
			return false
		}
	}
	return true
}

func (p *Program) meet(s *state, pairs map[Pair]bool) {
	for a := range p.Threads {
		for b := range a {
			if s.inside[a] && s.inside[b] {
				pairs[pairOf(Place{a, int(s.pc[a])}, Place{b, int(s.pc[b])})] = true
			}
		}
	}
}

// next are the states to which one step leads.
func (p *Program) next(s *state) (list []state) {
	for t, steps := range p.Threads {
		if int(s.pc[t]) == len(steps) || s.arrived[t] {
			continue
		}
		n := *s
		if n.step(t, len(p.Threads), steps[s.pc[t]]) {
			list = append(list, n)
		}
	}
	return list
}

// step carries out a step of a thread, or the begin of one; false if it has to wait.
func (s *state) step(t, threads int, x Step) bool {
	me := int8(t + 1)
	switch x.Act {
	case Lock:
		if s.mutex[x.On] != 0 {
			return false
		}
		s.mutex[x.On] = me
	case Unlock:
		s.mutex[x.On] = 0
	case ReadLock:
		if s.writer[x.On] != 0 {
			return false
		}
		s.readers[x.On]++
	case WriteLock:
		if s.writer[x.On] != 0 || s.readers[x.On] > 0 {
			return false
		}
		s.writer[x.On] = me
	case ReadUnlock:
		s.readers[x.On]--
	case WriteUnlock:
		s.writer[x.On] = 0
	case Post:
		s.posted[x.On]++
	case Wait:
		if s.posted[x.On] == 0 {
			return false
		}
		s.posted[x.On]--
	case Set:
		s.set[x.On] = true
	case Await:
		if !s.set[x.On] {
			return false
		}
	case Barrier:
		s.arrived[t] = true
		for i := range threads {
			if !s.arrived[i] {
				return true
			}
		}
		for i := range threads {
			s.arrived[i] = false
			s.pc[i]++
		}
		return true
	default:
		if s.inside[t] = !s.inside[t]; s.inside[t] {
			return true
		}
	}
	s.pc[t]++
	return true
}
