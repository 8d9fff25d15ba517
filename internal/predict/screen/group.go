package screen

import "slices"

// groups links the receives of one rank group by group.
type groups struct {
	*linker
	rank                int32
	wildSource, wildTag bool
	place               int32 // in order, where the next family puts its sends
}

// routes are the queues that could take a message, nobody for none.
func (g *groups) routes(m message) [4]int32 {
	r := [4]int32{g.table.find(m.fits), nobody, nobody, nobody}
	anySource, anyTag := m.fits, m.fits
	anySource.source, anyTag.tag = -1, -1
	if g.wildSource {
		r[1] = g.table.find(anySource)
	}
	if g.wildTag {
		r[2] = g.table.find(anyTag)
		if g.wildSource {
			r[3] = g.table.find(selector{m.fits.comm, -1, -1})
		}
	}
	return r
}

// epochs cuts a group where a collective parts it: a gate that the receiver enters when all receives before it are
// complete, and which nobody leaves before. If as many sends as receives come before it, these met each other, whatever
// happened, and the rest is apart from them.
func (g *groups) epochs(recvs []receive, sends []message) {
	if g.whenAt == nil {
		g.epoch(recvs, sends)
		return
	}
	cutRecvs, cutSends, before := 0, 0, 0
	done := int32(0)
	for i := range len(recvs) - 1 {
		done = max(done, recvs[i].done)
		for tick := done; tick < recvs[i+1].clock; tick++ {
			for before < len(sends) && sends[before].clock <= tick {
				before++
			}
			if before > i+1 {
				break
			}
			if before == i+1 && g.isGate(tick, g.rank) {
				g.epoch(recvs[cutRecvs:i+1], sends[cutSends:before])
				cutRecvs, cutSends = i+1, before
				break
			}
		}
	}
	g.epoch(recvs[cutRecvs:], sends[cutSends:])
}

// epoch links what is left to compete. Receives that name their source and come before the first wildcard get their
// messages whatever happens, as do all receives if there is one source only: a message goes to the earliest receive
// that fits (MPI-4.0, 3.5), and the wildcards are later.
func (g *groups) epoch(recvs []receive, sends []message) {
	named := len(recvs)
	if !oneSource(sends) {
		for named = 0; named < len(recvs) && g.a[recvs[named].step] >= 0; named++ {
		}
	}
	sends = g.inOrder(recvs[:named], sends)
	recvs = recvs[named:]
	same := len(recvs) > 0 && uniform(recvs)
	if same {
		// What only the receives before fit has nobody now.
		sends = slices.DeleteFunc(sends, func(s message) bool { return !fits(g.routes(s), recvs[0].queue) })
	}
	switch {
	case len(recvs) == 0 || len(sends) == 0 || oneSource(sends):
		g.inOrder(recvs, sends)
	case same:
		g.family(recvs, sends)
	default:
		g.mixed(recvs, sends)
	}
}

func fits(routes [4]int32, queue int32) bool { return slices.Contains(routes[:], queue) }

func oneSource(sends []message) bool {
	for i := range sends {
		if sends[i].fits.source != sends[0].fits.source {
			return false
		}
	}
	return true
}

func uniform(recvs []receive) bool {
	for i := range recvs {
		if recvs[i].queue != recvs[0].queue {
			return false
		}
	}
	return true
}

// inOrder links each send to the earliest receive that fits and is still free. It returns the sends that found none;
// receives that found none are linked to nobody.
func (g *groups) inOrder(recvs []receive, sends []message) []message {
	for i := range recvs {
		n := recvs[i].queue
		g.next[i] = nobody
		if g.heads[n] == nobody {
			g.heads[n] = int32(i)
		} else {
			g.next[g.tails[n]] = int32(i)
		}
		g.tails[n] = int32(i)
	}
	left := sends[:0]
	for _, s := range sends {
		best, from := nobody, nobody
		for _, n := range g.routes(s) {
			if n >= 0 && g.heads[n] != nobody && (best == nobody || g.heads[n] < best) {
				best, from = g.heads[n], n
			}
		}
		if best == nobody {
			left = append(left, s)
			continue
		}
		g.heads[from] = g.next[best]
		r := recvs[best].step
		g.a[r], g.b[r], g.b[s.step] = s.fits.source, s.step, r
	}
	for i := range recvs {
		n := recvs[i].queue
		for at := g.heads[n]; at != nobody; at = g.next[at] {
			g.b[recvs[at].step] = nobody
		}
		g.heads[n] = nobody
	}
	return left
}

// mixed links receives with several selectors, of which an early one may take what a later one needs. That cannot be
// excluded here, so it is reported. For the simulation they meet as they did in the run. Where that is not known, those
// that name their source get the last messages of it, and the wildcards what is left.
func (g *groups) mixed(recvs []receive, sends []message) {
	for i := range recvs {
		if recvs[i].queue != recvs[0].queue {
			g.taken = append(g.taken, recvs[i].step)
		}
	}
	var named, wild []receive
	for _, r := range recvs {
		s := selector{g.c[r.step], met(g.a[r.step]), met(g.b[r.step])}
		r.queue = g.queue(s)
		if s.source < 0 {
			wild = append(wild, r)
		} else {
			named = append(named, r)
		}
	}
	if len(wild) > 0 {
		slices.Reverse(named)
		slices.Reverse(sends)
	}
	sends = g.inOrder(named, sends)
	if len(wild) > 0 {
		slices.Reverse(sends)
	}
	g.inOrder(wild, sends)
}

// met is the source or tag that a receive names or, as a wildcard, met in the run; -1 if it did not.
func met(n int32) int32 {
	if n <= metOffset {
		return metOffset - n
	}
	return n
}

// family links receives and sends that compete, with their thresholds. A message of a source that has more of them
// later can only be overtaken by those of others: if j of its source's n messages are before or at it, and there are t
// in all, t-n+j receives are enough for it.
func (g *groups) family(recvs []receive, sends []message) {
	total := int32(len(sends))
	f := family{rank: g.rank, sendAt: g.place, recvAt: int32(len(g.famRecvs)), sends: total, recvs: int32(len(recvs)),
		late: nobody, arriveAt: g.competing, plain: true}
	link := familyLink(len(g.fams))
	for i, r := range recvs {
		g.b[r.step], g.c[r.step] = link, int32(i+1)
		g.famRecvs = append(g.famRecvs, r.step)
	}
	for _, s := range sends {
		f.plain = f.plain && g.kind[s.step]&(blocking|buffered) == blocking
		g.byRank[s.fits.source]++
	}
	starts := cleared(g.counts, int(total)+2)
	g.counts = starts
	for _, s := range sends {
		of := s.fits.source
		g.seen[of]++
		g.b[s.step], g.c[s.step] = link, total-g.byRank[of]+g.seen[of]
		starts[g.c[s.step]+1]++
	}
	for i := 1; i < len(starts); i++ {
		starts[i] += starts[i-1]
	}
	for _, s := range sends {
		n := g.c[s.step]
		g.order[g.place+starts[n]] = s.step
		starts[n]++
		g.byRank[s.fits.source], g.seen[s.fits.source] = 0, 0
	}
	g.place += total
	g.competing += total
	g.fams = append(g.fams, f)
}
