package repeat

import (
	"cmp"
	"slices"

	"unknot/internal/model/fold"
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// grouped are the groups of sources that repeat and communicate among themselves alone.
func (fd *Folding) grouped() (groups [][]*Source) {
	g := newGrouping()
	for _, s := range fd.sources {
		if s.summary != nil {
			g.add(&party{rank: s.Thread.Rank.World, summary: s.summary, source: s})
		}
	}
	fd.apart = false
	for _, s := range fd.sources {
		list := g.of(s.Thread.Rank.World)
		if list == nil {
			continue
		}
		var group []*Source
		for _, p := range list {
			p.source.times = p.times
			group = append(group, p.source)
		}
		if good, reached := near(group, make(map[flow]int), fd.node); !good || !together(reached) {
			fd.apart = true
			continue
		}
		groups = append(groups, group)
	}
	return groups
}

// near says whether sources of a group are so close to each other, and to those of other agents, that what one has done
// and another has not yet belongs to what the one repeats. sent is how many messages those of others have sent them
// since they began to repeat; those of these are added. Of collectives, reached says how far they are.
func near(group []*Source, sent map[flow]int, node *waitstate.Node) (good bool, reached []message.Reached) {
	for _, s := range group {
		for f, n := range s.summary.sent {
			sent[f] = n * s.stream.Proven()
		}
	}
	for _, s := range group {
		if !s.nearTo(sent, node) {
			return false, nil
		}
		for ctx, w := range s.summary.waves {
			seq := w.member.Seq()
			reached = append(reached, message.Reached{Ctx: ctx, Least: seq,
				Began: int64(seq) - int64(w.n*s.stream.Proven())})
		}
	}
	return true, joined(reached)
}

// joined are members of contexts, one entry for each context, ordered by these.
func joined(members []message.Reached) (list []message.Reached) {
	slices.SortFunc(members, func(x, y message.Reached) int { return cmp.Compare(x.Ctx, y.Ctx) })
	for _, m := range members {
		if n := len(list); n > 0 && list[n-1].Ctx == m.Ctx {
			at := &list[n-1]
			at.Least, at.Began = min(at.Least, m.Least), max(at.Began, m.Began)
			continue
		}
		list = append(list, m)
	}
	return list
}

// together says whether members are near to each other in their collectives: whoever is furthest must repeat itself
// from the one on to which whoever is behind has come.
func together(members []message.Reached) bool {
	return !slices.ContainsFunc(joined(members), func(at message.Reached) bool { return at.Began > int64(at.Least) })
}

// nearTo says whether all messages to a rank that have met no receive were sent since their senders began to repeat,
// which have sent so many since then, and all its receives that have met none were posted since it did.
func (s *Source) nearTo(sent map[flow]int, node *waitstate.Node) bool {
	for f, n := range s.summary.got {
		sends, recvs, undecided := node.Open(f.src, f.dst, f.ctx, f.tag)
		if undecided || sends > sent[f] || recvs > n*s.stream.Proven() {
			return false
		}
	}
	return true
}

// party is a rank that repeats, as far as it is needed to find groups.
type party struct {
	rank    op.Rank
	summary *summary
	source  *Source // nil of a rank of another agent
	times   int     // periods of it to one of its group

	ratio ratio
	met   bool
}

// ratio is how many periods of a rank go together with one of the first of its group.
type ratio struct{ n, d int }

// grouping finds groups of ranks that communicate among themselves alone, with how many periods of each go together.
type grouping struct {
	parties  map[op.Rank]*party
	gathered map[op.CommID]bool // contexts whose members were met
	list     []*party
	bad      bool
}

func newGrouping() *grouping {
	return &grouping{parties: make(map[op.Rank]*party), gathered: make(map[op.CommID]bool)}
}

func (g *grouping) add(p *party) { g.parties[p.rank] = p }

// mostTimes bounds the periods of a rank that go together with one of another.
const mostTimes = 1 << 12

// of is the group of a rank; nil if there is none, as it has to do with a rank that does not repeat, or not as often,
// or if it was given before.
func (g *grouping) of(rank op.Rank) []*party {
	first := g.parties[rank]
	if first == nil || first.met {
		return nil
	}
	g.list, g.bad = nil, false
	g.meet(first, ratio{1, 1})
	for i := 0; i < len(g.list); i++ { // it grows
		p := g.list[i]
		for f, n := range p.summary.sent {
			g.with(p, f.dst, n, func(o *summary) int { return o.got[f] })
		}
		for f, n := range p.summary.got {
			g.with(p, f.src, n, func(o *summary) int { return o.sent[f] })
		}
		for ctx, w := range p.summary.waves {
			if !g.gathered[ctx] {
				g.gathered[ctx] = true
				for m := range w.members.All() {
					g.with(p, m, w.n, func(o *summary) int {
						if t := o.waves[ctx]; t != nil {
							return t.n
						}
						return 0
					})
				}
			}
		}
	}
	common := 1
	for _, p := range g.list {
		common = fold.LCM(common, p.ratio.d)
		g.bad = g.bad || common > mostTimes
	}
	if g.bad {
		return nil
	}
	all := 0
	for _, p := range g.list {
		p.times = p.ratio.n * (common / p.ratio.d)
		all = fold.GCD(all, p.times)
	}
	for _, p := range g.list {
		p.times /= all
	}
	return slices.Clone(g.list)
}

// with has two ranks, which do something in common, go together: n times in a period of the one, and so often as of
// says in one of the other.
func (g *grouping) with(p *party, other op.Rank, n int, of func(*summary) int) {
	o := g.parties[other]
	if o == nil {
		g.bad = true
		return
	}
	have := of(o.summary)
	if have == 0 {
		g.bad = true
		return
	}
	g.meet(o, reduced(p.ratio.n*n, p.ratio.d*have))
}

// meet takes a rank in.
func (g *grouping) meet(p *party, r ratio) {
	if r.n > mostTimes || r.d > mostTimes {
		g.bad = true
		r = ratio{1, 1}
	}
	if p.met {
		g.bad = g.bad || p.ratio != r
		return
	}
	p.met, p.ratio = true, r
	g.list = append(g.list, p)
}

func reduced(n, d int) ratio {
	c := fold.GCD(n, d)
	return ratio{n / c, d / c}
}
