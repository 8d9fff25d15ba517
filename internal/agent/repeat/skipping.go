package repeat

import (
	"cmp"
	"slices"

	"unknot/internal/agent/calls"
	"unknot/internal/model/fold"
	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/observe/ring"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// Add takes the first ring of a rank in. after is how many records must have repeated others before calls are left out;
// 0 for as many as pay.
func (fd *Folding) Add(s *Source, after uint64) {
	s.stream.Least = after
	world := func(s *Source) op.Rank { return s.Thread.Rank.World }
	i, _ := slices.BinarySearchFunc(fd.sources, world(s), func(o *Source, w op.Rank) int {
		return cmp.Compare(world(o), w)
	})
	fd.sources = slices.Insert(fd.sources, i, s)
	fd.byRank[world(s)] = s
}

// Operation takes in what a call starts, if it belongs to a period that is being learned.
func (s *Source) Operation(o *waitstate.Op, f *mpi.Func) {
	if s.following != nil {
		s.following.operation(o, f)
	}
}

// LookAgain has groups looked at again that were too far from each other.
func (fd *Folding) LookAgain() { fd.stale = fd.stale || fd.apart }

// Message takes in what another agent says of groups over agents, if it is about these.
func (fd *Folding) Message(m message.Message) {
	switch m := m.(type) {
	case message.Join:
		fd.joinGroup(&m)
	case message.Sent:
		fd.hearSent(&m)
	case message.Count:
		fd.count(&m)
	case message.LeaveOut:
		fd.leaveOutOf(&m)
	case message.Disband:
		fd.disband(m.Group)
	case message.Repeats, message.Near, message.Full, message.Counted:
		fd.leadOn(m)
	}
}

// Lost takes in that an agent is lost.
func (fd *Folding) Lost(agent int) {
	if agent == leadingAgent {
		fd.Renounce()
		fd.resume()
	} else {
		fd.loseMember(agent)
	}
}

// Defer has a consistent state wait for what is promised; false if nothing is.
func (fd *Folding) Defer(round int) bool {
	if !fd.promised() {
		return false
	}
	fd.due = &round
	return true
}

// Forget drops a consistent state that waits: the root is lost.
func (fd *Folding) Forget() { fd.due = nil }

// mostHeld bounds the calls of a thread that the strict view has not passed yet and that are moved when periods are
// left out.
const mostHeld = 1 << 12

// folds says whether records of a rank may be left out.
func (fd *Folding) folds(s *Source) bool { return fd.On && s.Single() }

// Skim reads what repeats, and leaves out what can be. It says whether there was anything.
func (fd *Folding) Skim() (busy bool) {
	if !fd.On {
		return false
	}
	for _, s := range fd.sources {
		s.skipped = false
		busy = fd.compare(s) || busy
	}
	fd.leaveOut()
	fd.fill()
	return busy
}

// compare reads what repeats of one rank.
func (fd *Folding) compare(s *Source) (busy bool) {
	if s.stream.Phase() != fold.Repeating || s.Thread.Rank.Lost || s.Promised() {
		return false
	}
	if !fd.folds(s) {
		fd.unfold(s)
		return false
	}
	counted := s.Ring.SkimRepeated(s.stream.Period(), ring.FoldAhead-s.stream.Ahead())
	s.stream.Trust(counted)
	n, other := s.Ring.Skim(s.stream.Match, mostAhead-s.stream.Ahead())
	s.Ring.Commit()
	if other {
		fd.host.More()
		fd.unfold(s)
	}
	if counted+n > 0 {
		s.grown = fd.follow.Now
	}
	return counted+n > 0
}

// ReadOut reads all that the process of a source has written, and hands all of it on: it has ended. read reads what
// does not repeat, and says whether there was anything.
func (fd *Folding) ReadOut(s *Source, read func() bool) {
	s.part()
	for busy := true; busy; {
		s.skipped = false
		busy = fd.compare(s)
		busy = read() || busy
	}
}

// unfold ends the repetition of a source.
func (fd *Folding) unfold(s *Source) {
	s.part()
	s.stream.Leave()
	s.summary, fd.stale = nil, true
}

// leaveOut leaves out the periods that all ranks of a group have gone through.
func (fd *Folding) leaveOut() {
	if fd.stale {
		fd.stale = false
		fd.groups = fd.grouped()
	}
	for _, g := range fd.groups {
		fd.skipAll(g, through(g))
	}
}

// through is how many periods all sources of a group have gone through that can be left out.
func through(group []*Source) int {
	periods, stands := mostAhead, stands(group) // no group is empty
	for _, s := range group {
		if s.Thread.WS.Lag() > mostHeld || stands && s.underWay() {
			return 0
		}
		periods = min(periods, s.stream.Ahead()/s.stream.Period()/s.times)
	}
	return periods
}

// stands says whether the strict view of a group may stand for the rest of the run: it has not passed all that some
// source did before it began to repeat.
func stands(group []*Source) bool {
	return slices.ContainsFunc(group, func(s *Source) bool {
		o := s.Thread.WS.Strict()
		return o != nil && int32(o.Stamp-s.since) < 0
	})
}

// underWay says whether the call that the strict view has come to has sent a message that has met no receive. It is a
// later one of the messages on its way when periods are left out, and the same call as before where the strict view
// stands.
func (s *Source) underWay() bool {
	o := s.Thread.WS.Strict()
	return o != nil && slices.ContainsFunc(o.Posts, func(p *waitstate.Part) bool {
		return p.Kind == op.Send &&
			!p.Matched()
	})
}

// skipAll leaves out so many periods of a group.
func (fd *Folding) skipAll(group []*Source, periods int) {
	if periods == 0 {
		return
	}
	stands := stands(group)
	for _, s := range group {
		fd.skip(s, periods*s.times, stands)
	}
}

// skip leaves out periods of a source. stands says whether the strict view of its group may stand.
func (fd *Folding) skip(s *Source, periods int, stands bool) {
	p, t, n := s, s.Thread, uint32(periods)
	more, grows := uint64(periods)*p.summary.calls, p.summary.grows
	by := n * uint32(p.stream.Period())
	fd.repeated(s, n)
	fd.later(s, by, stands)
	p.stream.Skip(periods)
	t.Shift(by, calls.Counts{Sends: n * grows.Sends, Probes: n * grows.Probes, Choices: n * grows.Choices})
	p.skipped = true
	t.Calls, fd.follow.Calls, fd.Calls = t.Calls+more, fd.follow.Calls+more, fd.Calls+more
	for site, n := range p.summary.sites {
		t.Visits.Add(site, n*uint64(periods))
	}
	s.LeftOut(uint64(periods), more)
	t.Rank.Stamped += uint64(periods) * uint64(p.stream.Period())
}

// later moves the calls of a source that are still of interest, as their messages or collectives are not complete, to
// as many records later: what is left out stands for equal calls before them, so that a finding names the last of them.
// Where the strict view stands, what it has not passed stays where it is, except for the calls of the last period.
func (fd *Folding) later(s *Source, by uint32, stands bool) {
	t, l := s.Thread, s.summary
	moved := make(map[*waitstate.Origin]bool)
	move := func(o *waitstate.Origin) {
		if o != nil && o.Rank == t.Rank.World && int32(o.Stamp-s.since) >= 0 && !moved[o] {
			moved[o] = true
			o.Stamp += by
		}
	}
	held, from := move, t.Stamp-uint32(s.stream.Period())
	if stands {
		held = func(o *waitstate.Origin) {
			if o != nil && int32(o.Stamp-from) > 0 {
				move(o)
			}
		}
	}
	t.WS.Held(held)
	for o := range t.Recent.All {
		move(o)
	}
	t.Rank.Objects.Pending(func(q *objects.Request) {
		move(q.Created)
		for _, p := range q.Parts {
			move(p.Origin)
		}
	})
	for _, way := range []map[flow]int{l.sent, l.got} {
		for f := range way {
			fd.node.HeldOn(f.dst, f.ctx, move)
		}
	}
	if s.joint != nil {
		fd.node.HeldAway(t.Rank.World, move)
	}
	for _, w := range l.waves {
		w.member.Group.Open(func(p *waitstate.Part) { held(p.Origin) })
	}
}

// HandOn handles records that were compared and not left out, unless more can soon be left out; false if there are
// none.
func (fd *Folding) HandOn(s *Source) bool {
	if s.stream.Ahead() > 0 && (s.skipped || fd.waits(s)) {
		return true
	}
	return fd.handBatch(s)
}

// handBatch handles a batch of records that were compared and not left out; false if there are none.
func (fd *Folding) handBatch(s *Source) bool {
	p := &s.stream
	if p.Ahead() == 0 {
		return false
	}
	for range min(BatchSize, p.Ahead()) {
		rec := p.Next()
		s.Hand(rec)
	}
	if p.Ahead() > 0 {
		fd.host.More()
	}
	return true
}

// HandOnAll handles all records that were compared and not left out.
func (fd *Folding) HandOnAll() {
	for _, s := range fd.sources {
		for fd.handBatch(s) {
		}
	}
}

// Take handles a record as it came, and looks whether it repeats others.
func (fd *Folding) Take(s *Source, rec *ring.Record) {
	if !fd.On {
		s.Hand(rec)
		return
	}
	t, p := s.Thread, s
	if p.stream.Phase() == fold.Repeating {
		if p.stream.Match(rec) {
			return
		}
		fd.unfold(s)
	}
	for p.stream.Ahead() > 0 {
		s.Hand(p.stream.Next())
	}
	phase, first := p.stream.Take(rec)
	if first {
		fd.beginSummary(s)
	}
	if phase == fold.Watching {
		s.following = nil
		fd.Log.Leave(s.Log)
		s.Hand(rec)
		return
	}
	s.following.record(t.Rank, fd.follow.Table.ByID(rec.Func), rec)
	s.Hand(rec)
	if phase != fold.Learned {
		return
	}
	if l, good := fd.endSummary(s); good {
		p.summary, fd.stale = l, true
		p.stream.Accept()
		p.since = rec.Stamp + 1 - uint32(p.stream.Period()*p.stream.Proven())
		return
	}
	p.stream.Refuse()
}
