package waitfor

// shrink makes a closed set of a piece inclusion-minimal, for pieces too large to search through.
type shrink struct {
	*piece
	in     []bool
	left   []int32 // how many children of a node are in the set
	log    []int32 // what has been taken out since the last attempt began
	size   int     // processes in the set
	needed []bool  // in every closed set within this one
}

// thin gives the processes of a minimal closed set within the closed set of these processes; within the whole piece,
// near its first process, if there are none given.
func (p *piece) thin(within []int32) []int32 {
	s := &shrink{
		piece: p, in: make([]bool, len(p.nodes)), left: make([]int32, len(p.nodes)),
		size: int(p.processes), needed: make([]bool, len(p.nodes)),
	}
	for i := range p.nodes {
		s.in[i] = true
		s.left[i] = int32(len(p.kids(int32(i))))
	}
	keep := make([]bool, p.processes)
	for _, n := range within {
		keep[n] = true
	}
	if within == nil {
		keep = p.near(0)
	}
	for n, kept := range keep {
		if !kept && s.in[n] {
			s.remove(int32(n))
		}
	}
	// From the last to the first, so that low ranks stay.
	for n := p.processes - 1; n >= 0; n-- {
		if !s.in[n] || s.needed[n] {
			continue
		}
		s.log = s.log[:0]
		if s.remove(n); s.size == 0 {
			s.restore()
			s.mark(n)
		}
	}
	var core []int32
	for n := range p.processes {
		if s.in[n] {
			core = append(core, n)
		}
	}
	return core
}

// remove takes a node out and all that gets on without it.
func (s *shrink) remove(n int32) {
	at := len(s.log)
	s.drop(n)
	for ; at < len(s.log); at++ {
		for _, f := range s.folks(s.log[at]) {
			s.left[f]--
			if s.in[f] && (!s.choice[f] || s.left[f] == 0) {
				s.drop(f)
			}
		}
	}
}

func (s *shrink) drop(n int32) {
	s.in[n] = false
	s.log = append(s.log, n)
	if n < s.processes {
		s.size--
	}
}

// restore takes the last attempt back.
func (s *shrink) restore() {
	for _, n := range s.log {
		s.in[n] = true
		if n < s.processes {
			s.size++
		}
		for _, f := range s.folks(n) {
			s.left[f]++
		}
	}
	s.log = s.log[:0]
}

// mark says that a node is needed, and with it what it needs for certain; so a long cycle is settled by one attempt.
func (s *shrink) mark(n int32) {
	s.needed[n] = true
	queue := []int32{n}
	for len(queue) > 0 {
		n := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if s.choice[n] && s.left[n] > 1 {
			continue
		}
		for _, c := range s.kids(n) {
			if s.in[c] && !s.needed[c] {
				s.needed[c] = true
				queue = append(queue, c)
			}
		}
	}
}

// near gives a closed set around a seed: what the seed needs for certain stands still, and standing still spreads from
// there, breadth first, until it comes back to all choices of the start. Without ORs this is a shortest cycle through
// the seed. Where it does not come back, the whole piece is given.
func (p *piece) near(seed int32) []bool {
	why := make([]int32, len(p.nodes)) // the child that holds a choice, and -1 where that is open
	still := make([]bool, len(p.nodes))
	left := make([]int32, len(p.nodes))
	for i := range why {
		why[i] = -1
		left[i] = int32(len(p.kids(int32(i))))
	}
	still[seed] = true
	queue := []int32{seed}
	open := 0
	for at := 0; at < len(queue); at++ {
		n := queue[at]
		if p.choice[n] {
			open++
			continue
		}
		for _, c := range p.kids(n) {
			if !still[c] {
				still[c] = true
				queue = append(queue, c)
			}
		}
	}
	start := len(queue)
	for at := 0; at < len(queue) && open > 0; at++ {
		for _, f := range p.folks(queue[at]) {
			if p.choice[f] && why[f] < 0 {
				why[f] = queue[at]
				if still[f] {
					open--
				}
			}
			left[f]--
			if !still[f] && (p.choice[f] || left[f] == 0) {
				still[f] = true
				queue = append(queue, f)
			}
		}
	}
	keep := make([]bool, p.processes)
	if open > 0 {
		for i := range keep {
			keep[i] = true
		}
		return keep
	}
	clear(still)
	trace := append([]int32(nil), queue[:start]...)
	for _, n := range trace {
		still[n] = true
	}
	for len(trace) > 0 {
		n := trace[len(trace)-1]
		trace = trace[:len(trace)-1]
		if n < p.processes {
			keep[n] = true
		}
		needs := p.kids(n)
		if p.choice[n] {
			needs = why[n : n+1]
		}
		for _, c := range needs {
			if !still[c] {
				still[c] = true
				trace = append(trace, c)
			}
		}
	}
	return keep
}
