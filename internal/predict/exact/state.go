package exact

import (
	"slices"

	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// state is a run at some time. A thread is always inside of the call at its position, for to enter it needs nobody.
type state struct {
	*model
	at     []int32 // by thread: its call
	next   []int32 // by thread: the waits of its call before this one are complete, if it waits for all
	posted []int32 // by lane: so many parts have been started
	head   []int32 // by lane: so many from its start have been matched
	met    bits    // by part: it met its partner; a probe has seen its message
	over   bits    // by part.over: a call reported it
	inside []int32 // by group: so many members have entered
	toMeet [2][]int32
	past   *event
	// What threads have learnt (see lesson).
	learnt bits // by thread
	// by part: it tells what it did not tell in the recorded run, or was started by one who had learnt something
	strange bits
	spoilt  bits // by group: a member has learnt something before
	lessons *lesson
	queue   []int32
	dirty   []int32 // boxes
	later   []int32 // threads that may leave their call, and had better wait
	unseen  []int32 // boxes with a probe that may see something, and had better wait
	hurry   bool    // it had not
}

// The two sides of a box in state.toMeet: parts that are started and have not met.
const (
	senders = iota
	receivers
)

// event is what happened last, and before it. States that come from the same one share their past.
type event struct {
	before   *event
	recv     int32 // a match, or
	send     int32
	thread   int32 // an exit from a call that ends with any of its requests
	op       int32
	reported []int32
}

// bits is a set of small numbers.
type bits []uint64

func newBits(n int) bits        { return make(bits, (n+63)/64) }
func (b bits) has(i int32) bool { return b[i>>6]>>(uint(i)&63)&1 == 1 }
func (b bits) set(i int32)      { b[i>>6] |= 1 << (uint(i) & 63) }

// start is the run with every thread in its first call, and all compulsory moves made.
func (m *model) start() *state {
	n := len(m.log.Threads)
	s := &state{model: m, at: make([]int32, n), next: make([]int32, n), posted: make([]int32, len(m.lanes)),
		head: make([]int32, len(m.lanes)), met: newBits(len(m.parts)), over: newBits(m.overs),
		inside: make([]int32, len(m.groups)),
		toMeet: [2][]int32{make([]int32, len(m.boxes)), make([]int32, len(m.boxes))},
		learnt: newBits(n), strange: newBits(len(m.parts)), spoilt: newBits(len(m.groups))}
	for t := range int32(n) {
		s.enter(t)
	}
	s.settle()
	return s
}

// clone copies a run, so that two ways to go on can be tried.
func (s *state) clone() *state {
	c := *s
	c.at, c.next, c.posted, c.head = slices.Clone(s.at), slices.Clone(s.next), slices.Clone(s.posted),
		slices.Clone(s.head)
	c.met, c.over, c.inside = slices.Clone(s.met), slices.Clone(s.over), slices.Clone(s.inside)
	c.toMeet = [2][]int32{slices.Clone(s.toMeet[0]), slices.Clone(s.toMeet[1])}
	c.learnt, c.strange, c.spoilt = slices.Clone(s.learnt), slices.Clone(s.strange), slices.Clone(s.spoilt)
	c.queue, c.dirty, c.later, c.unseen = nil, nil, nil, nil
	return &c
}

func (s *state) finished(t int32) bool { return s.at[t] >= s.end[t] }

// enter starts the parts of the call that a thread has come to.
func (s *state) enter(t int32) {
	s.next[t] = 0
	if s.finished(t) {
		return
	}
	s.queue = append(s.queue, t)
	o := s.op(t, s.at[t])
	for n := o.First; n < o.First+o.Started; n++ {
		s.post(s.base[t] + int32(n))
	}
}

func (s *state) post(id int32) {
	p := &s.parts[id]
	if s.learnt.has(p.thread) {
		s.strange.set(id)
		if p.group != none {
			s.spoilt.set(p.group)
		}
	}
	switch {
	case p.group != none:
		s.inside[p.group]++
		s.queue = append(s.queue, s.concerned(p.group)...)
	case p.lane != none:
		s.posted[p.lane]++
		side := receivers
		if p.kind == op.Send {
			side = senders
		}
		s.toMeet[side][p.box]++
		if s.toMeet[1-side][p.box] == 0 {
			return
		}
		if side == senders {
			s.dirty = append(s.dirty, p.box)
			return
		}
		if send := s.forced(id); send != none {
			s.meet(id, send)
		}
	}
}

// concerned are the threads whose calls may get on because a member has entered a collective.
func (s *state) concerned(g int32) []int32 {
	if s.options.Collectives != CollectWeak && int(s.inside[g]) < s.groups[g].size {
		return nil
	}
	var out []int32
	for _, p := range s.groups[g].parts {
		if s.started(p) {
			out = append(out, s.parts[p].thread)
			out = append(out, s.waiters[p]...)
		}
	}
	return out
}

func (s *state) started(id int32) bool {
	p := &s.parts[id]
	return s.at[p.thread] >= p.op
}

// settle makes all compulsory moves that take nothing from anybody, until there are none. Their order does not matter;
// those that would make the run differ from the recorded one come last.
func (s *state) settle() {
	for {
		switch {
		case len(s.queue) > 0:
			t := pop(&s.queue)
			for s.compulsory(t) {
				if s.early(t) {
					s.later = append(s.later, t)
					break
				}
				s.leave(t, nil)
			}
		case len(s.dirty) > 0:
			s.deliver(pop(&s.dirty))
		case len(s.later) > 0:
			if t := pop(&s.later); s.compulsory(t) {
				s.leave(t, nil)
			}
		case len(s.unseen) > 0:
			s.hurry = true
			s.deliver(pop(&s.unseen))
			s.hurry = false
		default:
			return
		}
	}
}

func pop(from *[]int32) int32 {
	n := len(*from) - 1
	last := (*from)[n]
	*from = (*from)[:n]
	return last
}

// deliver makes the matches in a box that are no choice.
func (s *state) deliver(x int32) {
	for again := true; again && s.toMeet[senders][x] > 0 && s.toMeet[receivers][x] > 0; {
		again = false
		for _, lane := range s.boxes[x].recvs {
			for _, id := range s.waiting(lane) {
				if s.met.has(id) {
					continue
				}
				if send := s.forced(id); send != none {
					s.meet(id, send)
					again = true
				}
			}
		}
	}
}

// waiting are the started parts of a lane, from the first that has not met.
func (s *state) waiting(lane int32) []int32 {
	row, head := s.lanes[lane].parts, s.head[lane]
	for head < s.posted[lane] && s.met.has(row[head]) {
		head++
	}
	s.head[lane] = head
	return row[head:s.posted[lane]]
}

// forced gives the message that a receive or probe meets whatever happens, or none.
func (s *state) forced(id int32) int32 {
	if s.parts[id].contested {
		return none
	}
	found := none
	for _, lane := range s.boxes[s.parts[id].box].sends {
		send := s.candidate(id, lane)
		if send == none {
			continue
		}
		if found == none {
			found = send
		}
		// A probe may see any of them; best what it saw in the recorded run, after which the program's next calls were
		// chosen.
		if s.rank(s.parts[send].thread) == s.ref(id).part(s.log).Matched {
			return send
		}
	}
	if p := &s.parts[id]; found != none && p.kind == op.Probe && p.any && s.ref(id).part(s.log).Matched >= 0 &&
		!s.hurry {
		s.unseen = append(s.unseen, p.box)
		return none
	}
	return found
}

// candidate gives the message of a lane that a receive or probe may be given now, or none, by the order of MPI-4.0,
// 3.5: the first of its sender that fits, unless a receive before it is still open for that one.
func (s *state) candidate(id, lane int32) int32 {
	p := &s.parts[id]
	if !p.any && s.lanes[p.lane].source != s.lanes[lane].source {
		return none
	}
	for _, send := range s.waiting(lane) {
		if !s.met.has(send) && s.fit(p, &s.parts[send]) {
			if s.claimed(id, send) {
				return none
			}
			return send
		}
	}
	return none
}

// claimed says whether the same thread has an open receive for the message before this one.
func (s *state) claimed(id, send int32) bool {
	p := &s.parts[id]
	for _, lanes := range s.boxes[p.box].threads {
		if s.lanes[lanes[0]].thread != p.thread {
			continue
		}
		for _, lane := range lanes {
			from := s.lanes[lane].source
			if from != op.AnySource && from != s.lanes[s.parts[send].lane].source {
				continue
			}
			for _, e := range s.waiting(lane) {
				if e >= id {
					break
				}
				if !s.met.has(e) && s.parts[e].kind == op.Recv && s.fit(&s.parts[e], &s.parts[send]) {
					return true
				}
			}
		}
	}
	return false
}

// meet makes a match.
func (s *state) meet(recv, send int32) {
	s.past = &event{before: s.past, recv: recv, send: send}
	r := &s.parts[recv]
	s.matched(recv, send)
	s.toMeet[receivers][r.box]--
	s.done(recv)
	if r.kind == op.Probe {
		return
	}
	s.toMeet[senders][r.box]--
	s.done(send)
	if s.toMeet[senders][r.box] > 0 && s.toMeet[receivers][r.box] > 0 {
		s.dirty = append(s.dirty, r.box)
	}
}

func (s *state) done(id int32) {
	s.met.set(id)
	s.queue = append(s.queue, s.parts[id].thread)
	s.queue = append(s.queue, s.waiters[id]...)
}

// leave lets a thread go from its call, which reports some of what it waits for if it is one that ends with any.
func (s *state) leave(t int32, reported []int32) {
	o := s.op(t, s.at[t])
	if o.Any {
		if reported == nil {
			reported = s.report(t, o)
		}
		s.past = &event{before: s.past, recv: none, send: none, thread: t, op: s.at[t], reported: reported}
		s.study(t, o, reported)
		for _, id := range reported {
			s.setOver(id)
		}
	} else {
		s.study(t, o, nil)
		for _, w := range s.log.Threads[t].WaitsOf(o) {
			s.setOver(s.of(&w))
		}
	}
	s.at[t]++
	s.enter(t)
}

func (s *state) setOver(id int32) {
	if n := s.parts[id].over; n != none {
		s.over.set(n)
	}
}

func (s *state) isOver(id int32) bool {
	n := s.parts[id].over
	return n != none && s.over.has(n)
}

// report chooses what a call reports where it does not matter: what it did in the recorded run if that is complete.
func (s *state) report(t int32, o *trace.Op) []int32 {
	var first, done []int32
	waits := s.log.Threads[t].WaitsOf(o)
	for i := range waits {
		id := s.of(&waits[i])
		if s.isOver(id) || s.complete(id) != always {
			continue
		}
		if waits[i].Done && (len(done) == 0 || s.some(o)) {
			done = append(done, id)
		}
		if first == nil {
			first = []int32{id}
		}
	}
	if done != nil {
		return done
	}
	return first
}
