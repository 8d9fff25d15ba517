package detect

import (
	"slices"
	"time"

	"unknot/internal/model/waitstate"
	"unknot/internal/say/explain"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// A call is held up if everything that it needs has been called on the other side, and it does not return. MPI has to
// complete it then, whatever the program does (MPI-4.0, 3.5 and 6.1), as long as all processes that take part are in
// MPI: one that computes need not see to the messages of others (MPI-4.1, 2.9, weak progress). So what holds it up is
// the MPI library or what is below it: the network, the system.

// heldUp are the threads in such calls, with those that take part, all of which are in MPI. Whether they have been
// there for longer than it takes is another question.
func (b *build) heldUp() (list []nodeID, parties []nodeID) {
	if len(b.users) > 0 || b.present < b.size {
		return nil, nil
	}
	for i, w := range b.threads {
		if !b.inside(w) || !b.met(w) {
			continue
		}
		with, ok := b.takesPart(w)
		if !ok {
			continue
		}
		list = append(list, nodeID(i))
		parties = append(append(parties, nodeID(i)), with...)
	}
	slices.Sort(parties)
	return list, slices.Compact(parties)
}

// inside says whether a thread is in a call of which it is known what that needs, or polls.
func (b *build) inside(w *message.Wait) bool {
	return w.State == message.Blocked || w.State == message.Polling || w.State == message.Running && w.Inside
}

// met says whether everything that a call waits for has been called on the other side.
func (b *build) met(w *message.Wait) bool {
	is := func(n waitstate.Need) bool { return b.isMet(w, &n) }
	if w.Real.Any {
		return slices.ContainsFunc(w.Real.Needs, is)
	}
	return len(w.Real.Needs) > 0 && !slices.ContainsFunc(w.Real.Needs, func(n waitstate.Need) bool { return !is(n) })
}

// isMet says whether one need is met: a lock if no other rank may hold one.
func (b *build) isMet(w *message.Wait, n *waitstate.Need) bool {
	return n.Met || n.Kind == waitstate.NeedUnlock && len(b.lockHolders(w.Rank, n)) == 0
}

// takesPart are the threads of the ranks that take part in what a call waits for; false if some of these ranks may not
// see to it now.
func (b *build) takesPart(w *message.Wait) (nodes []nodeID, ok bool) {
	for i := range w.Real.Needs {
		n := &w.Real.Needs[i]
		if !b.isMet(w, n) {
			continue
		}
		ranks, known := b.partners(w, n)
		if !known {
			return nil, false
		}
		for _, r := range ranks {
			if !b.inMPI(r) {
				return nil, false
			}
			for _, k := range b.threadsOf(r) {
				nodes = append(nodes, nodeID(k))
			}
		}
	}
	return nodes, true
}

// partners are the other ranks that take part in what a call needs.
func (b *build) partners(w *message.Wait, n *waitstate.Need) (ranks []op.Rank, known bool) {
	switch n.Kind {
	case waitstate.NeedMessage:
		r := n.Rank
		if r == op.AnySource {
			r = n.There
		}
		return []op.Rank{r}, r >= 0
	case waitstate.NeedReceive:
		return []op.Rank{n.Rank}, n.Rank >= 0
	case waitstate.NeedMembers, waitstate.NeedTarget, waitstate.NeedUnlock:
		if n.Kind != waitstate.NeedMembers && n.Rank != op.AnySource {
			return []op.Rank{n.Rank}, n.Rank >= 0
		}
		members, known := b.groups[n.Ctx]
		if !known {
			return nil, false
		}
		for m := range members.All() {
			if m != w.Rank {
				ranks = append(ranks, m)
			}
		}
		return ranks, true
	}
	return nil, false
}

// inMPI says whether a rank sees to its messages, and is not to release data first that others wait for: one of its
// threads waits or polls in MPI, or it is in MPI_Finalize or past it.
func (b *build) inMPI(r op.Rank) bool {
	in := false
	for _, i := range b.threadsOf(r) {
		w := b.threads[i]
		switch w.State {
		case message.Dead:
			return false
		case message.Blocked, message.Polling:
			if slices.ContainsFunc(w.Real.Needs, func(n waitstate.Need) bool {
				return n.Kind == waitstate.NeedSelf
			}) {
				return false
			}
			in = true
		case message.Finished, message.Leaving:
			in = true
		default:
			in = in || w.Inside
		}
	}
	return in
}

// idlers are the ranks outside of MPI that take part in what a call needs, while both sides of it have been called.
func (b *build) idlers(w *message.Wait) (ranks []op.Rank) {
	if !b.inside(w) {
		return nil
	}
	for i := range w.Real.Needs {
		n := &w.Real.Needs[i]
		if !b.isMet(w, n) {
			continue
		}
		of, _ := b.partners(w, n)
		for _, r := range of {
			if r >= 0 && int(r) < b.size && !b.inMPI(r) && !slices.Contains(ranks, r) {
				ranks = append(ranks, r)
			}
		}
	}
	return ranks
}

// patience is for how long threads that may be held up are given the processor before it is reported where the ranks
// are. They are looked at again after as long: on a machine that is busy with other things they take their time.
const patience = 15 * time.Second

// holds looks for calls that are held up, in a job that stands still. again says that it is to be asked once more, as
// some of the threads have not had the processor yet.
func (v *surveys) holds(b *build, s *stayed) (list []nodeID, again bool) {
	if v.wanted.signal != "" || v.findings.concernCalls() {
		return nil, false
	}
	list, parties := b.heldUp()
	if len(list) == 0 {
		return nil, false
	}
	threads := make([]*message.Wait, 0, len(parties))
	for _, n := range parties {
		threads = append(threads, b.threads[n])
	}
	if s.twice(standing, threads) && b.long(list, v.now.Sub(v.advance.at)) {
		return list, false
	}
	return nil, true
}

// lockPatience is how long a lock or unlock may take that waits for no other rank: the library has to move what was put
// into the window, too.
const lockPatience = 10 * time.Second

// long says whether all threads that are held up, in a job that has stood still for some time, have been in their calls
// for longer than all data of these takes.
func (b *build) long(list []nodeID, still time.Duration) bool {
	var calls []*message.Stranded
	for _, n := range list {
		switch w := b.threads[n]; {
		case w.Stranded != nil:
			calls = append(calls, w.Stranded)
		case w.State == message.Polling:
		case !w.Evidence || still < lockPatience || slices.ContainsFunc(w.Real.Needs, func(n waitstate.Need) bool {
			return n.Kind != waitstate.NeedUnlock
		}):
			return false
		}
	}
	return longEnough(calls)
}

// concernCalls says whether an error is known after which calls may never return.
func (l *findings) concernCalls() bool {
	return slices.ContainsFunc(l.order, func(t *grouped) bool {
		return t.Severity == finding.Error && t.Standing == finding.Manifest
	})
}

// heldUp makes a finding of the threads of a survey that are held up; false if some of them have got on meanwhile, or a
// process that takes part is stopped.
func (v *surveys) heldUp(st *explain.Standstill, q *question) (f finding.Finding, is bool) {
	if len(q.held) == 0 {
		return f, false
	}
	h := explain.HeldUp{Still: st.Still}
	h.Code, h.Alike, h.Located = finding.StalledInLibrary, st.Alike, q.located
	b := q.build
	held, stuck := make(map[message.Key]bool), make(map[message.Key]bool)
	for _, n := range q.held {
		held[b.threads[n].Key(false)] = true
		b.g.Block(n, []nodeID{b.g.Never()})
	}
	for _, n := range b.g.Dead() {
		stuck[b.threads[n].Key(false)] = true
	}
	for i := range st.Members {
		m := &st.Members[i]
		if stay := m.Described.Place.Stay; stay != nil && (stay.Process == "stopped" || stay.Process == "traced") {
			return f, false
		}
		if !held[m.Described.Key] {
			if stuck[m.Described.Key] {
				h.Others = append(h.Others, *m)
			}
			continue
		}
		if !m.Described.Still {
			return f, false
		}
		h.Members = append(h.Members, *m)
	}
	if len(h.Members) == 0 {
		return f, false
	}
	return h.Finding(), true
}
