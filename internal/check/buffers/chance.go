package buffers

import (
	"slices"

	"unknot/internal/check"
	"unknot/internal/check/used"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/op"
)

// earlier is what the threads of a rank have used last, for calls that come after those only by chance.
type earlier struct{ threads map[op.Thread]*lastUses }

// lastUses are the last ones of a thread, of which the next is to be replaced.
type lastUses struct {
	all      [16]lastUse
	next     int
	from, to int64 // all that it has ever used is between
}

type lastUse struct {
	area   used.Area
	at     check.Place
	by     objects.Made
	reused uint64 // Call.Reused, 0 if it does not matter
}

// mostBlocks bounds the blocks of an area that is remembered.
const mostBlocks = 64

// byChance reports that an operation uses memory that another thread's has used before, which nothing orders, and
// remembers what it uses itself. Threads must not post calls that conflict (MPI-4.0, 11.6.1).
func (x *operations) byChance(c *check.Call, h *Held) {
	if c.Rank.Order == nil || !several(c) {
		return
	}
	at, followed := c.Place()
	if !followed {
		return
	}
	e := x.earlier.Of(c.Rank)
	if !c.Said {
		x.predict(c, h, e)
	}
	mine := e.threads[c.Thread]
	if mine == nil {
		if len(e.threads) == mostThreads {
			return
		}
		mine = new(lastUses)
		objects.Set(&e.threads, c.Thread, mine)
	}
	for i := range h.areas[:h.n] {
		if a := &h.areas[i].Area; len(a.Blocks) <= mostBlocks {
			mine.note(c, a, at)
		}
	}
}

// stays says whether memory is the same until the end of the run. The C library gives heap blocks and the stacks of
// threads that have ended to others.
func stays(c *check.Call, a *used.Area) bool {
	if c.Rank.Where == nil {
		return false
	}
	g := c.Rank.Where(uint64(a.From))
	return g.Kind == check.Variable || g.Kind == check.ThreadStack && g.Thread == 0
}

func (l *lastUses) note(c *check.Call, a *used.Area, at check.Place) {
	reused := c.Reused
	if stays(c, a) {
		reused = 0
	} else if reused == 0 {
		return
	}
	u := &l.all[l.next%len(l.all)]
	l.next++
	blocks := append(u.area.Blocks[:0], a.Blocks...)
	u.area, u.at, u.by, u.reused = *a, at, c.By(), reused
	u.area.Blocks = blocks
	if l.next == 1 {
		l.from, l.to = a.From, a.To
	}
	l.from, l.to = min(l.from, a.From), max(l.to, a.To)
}

// predict reports the first such use, by thread.
func (x *operations) predict(c *check.Call, h *Held, e *earlier) {
	m := x.memory.Of(c.Rank)
	var first op.Thread
	var ours *used.Area
	var theirs *lastUse
	for t, l := range e.threads {
		if t == c.Thread || theirs != nil && t > first || slices.ContainsFunc(c.Beside, func(b check.Thread) bool {
			return b.Index == t
		}) {
			continue
		}
		if a, u := l.meets(c, m, h); u != nil {
			first, ours, theirs = t, a, u
		}
	}
	if theirs == nil {
		return
	}
	by := theirs.by
	buffer, param := with(c, h, ours)
	c.SayWith(bufferOverlap, param, by.Site, func() check.Words {
		return check.ByChance(finding.Wordf("Rank %d calls %s in thread %d%s in memory that %s in its thread %d %s%s, "+
			"and nothing orders the two: in another run both may use it at the same time.", c.Rank.World,
			c.Func.Name, c.Thread, buffer, by.Func.Name, first, does(by.Func, theirs.area.Write),
			shared(ours, &theirs.area)), threadsApart, check.MadeAt(by.Func, by.Site))
	})
}

// meets gives what a call uses that a thread has used before, if nothing orders the two, and that use.
func (l *lastUses) meets(c *check.Call, m *memory, h *Held) (*used.Area, *lastUse) {
	for i := range h.areas[:h.n] {
		a := &h.areas[i].Area
		if a.From >= l.to || a.To <= l.from {
			continue
		}
		for k := range l.all[:min(l.next, len(l.all))] {
			u := &l.all[k]
			if (u.reused == 0 || u.reused == c.Reused) && (a.Write || u.area.Write) && m.meet(a, &u.area) && c.Unordered(u.at) {
				return a, u
			}
		}
	}
	return nil, nil
}
