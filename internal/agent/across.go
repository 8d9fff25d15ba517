package agent

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// Ranks of several agents that communicate among themselves alone are a group as well. The agent that leads knows what
// all such ranks have to do with each other, and asks the agents of a group now and then how many periods theirs have
// gone through. What they say is a promise: until they know how many all of them leave out, they hand on none
// (docs/architecture.md, Folding).

// leadingAgent is the agent that leads.
const leadingAgent = 0

// Bounds of groups over agents.
const (
	mostJoined  = 64                    // agents of a job in which there are such groups
	mostPublic  = 256                   // ranks of an agent that may belong to some
	keptFor     = 20 * time.Millisecond // at most, of a rank of which nothing comes
	betweenAsks = 5 * time.Millisecond
)

// across is what an agent knows of groups with ranks of others.
type across struct {
	announced []message.Joined // of the ranks that the leader knows to repeat, without times
	joints    map[uint32]*joint
	sent      map[uint32]map[int]*message.Sent // by group and agent, of groups too that this agent has not joined yet
	lead      leading                          // of the agent that leads
	past      uint32                           // the last group that has ended
	off       bool                             // there are no such groups any more
	// a round in which a consistent state is to be made once nothing is promised
	due *int
}

// joint is this agent's part of a group.
type joint struct {
	number   uint32
	sources  []*source
	senders  map[int]bool // other agents whose ranks send messages to these
	near     bool
	over     bool // some rank of it does something else, or has come to its end
	promised int  // periods
	asked    bool // to have periods left out
	yields   bool // what is there is handed on
	rested   time.Time
}

// promised says whether nothing of a source is handed on, as others may rely on its periods to be left out.
func (s *source) promised() bool { return s.repeats.joint != nil && s.repeats.joint.promised > 0 }

// part says that a source continues by itself: it does something else, or has come to its end.
func (s *source) part() {
	if j := s.repeats.joint; j != nil {
		j.over = true
	}
}

// waits says whether what was compared of a source is kept, as more can soon be left out.
func (a *Agent) waits(s *source) bool {
	j := s.repeats.joint
	switch {
	case j == nil:
		return false
	case j.promised > 0:
		return true
	}
	return j.near && !j.over && !j.yields && a.now.Sub(s.repeats.grown) < keptFor
}

// publish tells the agent that leads which ranks repeat, if that has changed.
func (a *Agent) publish() {
	x := &a.folding.across
	if n := a.net.Agents(); !a.folding.on || n == 1 || n > mostJoined || x.off {
		return
	}
	alone := make(map[*source]bool)
	for _, g := range a.folding.groups {
		for _, s := range g {
			alone[s] = true
		}
	}
	var list []message.Joined
	for _, r := range a.order {
		if s := r.sources[0]; s.repeats.lesson != nil && !alone[s] && !r.Lost && len(list) < mostPublic {
			list = append(list, message.Joined{Rank: r.World, Since: s.repeats.since})
		}
	}
	if slices.Equal(list, x.announced) {
		return
	}
	x.announced = list
	word := message.Repeats{From: a.id}
	for _, w := range list {
		word.Ranks = append(word.Ranks, a.ranks[w.Rank].sources[0].repeats.lesson.public(w.Rank, w.Since))
	}
	a.net.Send(leadingAgent, word)
}

// public is what others have to know of a period.
func (l *lesson) public(rank op.Rank, since uint32) message.Repeating {
	r := message.Repeating{Rank: rank, Since: since, Sent: flowsOf(l.sent, 1), Got: flowsOf(l.got, 1)}
	for ctx, w := range l.waves {
		r.Waves = append(r.Waves, message.Turns{Ctx: ctx, Members: w.members, N: w.n})
	}
	slices.SortFunc(r.Waves, func(x, y message.Turns) int { return cmp.Compare(x.Ctx, y.Ctx) })
	return r
}

// flowsOf are ways with so many times the messages.
func flowsOf(ways map[flow]int, times int) (list []message.Flow) {
	for f, n := range ways {
		list = append(list, message.Flow{Src: f.src, Dst: f.dst, Ctx: f.ctx, Tag: f.tag, N: n * times})
	}
	slices.SortFunc(list, func(x, y message.Flow) int {
		return cmp.Or(cmp.Compare(x.Src, y.Src), cmp.Compare(x.Dst, y.Dst), cmp.Compare(x.Ctx, y.Ctx),
			cmp.Compare(x.Tag, y.Tag))
	})
	return list
}

// joinGroup makes this agent's ranks part of a group, if they still repeat what the agent that leads knows of.
func (a *Agent) joinGroup(m *message.Join) {
	x := &a.folding.across
	j := &joint{number: m.Group, senders: make(map[int]bool), over: x.off}
	for _, w := range m.Ranks {
		r := a.ranks[w.Rank]
		if r == nil || r.Lost || !a.folds(r) {
			j.over = true
			continue
		}
		s := r.sources[0]
		if s.repeats.lesson == nil || s.repeats.since != w.Since || s.repeats.joint != nil {
			j.over = true
			continue
		}
		s.repeats.times = w.Times
		j.sources = append(j.sources, s)
	}
	if x.joints == nil {
		x.joints = make(map[uint32]*joint)
	}
	x.joints[j.number] = j
	for _, s := range j.sources {
		s.repeats.joint = j
	}
	a.tellSent(j)
	a.compareNear(j)
}

// tellSent tells the other agents of a group what the ranks of this one have sent to theirs.
func (a *Agent) tellSent(j *joint) {
	a.flush() // what was sent comes before
	sent := make(map[int][]message.Flow)
	for _, s := range j.sources {
		for _, f := range flowsOf(s.repeats.lesson.sent, s.repeats.stream.Proven()) {
			sent[a.home(f.Dst)] = append(sent[a.home(f.Dst)], f)
		}
		for f := range s.repeats.lesson.got {
			if home := a.home(f.src); home != a.id {
				j.senders[home] = true
			}
		}
	}
	for to, flows := range sent {
		if to != a.id {
			a.net.Send(to, message.Sent{From: a.id, Group: j.number, Flows: flows})
		}
	}
}

// hearSent takes in what ranks of another agent have sent since they began to repeat.
func (a *Agent) hearSent(m *message.Sent) {
	x := &a.folding.across
	if x.joints[m.Group] == nil && m.Group <= x.past {
		return
	}
	if x.sent == nil {
		x.sent = make(map[uint32]map[int]*message.Sent)
	}
	if x.sent[m.Group] == nil {
		x.sent[m.Group] = make(map[int]*message.Sent)
	}
	x.sent[m.Group][m.From] = m
	if j := x.joints[m.Group]; j != nil {
		a.compareNear(j)
	}
}

// compareNear tells the agent that leads whether this one's ranks are near to the others, once all are known that were
// sent to them.
func (a *Agent) compareNear(j *joint) {
	words := a.folding.across.sent[j.number]
	if !j.over && len(words) < len(j.senders) {
		return
	}
	delete(a.folding.across.sent, j.number)
	said := message.Near{From: a.id, Group: j.number}
	if !j.over {
		sent := make(map[flow]int)
		for _, w := range words {
			for _, f := range w.Flows {
				sent[flow{f.Src, f.Dst, f.Ctx, f.Tag}] = f.N
			}
		}
		said.Near, said.Waves = near(j.sources, sent, a.node)
	}
	j.near = said.Near
	a.net.Send(leadingAgent, said)
}

// fill asks to have periods left out of groups of which there are some.
func (a *Agent) fill() {
	for _, j := range a.folding.across.joints {
		if j.near && !j.over && !j.asked && j.promised == 0 && a.now.Sub(j.rested) >= betweenAsks &&
			through(j.sources) > 0 {
			j.asked = true
			a.net.Send(leadingAgent, message.Full{Group: j.number})
		}
		j.yields = j.yields && slices.ContainsFunc(j.sources, func(s *source) bool {
			return s.repeats.stream.Ahead() > 0
		})
	}
}

// count promises the periods that its ranks of a group have gone through. Whoever is stopped for a consistent state
// promises none.
func (a *Agent) count(m *message.Count) {
	said := message.Counted{From: a.id, Group: m.Group}
	j := a.folding.across.joints[m.Group]
	if j != nil && !j.over && !a.sync.holding && a.folding.across.due == nil {
		for _, s := range j.sources {
			a.compare(s.thread.rank)
		}
		if !j.over {
			said.Periods = through(j.sources)
			j.promised = said.Periods
		}
	}
	said.Over = j == nil || j.over
	a.net.Send(leadingAgent, said)
}

// leaveOutOf leaves periods of a group out, as all its agents do.
func (a *Agent) leaveOutOf(m *message.LeaveOut) {
	x := &a.folding.across
	if j := x.joints[m.Group]; j != nil {
		a.skipAll(j.sources, m.Periods)
		j.promised, j.asked, j.yields, j.rested = 0, false, m.Periods == 0, a.now
	}
	a.resume()
}

// resume continues to a consistent state that had to wait for what is promised.
func (a *Agent) resume() {
	x := &a.folding.across
	if x.due == nil || x.promised() {
		return
	}
	round := *x.due
	x.due = nil
	a.consistent(round)
}

// promised says whether anything is.
func (x *across) promised() bool {
	for _, j := range x.joints {
		if j.promised > 0 {
			return true
		}
	}
	return false
}

// disband ends this agent's part of a group.
func (a *Agent) disband(group uint32) {
	x := &a.folding.across
	delete(x.sent, group)
	x.past = max(x.past, group)
	j := x.joints[group]
	if j == nil {
		return
	}
	delete(x.joints, group)
	for _, s := range j.sources {
		s.repeats.joint = nil
	}
}

var errPromised = errors.New("the agents of several hosts lost touch with each other while they left out calls " +
	"that repeat")

// renounce ends all groups, as the agent that leads is lost. Of ranks of which something was promised nobody knows
// whether others have relied on that.
func (a *Agent) renounce() {
	x := &a.folding.across
	for group, j := range x.joints {
		for _, s := range j.sources {
			if j.promised > 0 {
				a.giveUp(s.thread.rank, errPromised)
			}
		}
		j.promised = 0
		a.disband(group)
	}
	x.off, x.announced = true, nil
}
