package repeat

import (
	"slices"
	"time"

	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// leadOn handles what agents tell the one that leads.
func (fd *Folding) leadOn(m message.Message) {
	l := &fd.lead
	switch m := m.(type) {
	case message.Repeats:
		fd.hearRepeats(&m)
	case message.Near:
		if g := l.groups[m.Group]; g != nil {
			fd.hearNear(g, &m)
		}
	case message.Full:
		if g := l.groups[m.Group]; g != nil && g.live && g.counted == nil {
			g.counted = make(map[int]int)
			fd.tellGroup(g, message.Count{Group: g.number})
		}
	case message.Counted:
		if g := l.groups[m.Group]; g != nil && g.counted != nil {
			g.counted[m.From] = m.Periods
			g.over = g.over || m.Over
			fd.settleTurn(g)
		}
	}
}

func (fd *Folding) tellGroup(g *led, m message.Message) {
	for _, i := range g.agents {
		fd.net.Send(i, m)
	}
}

// hearRepeats takes in which ranks of an agent repeat. Groups go on whose ranks still repeat the same.
func (fd *Folding) hearRepeats(m *message.Repeats) {
	l := &fd.lead
	if l.known == nil {
		l.known, l.groups = make(map[int][]message.Repeating), make(map[uint32]*led)
	}
	l.known[m.From], l.stale = m.Ranks, true
	now := make(map[op.Rank]uint32)
	for _, ranks := range l.known {
		for _, r := range ranks {
			now[r.Rank] = r.Since
		}
	}
	for _, g := range l.groups {
		for rank, since := range g.since {
			if at, repeats := now[rank]; !repeats || at != since {
				fd.end(g)
				break
			}
		}
	}
}

// end ends a group, if need be at the end of its turn.
func (fd *Folding) end(g *led) {
	if g.counted != nil {
		g.over = true
		return
	}
	delete(fd.lead.groups, g.number)
	fd.lead.stale = true
	fd.tellGroup(g, message.Disband{Group: g.number})
}

// FormGroups finds groups among the ranks that belong to none.
func (fd *Folding) FormGroups() {
	l := &fd.lead
	if !l.stale && (l.again.IsZero() || fd.follow.Now.Before(l.again)) || fd.across.off {
		return
	}
	l.stale, l.again = false, time.Time{}
	belongs := make(map[op.Rank]bool)
	for _, g := range l.groups {
		for rank := range g.since {
			belongs[rank] = true
		}
	}
	found := newGrouping()
	since := make(map[op.Rank]uint32)
	var ranks []op.Rank
	for _, list := range l.known {
		for i := range list {
			if r := &list[i]; !belongs[r.Rank] {
				found.add(&party{rank: r.Rank, summary: summaryOf(r)})
				since[r.Rank] = r.Since
				ranks = append(ranks, r.Rank)
			}
		}
	}
	slices.Sort(ranks)
	for _, r := range ranks {
		if list := found.of(r); list != nil {
			fd.form(list, since)
		}
	}
}

// form begins a group, if it has ranks of several agents.
func (fd *Folding) form(list []*party, since map[op.Rank]uint32) {
	l := &fd.lead
	joined := make(map[int][]message.Joined)
	for _, p := range list {
		home := fd.home(p.rank)
		joined[home] = append(joined[home], message.Joined{Rank: p.rank, Since: since[p.rank], Times: p.times})
	}
	if len(joined) < 2 {
		return
	}
	l.last++
	g := &led{number: l.last, since: make(map[op.Rank]uint32), near: make(map[int]*message.Near)}
	for _, p := range list {
		g.since[p.rank] = since[p.rank]
	}
	for i := range joined {
		g.agents = append(g.agents, i)
	}
	slices.Sort(g.agents)
	l.groups[g.number] = g
	for _, i := range g.agents {
		fd.net.Send(i, message.Join{Group: g.number, Ranks: joined[i]})
	}
}

// summaryOf is what is known of a rank of another agent.
func summaryOf(r *message.Repeating) *summary {
	l := &summary{sent: make(map[flow]int), got: make(map[flow]int), waves: make(map[op.CommID]*turns)}
	for _, f := range r.Sent {
		l.sent[flow{f.Src, f.Dst, f.Ctx, f.Tag}] = f.N
	}
	for _, f := range r.Got {
		l.got[flow{f.Src, f.Dst, f.Ctx, f.Tag}] = f.N
	}
	for _, w := range r.Waves {
		l.waves[w.Ctx] = &turns{members: w.Members, n: w.N}
	}
	return l
}

// hearNear takes in whether the ranks of an agent are near to the others.
func (fd *Folding) hearNear(g *led, m *message.Near) {
	l := &fd.lead
	if !m.Near {
		fd.parted(g)
		return
	}
	g.near[m.From] = m
	if len(g.near) < len(g.agents) {
		return
	}
	var waves []message.Reached
	for _, m := range g.near {
		waves = append(waves, m.Waves...)
	}
	if !together(waves) {
		fd.parted(g)
		return
	}
	g.live, l.pause = true, 0
}

// Bounds of the time after which ranks that were too far from each other are looked at again. A look is a few messages;
// a long pause costs all that could have been left out in it.
const (
	leastPause = 20 * time.Millisecond
	mostPause  = 300 * time.Millisecond
)

// parted ends a group whose ranks are too far from each other. They are looked at again, the later the more often in a
// row that has been of no use.
func (fd *Folding) parted(g *led) {
	l := &fd.lead
	stale := l.stale
	fd.end(g)
	l.pause = min(max(2*l.pause, leastPause), mostPause)
	l.stale, l.again = stale, fd.follow.Now.Add(l.pause)
}

// settleTurn has all agents of a group leave out what all of them have gone through, once all have said how much that
// is.
func (fd *Folding) settleTurn(g *led) {
	if len(g.counted) < len(g.agents) {
		return
	}
	periods := mostAhead
	for _, n := range g.counted {
		periods = min(periods, n)
	}
	g.counted = nil
	fd.tellGroup(g, message.LeaveOut{Group: g.number, Periods: periods})
	if g.over {
		fd.end(g)
	}
}

// loseMember ends the groups of an agent that is lost: nobody waits for what it would have said.
func (fd *Folding) loseMember(agent int) {
	l := &fd.lead
	delete(l.known, agent)
	for _, g := range l.groups {
		if !slices.Contains(g.agents, agent) {
			continue
		}
		if g.counted != nil {
			g.counted = nil
			fd.tellGroup(g, message.LeaveOut{Group: g.number})
		}
		fd.end(g)
	}
}
