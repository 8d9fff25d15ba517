package repeat

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
// (docs/design/fold.md).

// leadingAgent is the agent that leads.
const leadingAgent = 0

// Bounds of groups over agents.
const (
	mostJoined  = 64                    // agents of a job in which there are such groups
	mostPublic  = 256                   // ranks of an agent that may belong to some
	keptFor     = 20 * time.Millisecond // at most, of a rank of which nothing comes
	betweenAsks = 5 * time.Millisecond
)

// Promised says whether nothing of a source is handed on, as others may rely on its periods to be left out.
func (s *Source) Promised() bool { return s.joint != nil && s.joint.promised > 0 }

// part says that a source continues by itself: it does something else, or has come to its end.
func (s *Source) part() {
	if j := s.joint; j != nil {
		j.over = true
	}
}

// waits says whether what was compared of a source is kept, as more can soon be left out.
func (fd *Folding) waits(s *Source) bool {
	j := s.joint
	switch {
	case j == nil:
		return false
	case j.promised > 0:
		return true
	}
	return j.near && !j.over && !j.yields && fd.follow.Now.Sub(s.grown) < keptFor
}

// Publish tells the agent that leads which ranks repeat, if that has changed.
func (fd *Folding) Publish() {
	x := &fd.across
	if n := fd.net.Agents(); !fd.On || n == 1 || n > mostJoined || x.off {
		return
	}
	alone := make(map[*Source]bool)
	for _, g := range fd.groups {
		for _, s := range g {
			alone[s] = true
		}
	}
	var list []message.Joined
	for _, s := range fd.sources {
		if r := s.Thread.Rank; s.summary != nil && !alone[s] && !r.Lost && len(list) < mostPublic {
			list = append(list, message.Joined{Rank: r.World, Since: s.since})
		}
	}
	if slices.Equal(list, x.announced) {
		return
	}
	x.announced = list
	word := message.Repeats{From: fd.net.ID}
	for _, w := range list {
		word.Ranks = append(word.Ranks, fd.byRank[w.Rank].summary.public(w.Rank, w.Since))
	}
	fd.net.Send(leadingAgent, word)
}

// public is what others have to know of a period.
func (l *summary) public(rank op.Rank, since uint32) message.Repeating {
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
func (fd *Folding) joinGroup(m *message.Join) {
	x := &fd.across
	j := &joint{number: m.Group, senders: make(map[int]bool), over: x.off}
	for _, w := range m.Ranks {
		s := fd.byRank[w.Rank]
		if s == nil || s.Thread.Rank.Lost || !fd.folds(s) {
			j.over = true
			continue
		}
		if s.summary == nil || s.since != w.Since || s.joint != nil {
			j.over = true
			continue
		}
		s.times = w.Times
		j.sources = append(j.sources, s)
	}
	if x.joints == nil {
		x.joints = make(map[uint32]*joint)
	}
	x.joints[j.number] = j
	for _, s := range j.sources {
		s.joint = j
	}
	fd.tellSent(j)
	fd.compareNear(j)
}

// tellSent tells the other agents of a group what the ranks of this one have sent to theirs.
func (fd *Folding) tellSent(j *joint) {
	fd.host.Flush() // what was sent comes before
	sent := make(map[int][]message.Flow)
	for _, s := range j.sources {
		for _, f := range flowsOf(s.summary.sent, s.stream.Proven()) {
			sent[fd.home(f.Dst)] = append(sent[fd.home(f.Dst)], f)
		}
		for f := range s.summary.got {
			if home := fd.home(f.src); home != fd.net.ID {
				j.senders[home] = true
			}
		}
	}
	for to, flows := range sent {
		if to != fd.net.ID {
			fd.net.Send(to, message.Sent{From: fd.net.ID, Group: j.number, Flows: flows})
		}
	}
}

// hearSent takes in what ranks of another agent have sent since they began to repeat.
func (fd *Folding) hearSent(m *message.Sent) {
	x := &fd.across
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
		fd.compareNear(j)
	}
}

// compareNear tells the agent that leads whether this one's ranks are near to the others, once all are known that were
// sent to them.
func (fd *Folding) compareNear(j *joint) {
	words := fd.across.sent[j.number]
	if !j.over && len(words) < len(j.senders) {
		return
	}
	delete(fd.across.sent, j.number)
	said := message.Near{From: fd.net.ID, Group: j.number}
	if !j.over {
		sent := make(map[flow]int)
		for _, w := range words {
			for _, f := range w.Flows {
				sent[flow{f.Src, f.Dst, f.Ctx, f.Tag}] = f.N
			}
		}
		said.Near, said.Waves = near(j.sources, sent, fd.node)
	}
	j.near = said.Near
	fd.net.Send(leadingAgent, said)
}

// fill asks to have periods left out of groups of which there are some.
func (fd *Folding) fill() {
	for _, j := range fd.across.joints {
		if j.near && !j.over && !j.asked && j.promised == 0 && fd.follow.Now.Sub(j.rested) >= betweenAsks &&
			through(j.sources) > 0 {
			j.asked = true
			fd.net.Send(leadingAgent, message.Full{Group: j.number})
		}
		j.yields = j.yields && slices.ContainsFunc(j.sources, func(s *Source) bool {
			return s.stream.Ahead() > 0
		})
	}
}

// count promises the periods that its ranks of a group have gone through. Whoever is stopped for a consistent state
// promises none.
func (fd *Folding) count(m *message.Count) {
	said := message.Counted{From: fd.net.ID, Group: m.Group}
	j := fd.across.joints[m.Group]
	if j != nil && !j.over && !fd.host.Holding() && fd.across.due == nil {
		for _, s := range j.sources {
			fd.compare(s)
		}
		if !j.over {
			said.Periods = through(j.sources)
			j.promised = said.Periods
		}
	}
	said.Over = j == nil || j.over
	fd.net.Send(leadingAgent, said)
}

// leaveOutOf leaves periods of a group out, as all its agents do.
func (fd *Folding) leaveOutOf(m *message.LeaveOut) {
	x := &fd.across
	if j := x.joints[m.Group]; j != nil {
		fd.skipAll(j.sources, m.Periods)
		j.promised, j.asked, j.yields, j.rested = 0, false, m.Periods == 0, fd.follow.Now
	}
	fd.resume()
}

// resume continues to a consistent state that had to wait for what is promised.
func (fd *Folding) resume() {
	x := &fd.across
	if x.due == nil || fd.promised() {
		return
	}
	round := *x.due
	x.due = nil
	fd.host.Consistent(round)
}

// promised says whether anything is.
func (fd *Folding) promised() bool {
	for _, j := range fd.joints {
		if j.promised > 0 {
			return true
		}
	}
	return false
}

// disband ends this agent's part of a group.
func (fd *Folding) disband(group uint32) {
	x := &fd.across
	delete(x.sent, group)
	x.past = max(x.past, group)
	j := x.joints[group]
	if j == nil {
		return
	}
	delete(x.joints, group)
	for _, s := range j.sources {
		s.joint = nil
	}
}

var errPromised = errors.New("the agents of several hosts lost touch with each other while they left out calls " +
	"that repeat")

// Renounce ends all groups, as the agent that leads is lost. Of ranks of which something was promised nobody knows
// whether others have relied on that.
func (fd *Folding) Renounce() {
	x := &fd.across
	for group, j := range x.joints {
		for _, s := range j.sources {
			if j.promised > 0 {
				s.GiveUp(errPromised)
			}
		}
		j.promised = 0
		fd.disband(group)
	}
	x.off, x.announced = true, nil
}
