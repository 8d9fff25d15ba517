package waitstate

import (
	"slices"

	"unknot/internal/vocab/op"
)

// waves are the collectives in which ranks of this node have part, by context.
type waves struct {
	Clashes []Clash
	Uneven  []Uneven
	// Spread says how many of some ranks this node has, and each of the relays above it below; nil if home is all that
	// is known.
	Spread func(op.Ranks) []int

	*network
	*pool
	*queues
	*races
	*work
	groups map[op.CommID]*Group
}

// Join returns a rank's membership in the group of a context, creating the group on its first use. Members are all
// ranks of the context.
func (c *waves) Join(rank op.Rank, ctx op.CommID, members op.Ranks) *Member {
	g := c.groups[ctx]
	if g == nil {
		g = &Group{Ctx: ctx, Members: members}
		if c.Spread != nil {
			counts := c.Spread(members)
			g.local, g.below = counts[0], counts[1:]
		} else {
			for r := range members.All() {
				if r >= 0 && c.here(r) {
					g.local++
				}
			}
		}
		c.groups[ctx] = g
	}
	g.joined++
	m := &Member{Group: g, Rank: rank, index: members.Index(rank)}
	g.members = append(g.members, m)
	return m
}

// Leave ends a membership: the rank has freed the communicator, window or file. What nobody on this node needs any more
// is forgotten, so that memory does not grow with the number of objects that a program makes and frees.
func (c *waves) Leave(m *Member) {
	g := m.Group
	g.joined--
	g.members = slices.DeleteFunc(g.members, func(o *Member) bool { return o == m })
	c.close(queueKey{m.Rank, g.Ctx})
	c.forget(g)
}

// forget drops a group that all members on this node have left and in which nothing is open.
func (c *waves) forget(g *Group) {
	if g.joined == 0 && len(g.waves) == 0 && c.groups[g.Ctx] == g {
		delete(c.groups, g.Ctx)
	}
}

// Group returns what is known of a context, or nil.
func (c *waves) Group(ctx op.CommID) *Group { return c.groups[ctx] }

func (c *waves) sortedGroups() []op.CommID {
	list := make([]op.CommID, 0, len(c.groups))
	for ctx := range c.groups {
		list = append(list, ctx)
	}
	slices.Sort(list)
	return list
}

func (c *waves) joinWave(p *Part) {
	m := p.Member
	w := m.Group.wave(m.seq)
	copy(m.made[1:], m.made[:])
	m.made[0] = Made{m.seq, p.Origin.Site, p.Origin.Fn}
	m.seq++
	p.wave = w
	w.Parts = append(w.Parts, p)
	w.clash = w.clash || disagree(w.Parts[0], p)
	w.even(p, &c.Uneven)
	if m.last {
		c.Leave(m)
	}
}

func (c *waves) activateColl(p *Part) {
	w := p.wave
	w.active++
	if w.active < w.Group.local || w.sent {
		return
	}
	w.sent = true
	if w.Group.local == w.Group.Members.Len() {
		if p.Sig.Side != op.AnySource {
			w.clash = w.clash || Disagree(w.Voices())
		}
		if w.clash {
			c.Clashes = append(c.Clashes, Clash{Ctx: w.Group.Ctx, Seq: w.Seq, Voices: w.Voices()})
		}
		c.completeWave(w, nil)
		return
	}
	c.ready(w)
}

// ready tells that all members on this node are active.
func (c *waves) ready(w *Wave) {
	m := Message{Kind: CollectiveReady, To: Root, Ctx: w.Group.Ctx,
		Gathered: Gathered{Seq: w.Seq, Size: w.Group.Members.Len(), Voices: w.Voices(), Below: w.Group.below,
			Balance: w.balance()}}
	if c.races.on {
		m.Clock = w.know()
	}
	m.Shares = w.standing()
	c.send(m)
}

// ReadyAgain tells once more of all collectives that wait for members elsewhere: somebody on the way up was lost. Who
// has heard of them already takes that for what it is, as members are counted by their ranks.
func (c *waves) ReadyAgain() {
	for _, ctx := range c.sortedGroups() {
		for _, w := range c.groups[ctx].waves {
			if w != nil && w.sent && !w.done {
				w.uneven = true // what was added to the balance may have been heard
				c.ready(w)
			}
		}
	}
}

// acknowledged takes in that all members of a collective are active.
func (c *waves) acknowledged(m *Message) {
	if g := c.groups[m.Ctx]; g != nil {
		if w := g.find(m.Seq); w != nil && !w.done {
			w.clash = w.clash || m.Clash
			if m.Uneven {
				c.send(Message{Kind: CollectiveShares, To: Root, Ctx: m.Ctx,
					Gathered: Gathered{Seq: m.Seq, Size: w.Group.Members.Len(), Shares: w.shares()}})
			}
			c.completeWave(w, m.Clock)
		}
	}
}

// completeWave lets all members go. Each then knows what all of them know together, those of other nodes too.
func (c *waves) completeWave(w *Wave, others *Clock) {
	w.done = true
	if c.races.on {
		c := others.Join(w.know())
		for _, p := range w.Parts {
			p.clock = c
		}
	}
	for _, p := range w.Parts {
		c.satisfy(p)
	}
	parts := w.Parts
	w.Parts, w.first, w.seats = nil, [sides]*Part{}, nil
	for _, p := range parts {
		p.over = true
		c.free(p)
	}
	g := w.Group
	k := 0
	for k < len(g.waves) && g.waves[k].done {
		g.waves[k] = nil
		k++
	}
	g.waves = g.waves[k:]
	g.base += uint64(k)
	c.forget(g)
}

// quit notes that nobody has a part in a collective any more. Once that is so of all members on this node, it is over
// for them; who else has to come is not known here.
func (c *waves) quit(p *Part) {
	w := p.wave
	if c.away == nil || p.Kind != op.Coll || p.uses > 0 || p.quit || w == nil || w.done ||
		w.Group.local == w.Group.Members.Len() {
		return
	}
	p.quit = true
	if w.quit++; w.quit == w.Group.local {
		c.completeWave(w, nil)
	}
}

// Drop takes in that one who had the part does not look at it any more.
func (c *waves) Drop(p *Part) {
	p.uses--
	c.quit(p)
	c.free(p)
}

// leave lets go of the parts when neither the run nor the strict view is in the call any more. Slabs keep calls alive
// together, so that one which held on to others would keep all that came before alive.
func (c *waves) leave(o *Op) {
	if !o.returned || o.inWindow {
		return
	}
	for _, p := range o.Posts {
		c.Drop(p)
	}
	for _, p := range o.Waits {
		c.Drop(p)
	}
	o.Posts, o.Waits, o.Indices = nil, nil, nil
	o.posts, o.waits = [2]*Part{}, [2]*Part{}
}

// OpenWaves calls visit for every collective that some member on this node has started and that is not complete.
func (c *waves) OpenWaves(visit func(*Wave)) {
	for _, ctx := range c.sortedGroups() {
		for _, w := range c.groups[ctx].waves {
			if w != nil && len(w.Parts) > 0 {
				visit(w)
			}
		}
	}
}
