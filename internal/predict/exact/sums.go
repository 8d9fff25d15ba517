package exact

import (
	"math"
	"slices"

	"unknot/internal/vocab/op"
)

// mixed finds, by thread, the signatures of receives that messages of several threads fit.
func (m *model) mixed() [][]int32 {
	out := make([][]int32, len(m.end))
	for s := range m.fits {
		f := &m.fits[s]
		if f.send || len(f.with) < 2 {
			continue
		}
		sender := m.lanes[m.fits[f.with[0]].lane].thread
		if slices.ContainsFunc(f.with, func(w int32) bool { return m.lanes[m.fits[w].lane].thread != sender }) {
			t := m.lanes[f.lane].thread
			out[t] = append(out[t], int32(s))
		}
	}
	return out
}

// sums compares what all threads together have sent and received at the end of a run in which a supposition holds. Some
// messages count for the sum, as many against it. Each that has met is added by its sender and taken away by its
// receiver, so over all threads this sums up to nothing. If it is more than nothing even where each thread ends so that
// its share is least, and each receive has met what is worst, no run ends so.
type sums struct {
	*proof
	thread   int32 // that stands still
	supposed supposition
	// sign is what a part adds, by signature: 1, -1 or 0 for messages, and for receives the most that they could meet.
	sign    []int32
	concern []bool  // by thread: it has parts that count
	steps   []int32 // by call: what is added to the share of a thread when it reaches it
}

// unbalanced says whether sums refute that a thread stands forever in the call at its bound because of one part.
func (p *proof) unbalanced(t int32, a supposition) bool {
	if a.nobody || a.sigs[0] == none {
		return false
	}
	s := &sums{proof: p, thread: t, supposed: a}
	if f := &p.fits[a.sigs[0]]; f.send {
		return slices.ContainsFunc(f.with, s.compares) && s.untaken()
	}
	return s.compares(a.sigs[0]) && s.unserved()
}

// compares says whether a signature of receives is one of several of its thread that messages of several threads fit.
func (s *sums) compares(sig int32) bool {
	mixed := s.rivals.mixed[s.lanes[s.fits[sig].lane].thread]
	return len(mixed) > 1 && slices.Contains(mixed, sig)
}

// untaken refutes that a send is left over: then all receives that it fits have met, and what could meet them counts
// against the sum.
func (s *sums) untaken() bool {
	s.reset()
	for _, v := range s.fits[s.supposed.sigs[0]].with {
		s.weigh(v, -1)
	}
	return s.least() > 0
}

// unserved refutes that a receive or probe is left over: then all messages that fit have been taken, and count for the
// sum. Against it count those for other signatures of the thread, as long as each makes the sum larger.
func (s *sums) unserved() bool {
	s.reset()
	s.weigh(s.supposed.sigs[0], 1)
	best := s.least()
	for _, other := range s.rivals.mixed[s.thread] {
		if best > 0 {
			break
		}
		if other == s.supposed.sigs[0] {
			continue
		}
		before := slices.Clone(s.sign)
		s.weigh(other, -1)
		if sum := s.least(); sum > best {
			best = sum
		} else {
			s.sign = before
		}
	}
	return best > 0
}

func (s *sums) reset() {
	s.sign, s.concern = make([]int32, len(s.fits)), make([]bool, len(s.lb))
}

// weigh gives a sign to those messages for a signature of receives that have none.
func (s *sums) weigh(sig, sign int32) {
	for _, w := range s.fits[sig].with {
		if s.sign[w] == 0 {
			s.sign[w] = sign
			s.concern[s.lanes[s.fits[w].lane].thread] = true
		}
	}
	for _, same := range [][]int32{s.rivals.own[sig], s.rivals.others[sig]} {
		for _, v := range same {
			most := int32(-1)
			for _, w := range s.fits[v].with {
				most = max(most, s.sign[w])
			}
			s.sign[v] = most
			s.concern[s.lanes[s.fits[v].lane].thread] = true
		}
	}
}

// least gives a bound below which the sum over all threads cannot be.
func (s *sums) least() (sum int32) {
	for u := range int32(len(s.lb)) {
		switch {
		case !s.concern[u]:
		case u == s.thread:
			sum += s.standing()
		default:
			sum += s.ending(u)
		}
	}
	return sum
}

// standing is the share of the thread that stands still.
func (s *sums) standing() int32 {
	t, at := s.thread, s.lb[s.thread]
	s.walk(t)
	sum := int32(0)
	for _, n := range s.steps[:at+1] {
		sum += n
	}
	if !slices.ContainsFunc(s.supposed.parts, func(id int32) bool {
		return s.parts[id].kind == op.Probe ||
			s.parts[id].thread != t
	}) {
		sum++ // one of them has not met
	}
	for id := s.base[t]; id < s.base[t]+int32(len(s.log.Threads[t].Parts)); id++ {
		x := &s.parts[id]
		if x.op <= at && x.hold >= at && x.kind == op.Recv && s.side(id) < 0 && s.certain(id) {
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

// walk sets steps to what a thread adds with each of its calls: at least what has met where messages count for the sum
// and receives against it, and at most where it is the other way round.
func (s *sums) walk(u int32) {
	s.steps = slices.Grow(s.steps[:0], int(s.end[u])+1)[:s.end[u]+1]
	clear(s.steps)
	for id := s.base[u]; id < s.base[u]+int32(len(s.log.Threads[u].Parts)); id++ {
		x := &s.parts[id]
		side := s.side(id)
		switch counts := x.kind == op.Send; {
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

// side is what a part adds if it counts: probes do not, nor what has met in the state.
func (s *sums) side(id int32) int32 {
	x := &s.parts[id]
	if x.sig == none || x.kind == op.Probe || s.met.has(id) {
		return 0
	}
	return s.sign[x.sig]
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
		if side := s.side(id); !mine || side == 0 || (x.kind == op.Send) == (side > 0) {
			more = 0
		}
	}
	return ends, more
}
