package agent

import (
	"slices"

	"unknot/internal/fold"
	"unknot/internal/objects"
	"unknot/internal/op"
	"unknot/internal/ring"
	"unknot/internal/waitstate"
)

// When ranks that communicate among themselves alone all repeat the same calls, the agent leaves out whole periods of all of them at once: what
// is left is the record of a run with fewer iterations, in which all matches and all waits are the same (docs/architecture.md, Folding). It goes
// by the records alone: what was read is compared with a period that is kept (package fold), and waits to be handed on until it is known how
// many periods every rank of the group has gone through.

// folding is what the agent knows of the ranks that repeat.
type folding struct {
	on     bool
	stale  bool // some rank has begun or ended to repeat
	groups [][]*source
	apart  bool   // some group is none as its ranks are too far from each other
	calls  uint64 // that were left out
}

// repeats is the part of a source in folding.
type repeats struct {
	stream  fold.Stream
	lesson  *lesson // of the period; nil unless it is accepted
	since   uint32  // the stamp at which it has begun
	times   int     // periods of it to one of its group
	skipped bool    // periods were left out in this turn
}

// mostAhead bounds what waits to be handed on, in records.
const mostAhead = 1 << 14

// mostHeld bounds the calls of a thread that the strict view has not passed yet and that are moved when periods are left out.
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
	return busy
}

// compare reads what repeats of one rank.
func (a *Agent) compare(r *rank) (busy bool) {
	s := r.sources[0]
	if s.repeats.stream.Phase() != fold.Repeating || r.lost {
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
	return counted+n > 0
}

// readOut reads all that a rank has written, and hands all of it on: its process has ended.
func (a *Agent) readOut(r *rank) {
	for busy := true; busy; {
		r.sources[0].repeats.skipped = false
		busy = a.compare(r)
		busy = a.readRank(r) || busy
	}
}

// unfold ends the repetition of a source.
func (a *Agent) unfold(s *source) {
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
		periods := mostAhead
		for _, s := range g {
			periods = min(periods, s.repeats.stream.Ahead()/s.repeats.stream.Period()/s.repeats.times)
			if s.thread.ws.Lag() > mostHeld {
				periods = 0
			}
		}
		if periods == 0 {
			continue
		}
		for _, s := range g {
			a.skip(s, periods*s.repeats.times)
		}
	}
}

// skip leaves out periods of a source.
func (a *Agent) skip(s *source, periods int) {
	p, t, n := &s.repeats, s.thread, uint32(periods)
	calls, grows := uint64(periods)*p.lesson.calls, p.lesson.grows
	by := n * uint32(p.stream.Period())
	a.rec.repeat(s, p.stream.Hand(), n)
	a.later(s, by)
	p.stream.Skip(periods)
	if t.left == t.stamp {
		t.left += by
	}
	if t.use.Stamp == t.stamp {
		t.use.Stamp += by
	}
	t.stamp += by // its last call is the same one, so much later
	p.skipped = true
	t.sends += n * grows.sends
	t.probes += n * grows.probes
	t.choices.next += n * grows.choices
	t.choices.nth += n * grows.choices
	t.calls, a.calls, a.folding.calls = t.calls+calls, a.calls+calls, a.folding.calls+calls
	for site, n := range p.lesson.sites {
		t.visits.add(site, n*uint64(periods))
	}
	if t.track != nil {
		t.track.leftOut(uint64(periods), calls)
	}
	t.entered = a.now
	t.rank.stamped += uint64(periods) * uint64(p.stream.Period())
}

// later moves the calls of a source that are still of interest, as their messages or collectives are not complete, to as many records later: what
// is left out stands for equal calls before them, so that a finding names the last of them.
func (a *Agent) later(s *source, by uint32) {
	t, l := s.thread, s.repeats.lesson
	moved := make(map[*waitstate.Origin]bool)
	move := func(o *waitstate.Origin) {
		if o != nil && o.Rank == t.rank.world && int32(o.Stamp-s.repeats.since) >= 0 && !moved[o] {
			moved[o] = true
			o.Stamp += by
		}
	}
	t.ws.Held(move)
	for i := range min(t.nlast, len(t.last)) {
		move(t.last[i])
	}
	t.rank.objects.Pending(func(q *objects.Request) {
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
	for _, w := range l.waves {
		w.member.Group.Open(func(p *waitstate.Part) { move(p.Origin) })
	}
}

// handOn handles records that were compared and not left out, at most a batch of them; false if there are none.
func (a *Agent) handOn(s *source) bool {
	p := &s.repeats.stream
	if p.Ahead() == 0 {
		return false
	}
	if s.repeats.skipped {
		return true
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
		r.sources[0].repeats.skipped = false
		for a.handOn(r.sources[0]) {
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

// grouped are the groups of sources that repeat and communicate among themselves alone, with how many periods of each go together.
func (a *Agent) grouped() (groups [][]*source) {
	g := grouping{of: make(map[op.Rank]*source), ratio: make(map[*source]ratio), first: make(map[op.CommID]uint64), node: a.node}
	for _, r := range a.order {
		if s := r.sources[0]; s.repeats.lesson != nil && s.repeats.stream.Phase() == fold.Repeating {
			g.of[r.world] = s
		}
	}
	for _, r := range a.order {
		s := g.of[r.world]
		if s == nil {
			continue
		}
		if _, done := g.ratio[s]; done {
			continue
		}
		if list := g.around(s); list != nil {
			groups = append(groups, list)
		}
	}
	a.folding.apart = g.apart
	return groups
}

// ratio is how many periods of a source go together with one of the first of its group.
type ratio struct{ n, d int }

// grouping finds groups.
type grouping struct {
	of    map[op.Rank]*source
	ratio map[*source]ratio    // of those that were met
	first map[op.CommID]uint64 // of contexts whose members were met: how many waves all of them have come to
	list  []*source
	bad   bool
	node  *waitstate.Node
	apart bool // some group would be one, but that its ranks are too far from each other
}

// mostTimes bounds the periods of a source that go together with one of another.
const mostTimes = 1 << 12

// around is the group of a source; nil if it has to do with a rank that does not repeat, or not as often.
func (g *grouping) around(first *source) []*source {
	g.list, g.bad = nil, false
	g.meet(first, ratio{1, 1})
	for i := 0; i < len(g.list); i++ { // it grows
		s := g.list[i]
		l := s.repeats.lesson
		for f, n := range l.sent {
			g.with(s, f.dst, n, func(o *lesson) int { return o.got[f] })
		}
		for f, n := range l.got {
			g.with(s, f.src, n, func(o *lesson) int { return o.sent[f] })
		}
		for ctx, w := range l.waves {
			if _, met := g.first[ctx]; !met {
				g.gather(s, ctx, w)
			}
		}
	}
	common := 1
	for _, s := range g.list {
		common = fold.LCM(common, g.ratio[s].d)
		g.bad = g.bad || common > mostTimes
	}
	if g.bad {
		return nil
	}
	if !g.close() {
		g.apart = true
		return nil
	}
	all := 0
	for _, s := range g.list {
		r := g.ratio[s]
		s.repeats.times = r.n * (common / r.d)
		all = fold.GCD(all, s.repeats.times)
	}
	for _, s := range g.list {
		s.repeats.times /= all
	}
	return slices.Clone(g.list)
}

// close says whether the ranks of a group are so close to each other that what one has done and another has not yet belongs to what the one
// repeats.
func (g *grouping) close() bool {
	for _, s := range g.list {
		l := s.repeats.lesson
		for f, n := range l.got {
			from := &g.of[f.src].repeats
			sends, recvs, undecided := g.node.Open(f.src, f.dst, f.ctx, f.tag)
			if undecided || sends > from.lesson.sent[f]*from.stream.Proven() || recvs > n*s.repeats.stream.Proven() {
				return false
			}
		}
		for ctx, w := range l.waves {
			if w.member.Seq()-g.first[ctx] > uint64(w.n*s.repeats.stream.Proven()) {
				return false
			}
		}
	}
	return true
}

// gather has all members of a context go together with one of them, which takes its turns in their collectives.
func (g *grouping) gather(s *source, ctx op.CommID, w *turns) {
	least := w.member.Seq()
	for m := range w.member.Group.Members.All() {
		g.with(s, m, w.n, func(o *lesson) int {
			t := o.waves[ctx]
			if t == nil {
				return 0
			}
			least = min(least, t.member.Seq())
			return t.n
		})
	}
	g.first[ctx] = least
}

// with has a source and a rank, which both do something in common, go together: n times in a period of the one, and so often as of says in one of
// the other.
func (g *grouping) with(s *source, other op.Rank, n int, of func(*lesson) int) {
	o := g.of[other]
	if o == nil {
		g.bad = true
		return
	}
	have := of(o.repeats.lesson)
	if have == 0 {
		g.bad = true
		return
	}
	r := g.ratio[s]
	g.meet(o, reduced(r.n*n, r.d*have))
}

// meet takes a source in.
func (g *grouping) meet(s *source, r ratio) {
	if r.n > mostTimes || r.d > mostTimes {
		g.bad = true
		r = ratio{1, 1}
	}
	if have, met := g.ratio[s]; met {
		g.bad = g.bad || have != r
		return
	}
	g.ratio[s] = r
	g.list = append(g.list, s)
}

func reduced(n, d int) ratio {
	c := fold.GCD(n, d)
	return ratio{n / c, d / c}
}
