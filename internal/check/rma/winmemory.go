package rma

import (
	"fmt"

	"unknot/internal/check"
	"unknot/internal/check/used"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// everything is a size that no variable or array has: who makes a window of so many bytes from address 0 on exposes all
// that the process has, with addresses as displacements.
const everything = 1 << 40

// watchWindowMemory looks at the memory that the program gives for windows (MPI-4.0, 12.2.1 and 12.2.4).
func (m *windows) watchWindowMemory(h *check.Hooks) {
	h.Gone(m.gone)
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		base, size := f.Named("base"), f.Named("size")
		if f.Name == "MPI_Free_mem" {
			return func(c *check.Call) {
				if at, ok := c.Int(base); ok && at != 0 {
					m.gone(&check.Gone{Watch: c.Watch(), Rank: c.Rank, From: uint64(at), To: uint64(at) + 1,
						How: check.Freed{How: "freed", Site: c.Site}})
				}
			}
		}
		if base < 0 || size < 0 || f.Class != mpi.WinCreate && f.Name != "MPI_Win_attach" {
			return nil
		}
		return func(c *check.Call) {
			at, known := c.Int(base)
			n, ok := c.Int(size)
			if !known || !ok || n <= 0 {
				return
			}
			if at == 0 && uint64(n) < everything {
				c.Say(winOutside, base, func() check.Words {
					return check.Words{Sentence: finding.Wordf("Rank %d calls %s with {base} NULL, but {size} is %d.",
						c.Rank.World, f.Name, n),
						Hint: "check the result of the allocation; a rank without memory passes size 0"}
				})
				return
			}
			switch g := c.Ground(base); g.Kind {
			case check.NoGround:
			case check.FreedBlock, check.LeftStack:
				sayGivenBack(c, base, g)
			default:
				if end := uint64(at + n); uint64(at) >= g.From && uint64(at) < g.To && end > g.To {
					sayLarger(c, base, size, uint64(at), end, g)
				}
			}
		}
	})
}

// sayLarger reports a window that leaves the memory which it begins in.
func sayLarger(c *check.Call, base, size int, at, end uint64, g check.Ground) {
	c.Say(winOutside, size, func() check.Words {
		var from finding.Wording
		if at > g.From && g.Kind != check.ThreadStack {
			from = finding.Wordf(" from byte %d on", at-g.From)
		}
		return check.Words{
			Sentence: finding.Wordf("Rank %d calls %s with {base} in %s%s and {size} %d: the window extends %s "+
				"beyond its end.", c.Rank.World, c.Func.Name, g, from, end-at, check.Bytes(int64(end-g.To))),
			Hint: "pass the size of the memory in bytes, or allocate more",
		}
	})
}

// sayGivenBack reports a window of memory that was given back before the call.
func sayGivenBack(c *check.Call, base int, g check.Ground) {
	c.Say(winGone, base, func() check.Words {
		if g.Kind == check.LeftStack {
			return check.Words{
				Sentence: finding.Wordf("Rank %d calls %s with {base} in a part of the stack that is no longer in use.",
					c.Rank.World, c.Func.Name),
				Hint: "a function must not return the address of its own variable: let the caller pass one, or " +
					"allocate it",
			}
		}
		return check.Words{
			Sentence: finding.Wordf("Rank %d calls %s with {base} in memory that has been %s.", c.Rank.World,
				c.Func.Name, g.Freed.How),
			Related: []check.Related{{Text: "it was " + g.Freed.How, Site: g.Freed.Site}},
			Hint:    "free the window before its memory",
		}
	})
}

// gone looks for windows that have memory which is gone.
func (m *windows) gone(g *check.Gone) {
	if g.From >= g.To {
		return
	}
	for _, x := range m.of[g.Rank] {
		if x.unsure {
			continue // threads take turns: the window may be freed by now
		}
		if x.base != 0 && x.size > 0 && x.base < g.To && g.From < x.base+uint64(x.size) {
			sayWindowGone(g, &x.making, "MPI_Win_free")
		}
		for k := range x.attached {
			if r := &x.attached[k]; r.live && r.lo < g.To && g.From < r.hi {
				sayWindowGone(g, &r.by, "MPI_Win_detach")
			}
		}
	}
}

// sayWindowGone reports that the memory of a window, which a past call gave to it, is gone before another one takes it
// back. Where a script ends with windows that it has not freed, that is a finding already.
func sayWindowGone(g *check.Gone, by *check.Past, before string) {
	if g.Call == nil && used.ByInterpreter(g.Rank, objects.Made{Func: by.Fn, Site: by.Site}, g.How.Site) {
		return
	}
	g.Watch.Again(g.Rank, by).Say(winGone, by.Fn.Named("base"), func() check.Words {
		if c := g.Call; c != nil {
			return check.Words{
				Sentence: finding.Wordf("Rank %d calls %s with {base} on the stack, and the function that owns that "+
					"variable returns before %s.", g.Rank.World, by.Fn.Name, before),
				Related: []check.Related{{Text: "it returned before the call", Func: c.Func, Site: c.Site}},
				Hint:    fmt.Sprintf("call %s before the function returns, or use memory that lives longer", before),
			}
		}
		made := objects.Made{Func: by.Fn, Site: by.Site}
		if why, returned, is := used.CopyOf(g.Rank, made, by.Fn.Named("base"), g.How.Site); is {
			return check.Words{
				Sentence: finding.Wordf("Rank %d calls %s with {base}%s: the compiler passed a copy that was gone "+
					"when %s returned.", g.Rank.World, by.Fn.Name, why, returned),
				Hint: "make the window of a whole array, or of memory that MPI_Win_allocate or MPI_Alloc_mem gives",
			}
		}
		return check.Words{
			Sentence: finding.Wordf("Rank %d calls %s with {base}, and that memory is %s before %s.", g.Rank.World,
				by.Fn.Name, g.How.How, before),
			Related: []check.Related{{Text: "it was " + g.How.Worded(), Site: g.How.Site}},
			Hint:    fmt.Sprintf("call %s before the memory is freed", before),
		}
	})
}
