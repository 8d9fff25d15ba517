package agent

import (
	"slices"
	"time"

	"unknot/internal/agent/calls"
	"unknot/internal/model/fold"
	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/observe/ring"
	"unknot/internal/vocab/op"
)

// When ranks that communicate among themselves alone all repeat the same calls, the agent leaves out whole periods of
// all of them at once: what is left is the record of a run with fewer iterations, in which all matches and all waits
// are the same (docs/architecture.md, Folding). It goes by the records alone: what was read is compared with a period
// that is kept (package fold), and waits to be handed on until it is known how many periods every rank of the group has
// gone through.

// folding is what the agent knows of the ranks that repeat.
type folding struct {
	on     bool
	stale  bool // some rank has begun or ended to repeat
	groups [][]*source
	apart  bool   // some group is none as its ranks are too far from each other
	calls  uint64 // that were left out
	across across
}

// repeats is the part of a source in folding.
type repeats struct {
	stream  fold.Stream
	lesson  *lesson // of the period; nil unless the stream is repeating
	since   uint32  // the stamp at which it has begun
	times   int     // periods of it to one of its group
	skipped bool    // periods were left out in this turn
	joint   *joint  // the group with ranks of other agents to which it belongs
	grown   time.Time
}

// mostAhead bounds what waits to be handed on, in records.
const mostAhead = 1 << 14

// mostHeld bounds the calls of a thread that the strict view has not passed yet and that are moved when periods are
// left out.
const mostHeld = 1 << 12

// folds says whether records of a rank may be left out.
func (a *Agent) folds(r *rank) bool {
	return a.folding.on && len(r.sources) == 1 && r.level <= funneled
}

// skim reads what repeats, and leaves out what can be. It says whether there was anything.
func (a *Agent) skim() (busy bool) {
	if !a.folding.on {
		return false
	}
	for _, r := range a.order {
		r.sources[0].repeats.skipped = false
		busy = a.compare(r) || busy
	}
	a.leaveOut()
	a.fill()
	return busy
}

// compare reads what repeats of one rank.
func (a *Agent) compare(r *rank) (busy bool) {
	s := r.sources[0]
	if s.repeats.stream.Phase() != fold.Repeating || r.Lost || s.promised() {
		return false
	}
	if !a.folds(r) {
		a.unfold(s)
		return false
	}
	counted := s.ring.SkimRepeated(s.repeats.stream.Period(), ring.FoldAhead-s.repeats.stream.Ahead())
	s.repeats.stream.Trust(counted)
	n, other := s.ring.Skim(s.repeats.stream.Match, mostAhead-s.repeats.stream.Ahead())
	s.ring.Commit()
	if other {
		a.more = true
		a.unfold(s)
	}
	if counted+n > 0 {
		s.repeats.grown = a.now
	}
	return counted+n > 0
}

// readOut reads all that a rank has written, and hands all of it on: its process has ended.
func (a *Agent) readOut(r *rank) {
	r.sources[0].part()
	for busy := true; busy; {
		r.sources[0].repeats.skipped = false
		busy = a.compare(r)
		busy = a.readRank(r) || busy
	}
}

// unfold ends the repetition of a source.
func (a *Agent) unfold(s *source) {
	s.part()
	s.repeats.stream.Leave()
	s.repeats.lesson, a.folding.stale = nil, true
}

// leaveOut leaves out the periods that all ranks of a group have gone through.
func (a *Agent) leaveOut() {
	if a.folding.stale {
		a.folding.stale = false
		a.folding.groups = a.grouped()
	}
	for _, g := range a.folding.groups {
		a.skipAll(g, through(g))
	}
}

// through is how many periods all sources of a group have gone through that can be left out.
func through(group []*source) int {
	periods, stands := mostAhead, stands(group) // no group is empty
	for _, s := range group {
		if s.thread.WS.Lag() > mostHeld || stands && s.underWay() {
			return 0
		}
		periods = min(periods, s.repeats.stream.Ahead()/s.repeats.stream.Period()/s.repeats.times)
	}
	return periods
}

// stands says whether the strict view of a group may stand for the rest of the run: it has not passed all that some
// source did before it began to repeat.
func stands(group []*source) bool {
	return slices.ContainsFunc(group, func(s *source) bool {
		o := s.thread.WS.Strict()
		return o != nil && int32(o.Stamp-s.repeats.since) < 0
	})
}

// underWay says whether the call that the strict view has come to has sent a message that has met no receive. It is a
// later one of the messages on its way when periods are left out, and the same call as before where the strict view
// stands.
func (s *source) underWay() bool {
	o := s.thread.WS.Strict()
	return o != nil && slices.ContainsFunc(o.Posts, func(p *waitstate.Part) bool {
		return p.Kind == op.Send &&
			!p.Matched()
	})
}

// skipAll leaves out so many periods of a group.
func (a *Agent) skipAll(group []*source, periods int) {
	if periods == 0 {
		return
	}
	stands := stands(group)
	for _, s := range group {
		a.skip(s, periods*s.repeats.times, stands)
	}
}

// skip leaves out periods of a source. stands says whether the strict view of its group may stand.
func (a *Agent) skip(s *source, periods int, stands bool) {
	p, t, n := &s.repeats, s.thread, uint32(periods)
	more, grows := uint64(periods)*p.lesson.calls, p.lesson.grows
	by := n * uint32(p.stream.Period())
	a.repeated(s, n)
	a.later(s, by, stands)
	p.stream.Skip(periods)
	t.Shift(by, calls.Counts{Sends: n * grows.Sends, Probes: n * grows.Probes, Choices: n * grows.Choices})
	p.skipped = true
	t.Calls, a.follow.Calls, a.folding.calls = t.Calls+more, a.follow.Calls+more, a.folding.calls+more
	for site, n := range p.lesson.sites {
		t.Visits.Add(site, n*uint64(periods))
	}
	if t.track != nil {
		t.track.leftOut(uint64(periods), more)
	}
	t.entered = a.now
	t.rank.Stamped += uint64(periods) * uint64(p.stream.Period())
}

// later moves the calls of a source that are still of interest, as their messages or collectives are not complete, to
// as many records later: what is left out stands for equal calls before them, so that a finding names the last of them.
// Where the strict view stands, what it has not passed stays where it is, except for the calls of the last period.
func (a *Agent) later(s *source, by uint32, stands bool) {
	t, l := s.thread, s.repeats.lesson
	moved := make(map[*waitstate.Origin]bool)
	move := func(o *waitstate.Origin) {
		if o != nil && o.Rank == t.rank.World && int32(o.Stamp-s.repeats.since) >= 0 && !moved[o] {
			moved[o] = true
			o.Stamp += by
		}
	}
	held, from := move, t.Stamp-uint32(s.repeats.stream.Period())
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
	t.rank.Objects.Pending(func(q *objects.Request) {
		move(q.Created)
		for _, p := range q.Parts {
			move(p.Origin)
		}
	})
	for _, way := range []map[flow]int{l.sent, l.got} {
		for f := range way {
			a.node.HeldOn(f.dst, f.ctx, move)
		}
	}
	if s.repeats.joint != nil {
		a.node.HeldAway(t.rank.World, move)
	}
	for _, w := range l.waves {
		w.member.Group.Open(func(p *waitstate.Part) { held(p.Origin) })
	}
}

// handOn handles records that were compared and not left out, unless more can soon be left out; false if there are
// none.
func (a *Agent) handOn(s *source) bool {
	if s.repeats.stream.Ahead() > 0 && (s.repeats.skipped || a.waits(s)) {
		return true
	}
	return a.handBatch(s)
}

// handBatch handles a batch of records that were compared and not left out; false if there are none.
func (a *Agent) handBatch(s *source) bool {
	p := &s.repeats.stream
	if p.Ahead() == 0 {
		return false
	}
	for range min(batchSize, p.Ahead()) {
		rec := p.Next()
		s.thread.rank.merge.next, s.thread.rank.merge.known = rec.Stamp+1, true
		a.record(s, rec)
	}
	a.more = a.more || p.Ahead() > 0
	return true
}

// handOnAll handles all records that were compared and not left out.
func (a *Agent) handOnAll() {
	for _, r := range a.order {
		for a.handBatch(r.sources[0]) {
		}
	}
}

// takeRecord handles a record as it came, and looks whether it repeats others.
func (a *Agent) takeRecord(s *source, rec *ring.Record) {
	if !a.folding.on {
		a.record(s, rec)
		return
	}
	t, p := s.thread, &s.repeats
	if p.stream.Phase() == fold.Repeating {
		if p.stream.Match(rec) {
			return
		}
		a.unfold(s)
	}
	for p.stream.Ahead() > 0 {
		a.record(s, p.stream.Next())
	}
	phase, first := p.stream.Take(rec)
	if first {
		a.beginLesson(t)
	}
	if phase == fold.Watching {
		t.lesson = nil
		a.log.Leave(t.log)
		a.record(s, rec)
		return
	}
	t.lesson.record(t.rank, a.table.ByID(rec.Func), rec)
	a.record(s, rec)
	if phase != fold.Learned {
		return
	}
	if l, good := a.endLesson(t); good {
		p.lesson, a.folding.stale = l, true
		p.stream.Accept()
		p.since = rec.Stamp + 1 - uint32(p.stream.Period()*p.stream.Proven())
		return
	}
	p.stream.Refuse()
}
