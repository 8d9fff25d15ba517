package rma

import (
	"unknot/internal/check"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// region is memory of a dynamic window (MPI-4.0, 12.2.4).
type region struct {
	lo, hi uint64
	live   bool
	by     check.Past
}

// maxRegions bounds what is remembered of a window's regions; of one with more, nothing is judged.
const maxRegions = 1 << 12

// overlapping looks whether a new window shares memory with another one of its rank (MPI-4.0, 12.2.1).
func (m *windows) overlapping(c *check.Call, w *window) {
	for _, o := range m.of[c.Rank] {
		if o.base == 0 || w.base == 0 || w.base >= o.base+uint64(o.size) || o.base >= w.base+uint64(w.size) {
			continue
		}
		c.Say(winOverlap, c.Func.Named("base"), func() check.Words {
			n := min(w.base+uint64(w.size), o.base+uint64(o.size)) - max(w.base, o.base)
			return check.Words{
				Sentence: finding.Wordf("Rank %d calls %s with memory of which %d bytes already belong to "+
					"another window.", c.Rank.World, c.Func.Name, n),
				Related: []check.Related{{Text: "that window was created", Func: o.made.Func, Site: o.made.Site}}}
		})
		return
	}
}

// watchFlavours follows the calls that only some kinds of window allow.
func (m *windows) watchFlavours(h *check.Hooks) {
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		win, base, size := f.Named("win"), f.Named("base"), f.Named("size")
		find := func(c *check.Call) *window {
			v, _ := c.Int(win)
			return m.of[c.Rank][uint64(v)]
		}
		switch f.Base {
		case "MPI_Win_shared_query":
			return func(c *check.Call) {
				if w := find(c); w != nil && w.kind != "allocate_shared" {
					w.wrongKind(c, win, "MPI_Win_allocate_shared",
						"MPI-4.1 also allows it for other windows, but may report that nothing is shared")
				}
			}
		case "MPI_Win_attach":
			return func(c *check.Call) {
				w := find(c)
				if w == nil {
					return
				}
				if w.kind != "create_dynamic" {
					w.wrongKind(c, win, "MPI_Win_create_dynamic", "")
					return
				}
				at, known := c.Int(base)
				n, ok := c.Int(size)
				if known && ok && n > 0 {
					m.attach(c, w, base, uint64(at), uint64(n))
				}
			}
		case "MPI_Win_detach":
			return func(c *check.Call) {
				w := find(c)
				if w == nil {
					return
				}
				if w.kind != "create_dynamic" {
					w.wrongKind(c, win, "MPI_Win_create_dynamic", "")
					return
				}
				if at, ok := c.Int(base); ok {
					w.detach(c, base, uint64(at))
				}
			}
		}
		return nil
	})
}

func (w *window) wrongKind(c *check.Call, i int, wanted, note string) {
	c.Say(winFlavour, i, func() check.Words {
		words := check.Words{Sentence: finding.Wordf("Rank %d calls %s on a window of %s; it is for windows of %s.",
			c.Rank.World, c.Func.Name, w.made.Func.Name, wanted),
			Related: []check.Related{w.origin()}}
		if note != "" {
			words.Notes = finding.Remarks(note)
		}
		return words
	})
}

func (m *windows) attach(c *check.Call, w *window, i int, at, size uint64) {
	for k := range w.attached {
		r := &w.attached[k]
		if r.live && at < r.hi && r.lo < at+size && !w.unsure {
			c.Say(winAttach, i, func() check.Words {
				return check.Words{
					Sentence: finding.Wordf(
						"Rank %d calls %s with {base} in memory that is already attached to the window.", c.Rank.World,
						c.Func.Name),
					Related: []check.Related{{Text: "it was attached", Func: r.by.Fn, Site: r.by.Site}}}
			})
			break
		}
	}
	if len(w.attached) >= maxRegions {
		m.doubt(w)
		return
	}
	w.attached = append(w.attached, region{at, at + size, true, check.Remember(c)})
	if t := m.far.targets.of(w); t != nil {
		t.strays = t.attachedNow(t.strays)
	}
}

func (w *window) detach(c *check.Call, i int, at uint64) {
	for k := range w.attached {
		if r := &w.attached[k]; r.live && r.lo == at {
			r.live = false
			return
		}
	}
	if w.unsure || at == 0 {
		return
	}
	c.Say(winAttach, i, func() check.Words {
		words := check.Words{
			Sentence: finding.Wordf("Rank %d calls %s with {base} %#x, at which no attached memory begins.",
				c.Rank.World, c.Func.Name, at), Related: []check.Related{w.origin()}}
		for k := range w.attached {
			if r := &w.attached[k]; r.lo == at {
				words.Notes = finding.Remarks("it was attached, and has been detached since")
			}
		}
		return words
	})
}

// stray is an act on memory of a dynamic window that has not been seen to be attached.
type stray struct {
	act    *act
	from   op.Rank
	lo, hi uint64
}

// maxStrays bounds those that are remembered of a window.
const maxStrays = 256

// ever says whether memory was attached to the window at some time.
func (w *window) ever(lo, hi uint64) bool {
	for again := true; again && lo < hi; {
		again = false
		for k := range w.attached {
			if r := &w.attached[k]; r.lo <= lo && lo < r.hi {
				lo, again = r.hi, true
			}
		}
	}
	return lo >= hi
}

func (t *target) attachedNow(list []stray) (rest []stray) {
	for _, s := range list {
		if !t.win.ever(s.lo, s.hi) {
			rest = append(rest, s)
		}
	}
	return rest
}

// unattached keeps an act until it is known what the owner of the window has attached.
func (m *remote) unattached(to *check.Watch, t *target, from op.Rank, a *act, p *spot) {
	s := stray{a, from, uint64(p.lo), uint64(p.hi)}
	if t.win.unsure || t.win.ever(s.lo, s.hi) || len(t.strays) >= maxStrays {
		return
	}
	t.strays = append(t.strays, s)
	if t.win.freed {
		m.tellStrays(to, t)
	}
}

// tellStrays reports what was done to memory that the owner of a window never attached.
func (m *remote) tellStrays(to *check.Watch, t *target) {
	for _, s := range t.strays {
		owner := op.Rank(t.win.rank.World)
		to.Tell(s.from, winAttach, &s.act.call, s.act.param, func() check.Words {
			words := check.Words{
				Sentence: finding.Wordf("Rank %d calls %s with {target_disp} %#x; rank %d has attached no such "+
					"memory to its window.", s.from, s.act.call.Fn.Name, s.act.disp, owner),
				Elsewhere: []check.Elsewhere{
					{Related: check.Related{Text: "that window was created", Func: t.win.made.Func,
						Site: t.win.made.Site}, Rank: int(owner)}}}
			for _, r := range t.win.attached {
				if r.live {
					words.Notes = append(words.Notes, finding.Remarkf("attached are %d bytes at %#x", r.hi-r.lo, r.lo))
				}
				if len(words.Notes) == 3 {
					break
				}
			}
			return words
		})
	}
	t.strays = nil
}
