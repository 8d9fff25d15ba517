package exact

import (
	"math"
	"slices"

	"unknot/internal/trace"
)

// classes are sets of signatures that fit each other, directly or through others. Within a class as many messages as
// receives meet. Those with the messages of one thread only are left out: how far that thread gets says all of them.
type classes struct {
	of       []int32   // by signature; none if it is left out
	received [][]int32 // by thread: the classes in which it has receives or probes
	shared   [][]int32 // by thread: the classes in which it has any parts
	number   int
}

// classify finds the classes.
func (m *model) classify() *classes {
	c := &classes{of: make([]int32, len(m.fits)), received: make([][]int32, len(m.end)), shared: make([][]int32, len(m.end))}
	for s := range c.of {
		c.of[s] = none
	}
	seen := make([]bool, len(m.fits))
	for s := range m.fits {
		if m.fits[s].send || seen[s] {
			continue
		}
		seen[s] = true
		set := []int32{int32(s)}
		sender, several := none, false
		for i := 0; i < len(set); i++ {
			f := &m.fits[set[i]]
			if t := m.lanes[f.lane].thread; f.send {
				several = several || sender != none && sender != t
				sender = t
			}
			for _, w := range f.with {
				if !seen[w] {
					seen[w] = true
					set = append(set, w)
				}
			}
		}
		if several {
			m.fill(c, set)
		}
	}
	return c
}

// fill makes a set of signatures the next class.
func (m *model) fill(c *classes, set []int32) {
	n := int32(c.number)
	c.number++
	for _, s := range set {
		c.of[s] = n
		t := m.lanes[m.fits[s].lane].thread
		if !m.fits[s].send && !slices.Contains(c.received[t], n) {
			c.received[t] = append(c.received[t], n)
		}
		if !slices.Contains(c.shared[t], n) {
			c.shared[t] = append(c.shared[t], n)
		}
	}
}

// sums compares what all threads together have sent and received at the end of a run in which a supposition holds. Take, for
// each thread, its messages less its receives that have met in the class of the supposition, and take from that the same in
// some other classes of the receiver. Over all threads this sums up to nothing. If it is more than nothing where each thread
// ends so that it is least, no run ends so.
type sums struct {
	*proof
	sign  []int32 // by class: 1, -1 or 0 for those that are left out
	steps []int32 // by call: what is added to the sum when a thread comes to it
}

// unbalanced says whether sums refute that a thread stands for ever in the call at its bound because of a receive or probe.
func (p *proof) unbalanced(t int32, a supposition) bool {
	if a.nobody || a.sigs[0] == none || p.fits[a.sigs[0]].send {
		return false
	}
	c := p.rivals.classes
	if len(c.received[t]) < 2 || slices.ContainsFunc(a.parts, func(id int32) bool { return p.parts[id].thread != t }) {
		return false
	}
	mine := c.of[a.sigs[0]]
	if mine == none {
		return false
	}
	s := &sums{proof: p, sign: make([]int32, c.number)}
	s.sign[mine] = 1
	best := s.least(t, a)
	for _, other := range c.received[t] {
		if best > 0 {
			break
		}
		if other == mine {
			continue
		}
		s.sign[other] = -1
		if sum := s.least(t, a); sum > best {
			best = sum
		} else {
			s.sign[other] = 0
		}
	}
	return best > 0
}

// least gives a bound below which the sum over all threads cannot be.
func (s *sums) least(t int32, a supposition) (sum int32) {
	for u := range int32(len(s.lb)) {
		switch {
		case !slices.ContainsFunc(s.rivals.classes.shared[u], func(c int32) bool { return s.sign[c] != 0 }):
		case u == t:
			sum += s.standing(t, a)
		default:
			sum += s.ending(u)
		}
	}
	return sum
}

// standing is the share of the thread that stands still.
func (s *sums) standing(t int32, a supposition) int32 {
	at := s.lb[t]
	s.walk(t)
	sum := int32(0)
	for _, n := range s.steps[:at+1] {
		sum += n
	}
	if !slices.ContainsFunc(a.parts, func(id int32) bool { return s.parts[id].kind != trace.Recv }) {
		sum++ // one of them has not met
	}
	for id := s.base[t]; id < s.base[t]+int32(len(s.log.Threads[t].Parts)); id++ {
		x := &s.parts[id]
		if x.op <= at && x.hold >= at && x.kind == trace.Recv && s.side(id) < 0 && s.certain(id) {
			sum++
		}
	}
	return sum
}

// ending is the least share of another thread, wherever it may end.
func (s *sums) ending(u int32) int32 {
	s.walk(u)
	sum, least := int32(0), int32(math.MaxInt32)
	for at, n := range s.steps {
		sum += n
		if at := int32(at); at < s.lb[u] {
			continue
		} else if at == s.end[u] {
			least = min(least, sum)
		} else if ends, lacks := s.lacks(u, at); ends {
			least = min(least, sum+lacks)
		}
	}
	return least
}

// walk sets steps to what a thread adds with each of its calls: at least what has met where messages count for the sum and
// receives against it, and at most where it is the other way round.
func (s *sums) walk(u int32) {
	s.steps = slices.Grow(s.steps[:0], int(s.end[u])+1)[:s.end[u]+1]
	clear(s.steps)
	for id := s.base[u]; id < s.base[u]+int32(len(s.log.Threads[u].Parts)); id++ {
		x := &s.parts[id]
		side := s.side(id)
		switch counts := x.kind == trace.Send; {
		case side == 0:
		case counts == (side < 0):
			s.steps[x.op]--
		case s.drained[x.sig]:
			s.steps[x.op]++
		case x.keeps == never && x.hold < s.end[u] && s.op(u, x.hold).Blocking && !s.op(u, x.hold).Opaque:
			s.steps[x.hold+1]++
		}
	}
}

// side is the sign of a part's class if the part counts: probes do not, nor what has met in the state.
func (s *sums) side(id int32) int32 {
	x := &s.parts[id]
	if x.sig == none || x.kind == trace.Probe || s.rivals.classes.of[x.sig] == none || s.met.has(id) {
		return 0
	}
	return s.sign[s.rivals.classes.of[x.sig]]
}

// lacks says whether a thread may end in a call, and what that adds to the sum because something has not met there.
func (s *sums) lacks(u, at int32) (ends bool, more int32) {
	o := s.op(u, at)
	if !o.Blocking || o.Opaque {
		return false, 0
	}
	if o.Any {
		return true, 0
	}
	more = 1
	for _, w := range s.log.Threads[u].WaitsOf(o) {
		id := s.of(&w)
		x := &s.parts[id]
		mine := x.thread == u && x.op <= at
		if s.free(id) || mine && x.sig != none && s.drained[x.sig] {
			continue
		}
		ends = true
		if side := s.side(id); !mine || side == 0 || (x.kind == trace.Send) == (side > 0) {
			more = 0
		}
	}
	return ends, more
}
