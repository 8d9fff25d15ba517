package usage

import (
	"math/bits"
	"slices"
	"strings"

	"unknot/internal/agent/place"
	"unknot/internal/check"
	"unknot/internal/kit/symbol"
	"unknot/internal/model/objects"
	"unknot/internal/observe/decode"
	"unknot/internal/observe/ring"
	"unknot/internal/vocab/op"
)

// grounds is what an agent knows of the memory of a rank without asking it: the stacks of its threads and its
// variables.
type grounds struct {
	data   place.Variables
	recent []knownGround // a power of two of them, more as they are needed
}

// Least and most addresses that are kept.
const (
	leastKnown = 1
	mostKnown  = 64
)

// known is where an address is kept that is asked for. One that is in its way leaves if there is no room for more.
func (g *grounds) known(at uint64) *knownGround {
	if g.recent == nil {
		g.recent = make([]knownGround, leastKnown)
	}
	for {
		k := g.slot(at)
		if k.at == 0 || k.at == at || len(g.recent) == mostKnown {
			return k
		}
		old := g.recent
		g.recent = make([]knownGround, 4*len(old))
		for _, o := range old {
			if o.at != 0 {
				*g.slot(o.at) = o
			}
		}
	}
}

// slot is where an address is kept among those that there are now. Buffers are often a power of two apart, and so are
// the products of their addresses, which are mixed for that reason before their highest bits are taken.
func (g *grounds) slot(at uint64) *knownGround {
	const odd = 0x9e3779b97f4a7c15
	h := at * odd
	n, _ := bits.Mul64((h^h>>32)*odd, uint64(len(g.recent)))
	return &g.recent[n]
}

// knownGround is an address that was asked for, and what it lies in.
type knownGround struct {
	at uint64
	check.Ground
}

// where says what memory an address is in. Programs use the same few buffers again and again, so the last answers are
// kept.
func (c *Checks) where(r *Rank, at uint64) check.Ground {
	for _, t := range r.threads {
		if !t.Ended && at >= t.stack.From && at < t.stack.To {
			return check.Ground{Kind: check.ThreadStack, From: t.stack.From, To: t.stack.To, Thread: t.WS.Index}
		}
	}
	if r.Maps == nil || at == 0 {
		return check.Ground{}
	}
	known := r.grounds.known(at)
	if known.at == at {
		return known.Ground
	}
	if r.grounds.data == nil {
		r.grounds.data = c.symbols.Data(r.Maps)
	}
	*known = knownGround{at: at}
	if v, ok := r.grounds.data.Variable(at); ok {
		known.Ground = check.Ground{Kind: check.Variable, From: v.From, To: v.To, Name: v.Name}
	}
	return known.Ground
}

// Data takes in a Data record about memory, or about what the rank may learn of others; false if it is about something
// else.
func (t *Thread) Data(id ring.DataID, v []uint64) bool {
	c := t.checks
	switch id {
	case ring.DataNull:
		t.nulls = append(t.nulls, decode.ReadNull(v))
	case ring.DataStack:
		t.stack = decode.ReadRange(v)
	case ring.DataBelow:
		t.below = decode.ReadRange(v)
	case ring.DataMemory:
		t.beneath = append(t.beneath, beneath(decode.ReadMemory(v)))
	case ring.DataOrder:
		if t.Rank.Use.Order == nil {
			t.Rank.Use.Order = new(check.Order)
		}
		o := decode.ReadOrder(v)
		t.Rank.Use.Order.Know(t.WS.Index, o.Returned, slices.Clone(o.Turns))
	case ring.DataReused:
		t.Call.Reused = v[ring.DataReusedTimes]
	case ring.DataUnfollowed:
		by := decode.ReadUnfollowed(v).By
		t.Rank.Use.Unfollowed = &by
	case ring.DataExternal:
		t.Rank.hears = t.Rank.hears || len(v) > 0 && v[0] != 0
		t.learned()
	case ring.DataChanged:
		t.changed(decode.ReadChanged(v))
	case ring.DataArray, ring.DataFreed, ring.DataTouched, ring.DataShared, ring.DataAccessed:
		if c.Watch != nil {
			t.memory(id, v)
			c.Tell()
		}
	default:
		return false
	}
	return true
}

// beneath is what a buffer of the next call lies in.
func beneath(m decode.Memory) check.Beneath {
	b := check.Beneath{Param: m.Param}
	switch m.State {
	case ring.MemoryBlock:
		b.Kind = check.HeapBlock
	case ring.MemoryFreed:
		b.Kind = check.FreedBlock
	case ring.MemoryBelow:
		b.Kind = check.LeftStack
	}
	b.From, b.To = m.From, m.To
	b.Freed = check.Freed{How: "freed", Site: m.Freed}
	return b
}

// memory shows the checks what a record says that only they want to know.
func (t *Thread) memory(id ring.DataID, v []uint64) {
	w, use := t.checks.Watch, t.Rank.Use
	switch id {
	case ring.DataArray:
		t.arrays = append(t.arrays, t.checks.array(decode.ReadArray(v)))
	case ring.DataFreed:
		f := decode.ReadFreed(v)
		w.Gone(use, f.From, f.To, t.checks.places.Freed(&t.Rank.Process, f), nil)
	case ring.DataTouched:
		d := decode.ReadTouched(v)
		x := &check.Touch{At: int64(d.At), Bytes: d.Bytes, Store: d.Store, Site: d.Site, Outside: d.Thread < 0,
			Thread: op.Thread(max(d.Thread, 0))}
		if d.Inside > 0 {
			if x.Inside = t.Rank.call(op.Thread(d.Inside - 1)); x.Inside == nil {
				return
			}
		}
		w.Touched(use, x)
	case ring.DataShared:
		d := decode.ReadShared(v)
		w.Shared(use, &check.Shared{Win: d.Win, Member: d.Member, At: int64(d.At), Bytes: d.Bytes})
	case ring.DataAccessed:
		t.accessed(decode.ReadAccessed(v))
	}
}

// learned takes in that a thread may have learned of other ranks by ways that are not MPI's.
func (t *Thread) learned() {
	t.checks.follower.Node.MakeImprecise(t.WS)
	if w := t.checks.Watch; w != nil {
		w.Learned(t.Rank.Use)
	}
}

// accessed takes in accesses of the program's own to memory of a window.
func (t *Thread) accessed(d decode.Accessed) {
	r := t.Rank
	if d.How&ring.AccessOrders != 0 {
		for _, o := range r.threads {
			t.checks.follower.Node.MakeImprecise(o.WS) // it may have waited for what others have written
		}
	}
	t.checks.Watch.Accessed(r.Use, &check.Access{At: int64(d.At), Bytes: d.Bytes, N: d.N, Stride: d.Stride,
		Store:  d.How&ring.AccessStore != 0,
		Orders: d.How&ring.AccessOrders != 0, Vague: d.How&ring.AccessVague != 0, Site: d.Site, Outside: d.Thread < 0})
}

// changed takes in that a send's data is not what it was.
func (t *Thread) changed(d decode.Changed) {
	c := t.checks
	made := func(s decode.Site) objects.Made { return objects.Made{Func: c.follower.Table.ByID(s.Func), Site: s.At} }
	x := check.Change{Sent: made(d.Sent), Started: made(d.Started), Offset: d.Offset, Length: d.Length, Bytes: d.Bytes,
		Gaps:  d.Gaps,
		Words: slices.Clone(d.Words)}
	if c.Watch == nil || x.Sent.Func == nil {
		return
	}
	x.Complete, x.Thread = objects.Made{Func: t.Func, Site: t.Site}, t.WS.Index
	c.Watch.Changed(t.Rank.Use, &x)
	c.Tell()
}

// leave shows the usage checks, before a call, that functions of its thread have returned which had buffers.
func (t *Thread) leave() {
	if t.below.To > t.below.From {
		t.checks.Watch.Gone(t.Rank.Use, t.below.From, t.below.To, check.Freed{}, &t.Call)
		t.below = decode.Range{}
	}
}

// array is what a process has said of an array of Python.
func (c *Checks) array(d decode.Array) check.Array {
	x := check.Array{Param: d.Param, From: d.From, To: d.To, Is: "array"}
	switch d.Kind {
	case ring.ArrayOfBytes:
		x.Is = "object of bytes"
	case ring.ArrayView:
		x.Is = "memoryview"
	case ring.ArrayMapped:
		x.Is = "mmap"
	}
	if x.Items = c.items(d.Format); x.Items != nil && x.Is == "array" {
		x.Is = x.Items.Type + " array"
	}
	if d.Whole.To > d.Whole.From {
		x.Whole = check.Ground{Kind: check.ArrayMemory, From: d.Whole.From, To: d.Whole.To,
			Name: "the memory of an array"}
		if d.Whole == d.Range {
			x.Whole.Name = withArticle(x.Is)
		}
	}
	return x
}

// items reads the format of an array's elements, once.
func (c *Checks) items(format string) *symbol.Declared {
	items, asked := c.formats[format]
	if !asked {
		if read, ok := symbol.Array(format); ok {
			items = &read
		}
		if c.formats == nil {
			c.formats = make(map[string]*symbol.Declared)
		}
		c.formats[format] = items
	}
	return items
}

func withArticle(s string) string {
	if strings.IndexByte("aeio", s[0]) >= 0 {
		return "an " + s
	}
	return "a " + s
}
