package exact

import (
	"slices"

	"unknot/internal/model/waitfor"
	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// A log has the calls that followed on what was received in the recorded run. On the way to a deadlock other messages
// may be received, and a program that looks at them may then make other calls. So the state follows, for each thread,
// whether it has left a call with something else than in the recorded run: it has learnt something. That is
//
//   - a receive or probe that met another message, or one that was sent by a thread that had learnt something by then, so that its
//     data may be other data;
//   - a call that ends with any of its requests and reported others;
//   - a collective with a member that had learnt something, or a synchronous send that only a receive of such a thread took.
//
// Where nothing is known of a recorded run (a log that was written by hand), each receive that several messages fit,
// and each call that may report one of several requests, counts as another.

// lesson is a call with which a thread has learnt something.
type lesson struct {
	before     *lesson
	thread, op int32
	own        bool // by what it met or reported itself, not by what others had learnt
}

// What the recorded run says of the message that a receive or probe met, if not which it was.
const (
	notRecorded = none // nothing
	notTraced   = -2   // something that does not fit the log, or depends on the order of threads
)

// recorded finds the messages that receives and probes met in the recorded run. Messages of one sender with one tag are
// received in the order of their receives (MPI-4.0, 3.5), so the n-th receive that met such a message met the n-th of
// them.
func (m *model) recorded() {
	m.was = make([]int32, len(m.parts))
	taken := make([]int32, len(m.fits)) // by signature of sends
	// by signature of sends: it is not known how many have been taken. Of receives: it has made them so
	blurred := make([]bool, len(m.fits))
	type from struct {
		rank op.Rank
		tag  int32
	}
	for b := range m.boxes {
		x := &m.boxes[b]
		sigs := make(map[from]int32)
		for s := range x.sends {
			l := &m.lanes[x.sends[s]]
			for _, id := range l.parts {
				p := &m.parts[id]
				key := from{m.rank(l.thread), p.tag}
				if other, ok := sigs[key]; ok && other != p.sig {
					sigs[key] = none // two threads send
				} else if !ok {
					sigs[key] = p.sig
				}
			}
		}
		var recvs []int32
		for _, lane := range x.recvs {
			recvs = append(recvs, m.lanes[lane].parts...)
		}
		slices.Sort(recvs)
		for _, id := range recvs {
			p := m.ref(id).part(m.log)
			mine := m.parts[id].sig
			sig, ok := sigs[from{p.Matched, p.MatchedTag}]
			traced := p.Matched >= 0 && ok && sig != none && len(x.threads) == 1 &&
				int(taken[sig]) < len(m.fits[sig].parts) && !blurred[sig]
			switch {
			case traced:
				m.was[id] = m.fits[sig].parts[taken[sig]]
			case p.Matched >= 0:
				m.was[id] = notTraced
			default:
				m.was[id] = notRecorded
				if with := m.fits[mine].with; len(with) == 1 {
					sig, traced = with[0], true // which it took is known all the same
				}
			}
			if p.Kind != op.Recv {
				continue
			}
			if traced {
				taken[sig]++
			} else if !blurred[mine] {
				blurred[mine] = true
				for _, w := range m.fits[mine].with {
					blurred[w] = true
				}
			}
		}
	}
	// Which message a receive gets is also open where a contested one may take it before.
	m.doubtful = make([]bool, len(m.fits))
	for _, id := range m.disputed {
		for _, w := range m.fits[m.parts[id].sig].with {
			m.doubtful[w] = true
		}
	}
}

// differs says whether a receive or probe has met something else than in the recorded run.
func (m *model) differs(recv, send int32) bool {
	switch m.was[recv] {
	case notTraced:
		return true
	case notRecorded:
		p := &m.parts[recv]
		return p.contested || m.doubtful[m.parts[send].sig] || p.kind == op.Probe && m.several(recv)
	}
	return m.was[recv] != send
}

// matched notes what a match means for what threads learn.
func (s *state) matched(recv, send int32) {
	r, m := &s.parts[recv], &s.parts[send]
	if s.strange.has(send) {
		// The real program might send something else, which would meet another receive.
		s.learn(r.thread, r.op, false)
	}
	if s.strange.has(recv) && m.keeps == never {
		s.strange.set(send)
	}
	if s.differs(recv, send) {
		s.strange.set(recv)
	}
}

func (s *state) learn(t, at int32, own bool) {
	if !s.learnt.has(t) {
		s.learnt.set(t)
		s.lessons = &lesson{before: s.lessons, thread: t, op: at, own: own}
	}
}

// study notes what a thread learns as it leaves its call, before the call is over.
func (s *state) study(t int32, o *trace.Op, reported []int32) {
	if s.learnt.has(t) {
		return
	}
	waits := s.log.Threads[t].WaitsOf(o)
	if !o.Any {
		for i := range waits {
			s.look(t, s.of(&waits[i]))
		}
		return
	}
	for _, id := range reported {
		s.look(t, id)
	}
	if s.otherwise(waits, reported) {
		s.learn(t, s.at[t], true)
	}
}

// look notes what a thread learns from a part that is complete.
func (s *state) look(t, id int32) {
	p := &s.parts[id]
	if s.strange.has(id) || p.group != none && s.spoilt.has(p.group) {
		s.learn(t, s.at[t], p.kind == op.Recv || p.kind == op.Probe)
	}
}

// otherwise says whether a call has reported other requests than in the recorded run.
func (s *state) otherwise(waits []trace.Wait, reported []int32) bool {
	known, open, same := false, 0, 0
	for i := range waits {
		id := s.of(&waits[i])
		known = known || waits[i].Done
		if !s.isOver(id) {
			open++
		}
		if waits[i].Done == slices.Contains(reported, id) {
			same++
		}
	}
	if !known {
		return open > 1
	}
	return same < len(waits)
}

// early says whether a call that ends with any of its requests had better wait for those that it reported in the
// recorded run.
func (s *state) early(t int32) bool {
	o := s.op(t, s.at[t])
	if !o.Any {
		return false
	}
	waits := s.log.Threads[t].WaitsOf(o)
	return slices.ContainsFunc(waits, func(w trace.Wait) bool { return w.Done && s.complete(s.of(&w)) != always })
}

// certain says whether a deadlock needs no replay, because its core makes the calls that it is said to make whatever
// the program does with what differs from the recorded run. If not, it names a call after which the program's calls may
// be others.
//
// The argument: take the threads of the core, and those that are finished and could have helped it. If none of them has
// learnt anything, each has seen what it saw in the recorded run in every call that it has left, down to the data of
// the messages, and so makes the calls of the log up to the one that it never leaves, or to its end. What they have
// seen came from threads that had not learnt anything either when they sent it, or entered the collective; so there is
// a run in which all other threads come far enough, whatever they do later. And what they do later does not help: the
// core waits only for what its own threads and the finished ones could do. A thread in a poll is not held by it and may
// do something else.
func (h *harvest) certain(s *state, stuck []Stuck, core []waitfor.Node) (bool, Call) {
	var first Call
	found, sure := false, true
	for l := s.lessons; l != nil; l = l.before { // the oldest that is its thread's own
		if l.own || !found {
			first, found = Call{uint32(l.thread), uint32(l.op)}, true
		}
	}
	check := func(t int32) {
		if s.learnt.has(t) {
			sure = false
		}
	}
	for _, n := range core {
		t := int32(n)
		check(t)
		if s.polls(s.op(t, s.at[t])) && sure {
			return false, Call{uint32(t), uint32(s.at[t])}
		}
		i := slices.IndexFunc(stuck, func(x Stuck) bool { return int32(x.Thread) == t })
		for _, w := range stuck[i].Waits {
			for _, r := range s.needs(s.base[w.Part.Thread] + int32(w.Part.Part)) {
				if r < 0 || int(r) >= len(s.byRank) {
					continue
				}
				for _, u := range s.byRank[r] {
					if s.finished(u) {
						check(u)
					}
				}
			}
		}
	}
	if sure && h.choices && len(s.log.Threads) > s.log.Head.Ranks {
		// What the threads of a rank tell each other is not in the log.
		return false, Call{uint32(core[0]), uint32(s.at[core[0]])}
	}
	return sure, first
}

// needs are the ranks one of which, or all of which, a part waits for that is not complete.
func (s *state) needs(id int32) []op.Rank {
	p := &s.parts[id]
	from := s.ref(id).part(s.log)
	switch {
	case !s.started(id):
		return []op.Rank{s.rank(p.thread)}
	case p.kind == op.Coll:
		return s.missing(id)
	case p.any:
		return s.log.Comms[from.Comm].Peers(s.rank(p.thread))
	}
	return []op.Rank{from.Peer}
}
