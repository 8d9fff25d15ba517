// Package buffers follows the memory that operations use, from their start to their completion.
package buffers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"unknot/internal/check"
	"unknot/internal/check/used"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// Codes about buffers.
const (
	bufferOverlap  finding.Code = "buffer-overlap"
	bufferTooSmall finding.Code = "buffer-too-small"
	bufferAttached finding.Code = "buffer-attached"
)

func bufferCheckers() []check.Checker {
	return []check.Checker{
		{
			Name: "overlap", Family: check.Buffers, Watch: watchHeld,
			Peers: []string{"ERROR_OVERLAPPED_RECV", "ERROR_OVERLAPPED_SEND", "LOCAL:MEMORY:OVERLAP"},
			Codes: []finding.Doc{{
				Code: bufferOverlap, Title: "two operations use the same memory", Severity: finding.Error,
				Since: finding.Version01,
				Means: "A call receives into memory that another operation still uses, or sends from memory that " +
					"another operation still receives into; or the buffers of one call overlap. Only two sends may " +
					"share a buffer (MPI-4.0, 3.7.2, 2.3). This also holds for calls of two threads at the same time " +
					"(11.6.1). It is predicted, as a warning, of calls of two threads that came one after the other " +
					"only by chance, if the memory is a variable or on the main thread's stack.",
				Why: "One buffer for all messages in a loop of non-blocking calls, a wrong offset or count, a wait " +
					"that comes too late, one array passed as both buffers of a collective, or a global buffer in code " +
					"that several threads run.",
				Fix: "Give each operation its own memory, or complete the first with MPI_Wait before the second " +
					"starts. In collectives, pass MPI_IN_PLACE for the other buffer; MPI_Sendrecv_replace uses one " +
					"buffer for both.",
			}},
		},
		{
			Name: "attached", Family: check.Buffers, Watch: watchAttached,
			Peers: []string{"ERROR_BUFFER_NOATTACHED", "ERROR_BUFFER_REATTACH", "WARNING_BUFFER_OUTSIZED",
				"LOCAL:BUFFER:INSUFFICIENT_BUFFER"},
			Codes: []finding.Doc{{
				Code: bufferTooSmall, Title: "the attached buffer is missing or too small for a buffered send",
				Severity: finding.Error, Since: finding.Version01,
				Means: "A buffered send (MPI_Bsend, MPI_Ibsend, a started MPI_Bsend_init) needs more space than the " +
					"attached buffer has. Each message occupies its data and MPI_BSEND_OVERHEAD bytes until it has " +
					"been received.",
				Why: "MPI_Buffer_attach is missing or the buffer was detached, the size counts elements instead of " +
					"bytes, MPI_BSEND_OVERHEAD was left out, or several messages are in flight at once.",
				Fix: "Attach the sum of MPI_Pack_size and MPI_BSEND_OVERHEAD over all messages that may be in " +
					"flight (MPI-4.0, 3.6), or use MPI_Isend, which needs no buffer.",
			}, {
				Code: bufferAttached, Title: "a buffer is attached while one is attached, or detached while none is",
				Severity: finding.Error, Since: finding.Version01,
				Means: "A process has at most one buffer for buffered sends at a time (MPI-4.0, 3.6).",
				Why: "A library and the program both attach a buffer, or a path through the program skips " +
					"MPI_Buffer_attach or MPI_Buffer_detach.",
				Fix: "Attach one buffer that is large enough for all messages in one place, and detach it in one " +
					"place. A library should detach an attached buffer first and attach it again at the end.",
			}},
		},
	}
}

// operations is what the checks of the memory of pending operations share.
type operations struct {
	memory    check.Slot[memory]
	attached  check.Slot[attached]
	contested check.Slot[used.Contested]
	scratch   Held // of the blocking call that is looked at
	threads   check.Slot[threads]
	earlier   check.Slot[earlier]
	judged    used.Area // of the call that is looked at
}

// watchHeld has the memory of pending operations followed.
func watchHeld(h *check.Hooks) { follow(h) }

func follow(h *check.Hooks) *operations {
	return check.Model(h, func() *operations {
		x := &operations{memory: check.SlotOf[memory](h), attached: check.SlotOf[attached](h),
			contested: check.SlotOf[used.Contested](h), threads: check.SlotOf[threads](h),
			earlier: check.SlotOf[earlier](h)}
		h.Enter(x.overlap)
		h.Hold(x.hold)
		h.Start(x.start)
		h.Filled(completed)
		h.Gone(x.gone)
		h.Enter(x.freeMem)
		h.Changed(x.changed)
		h.Touched(x.touch)
		h.EndRank(x.endRank)
		return x
	})
}

// overlap compares what calls use with what pending operations use, and with each other.
func (x *operations) overlap(f *mpi.Func) func(*check.Call) {
	uses := used.Of(f)
	if partitioned(f) {
		uses = f.Buffers()
	}
	makes, persistent := requestKind(f)
	switch {
	case len(uses) == 0:
		return nil
	case persistent && f.Mode == op.Buffered:
		// It takes a copy at each start; and Open MPI may give its request another handle then.
		return func(c *check.Call) {
			hd := x.memory.Of(c.Rank).newHeld()
			hd.read(c, uses)
			hd.persistent, hd.buffered = true, 0
			if hd.n > 0 {
				hd.buffered = hd.areas[0].Bytes()
			}
			hd.n, c.Held = 0, hd
		}
	case makes:
		return func(c *check.Call) {
			m := x.memory.Of(c.Rank)
			hd := m.newHeld()
			hd.read(c, uses)
			hd.persistent, hd.made = persistent, hd.by
			if m.copied(c, uses) {
				hd.n = 0 // the memory is no longer the operation's
				c.Held = hd
				return
			}
			hd.divide(c)
			m.itself(c, hd, uses)
			if !persistent {
				x.against(c, hd)
				x.beside(c, hd)
				x.byChance(c, hd)
			}
			c.Held = hd
		}
	case len(uses) == 1 && !uses[0].Counts:
		return func(c *check.Call) {
			m := x.memory.Had(c.Rank)
			pending := m != nil && (m.writes.n > 0 || uses[0].Access != mpi.Reads && m.reads.n > 0)
			if !pending && !several(c) {
				return
			}
			hd := x.blocking(c)
			hd.read(c, uses)
			if pending {
				x.against(c, hd)
			}
			x.beside(c, hd)
			x.byChance(c, hd)
		}
	}
	return func(c *check.Call) {
		m := x.memory.Of(c.Rank)
		if c.Same && m.reads.n+m.writes.n == 0 && !several(c) {
			return // neither its own buffers nor those of others are in the way
		}
		hd := x.blocking(c)
		hd.read(c, uses)
		m.itself(c, hd, uses)
		x.against(c, hd)
		x.beside(c, hd)
		x.byChance(c, hd)
	}
}

// near is how many pending operations are looked at whose bounds meet those of a buffer.
const near = 8

// against compares what an operation uses with what others use.
func (x *operations) against(c *check.Call, h *Held) {
	m := x.memory.Of(c.Rank)
	for i := range h.areas[:h.n] {
		a := &h.areas[i]
		var found [near]*node
		n := 0
		if m.writes.n > 0 {
			n = m.writes.meeting(a.From, a.To, found[:])
		}
		if a.Write && m.reads.n > 0 {
			n += m.reads.meeting(a.From, a.To, found[n:])
		}
		for _, other := range found[:n] {
			if m.meet(&a.Area, &other.Area) {
				contested := x.contested.Of(c.Rank)
				contested.Add(h.by)
				contested.Add(other.held.by)
				sayPending(c, h, a, other)
				return
			}
		}
	}
}

func sayPending(c *check.Call, h *Held, a, other *node) {
	param := a.Param
	by := other.held.by
	made := h.made
	if h.persistent {
		param = -1
	} else {
		made = objects.Made{}
	}
	c.SayWith(bufferOverlap, param, by.Site, func() check.Words {
		owner := other.held.by.Func
		if other.held.persistent {
			owner = other.held.made.Func
		}
		what := fmt.Sprintf("%s with {%s} in memory", c.Func.Name, c.Func.Params[max(param, 0)].Name)
		if param < 0 {
			what = fmt.Sprintf("%s, which starts an operation in memory", c.Func.Name)
		}
		w := check.Words{
			Sentence: finding.Wordf("Rank %d calls %s that a pending %s still %s%s.", c.Rank.World, what,
				owner.Operation(), does(owner, other.Write), shared(&a.Area, &other.Area)),
			Hint: "complete the first operation before its memory is used again, or give each operation " +
				"its own buffer",
			Related: []check.Related{{Text: "the pending operation was started", Func: by.Func, Site: by.Site}},
		}
		if made.Func != nil {
			w.Related = append(w.Related, check.Related{Text: "the request was created", Func: made.Func,
				Site: made.Site})
		}
		return w
	})
}

// does says what an operation of a function does with a buffer that it writes or reads.
func does(f *mpi.Func, write bool) string {
	file := strings.HasPrefix(f.Name, "MPI_File_")
	switch {
	case f.Class == mpi.Local && write:
		return "writes to"
	case f.Class == mpi.Local:
		return "reads from"
	case file && write:
		return "reads into"
	case file:
		return "writes from"
	case write:
		return "receives into"
	}
	return "sends from"
}

// shared says how many bytes two areas have in common, if each is one run of bytes.
func shared(a, b *used.Area) finding.Wording {
	if !a.Run() || !b.Run() {
		return finding.Wording{}
	}
	n := min(a.To, b.To) - max(a.From, b.From)
	unit := "bytes are"
	if n == 1 {
		unit = "byte is"
	}
	return finding.Wordf(" (%d %s in both)", n, unit)
}

// itself compares what a call's own buffers use.
func (m *memory) itself(c *check.Call, h *Held, uses []mpi.Buffer) {
	for i := range h.areas[:h.n] {
		if a := &h.areas[i]; a.Write && len(a.Blocks) > 1 {
			m.blocksApart(c, &a.Area, uses)
		}
	}
	if h.n < 2 || uses[0].At == uses[1].At || !m.meet(&h.areas[0].Area, &h.areas[1].Area) {
		return
	}
	a, b := &h.areas[0].Area, &h.areas[1].Area
	if a.From != b.From && c.Watch().Enabled(bufferOutside) && (outside(c, a) || outside(c, b)) {
		return // they meet as one of them extends beyond the end of its variable
	}
	c.Say(bufferOverlap, b.Param, func() check.Words {
		names := c.Func.Params
		w := check.Words{Sentence: finding.Wordf("Rank %d calls %s with {%s} and {%s} in the same memory%s.",
			c.Rank.World, c.Func.Name, names[a.Param].Name, names[b.Param].Name, shared(a, b))}
		switch {
		case c.Func.Class == mpi.Isendrecv:
			w.Hint = "use MPI_Isendrecv_replace to send and receive with one buffer"
		case c.Func.Class == mpi.Sendrecv:
			w.Hint = "use MPI_Sendrecv_replace to send and receive with one buffer"
		case c.Func.Suits == mpi.SuitsNeighbours:
		case c.Func.Name == "MPI_Reduce_local":
			w.Hint = "pass two arrays that do not overlap: the result replaces what is in inoutbuf"
		case uses[1].InPlace != mpi.Nowhere:
			w.Hint = "pass MPI_IN_PLACE as recvbuf at the root, so that its own part stays in place"
		case c.Func.Named("root") >= 0:
			w.Hint = "pass MPI_IN_PLACE as sendbuf at the root if the result is to replace what is in its recvbuf"
		default:
			w.Hint = "pass MPI_IN_PLACE as sendbuf if the result is to replace what is in recvbuf"
		}
		return w
	})
}

// outside says whether memory that begins in a variable or heap block extends beyond its end, which is reported as
// that.
func outside(c *check.Call, a *used.Area) bool {
	g := c.Ground(a.Param)
	return g.Kind != check.NoGround && slices.ContainsFunc(a.All(), func(b used.Block) bool {
		_, out := leaves(b, g)
		return out
	})
}

// blocksApart looks for two blocks of a v or w collective that are received into the same memory.
func (m *memory) blocksApart(c *check.Call, a *used.Area, uses []mpi.Buffer) {
	furthest := a.From
	apart := true
	for _, b := range a.Blocks {
		from, to := b.Bounds()
		apart = apart && from >= furthest
		furthest = to
	}
	if apart {
		return
	}
	slices.SortFunc(a.Blocks, func(x, y used.Block) int {
		from, _ := x.Bounds()
		other, _ := y.Bounds()
		return cmp.Compare(from, other)
	})
	for i, b := range a.Blocks {
		_, to := b.Bounds()
		for k := i + 1; k < len(a.Blocks) && k <= i+near; k++ {
			o := a.Blocks[k]
			if from, _ := o.Bounds(); from >= to {
				break
			}
			if m.meetBlocks(b, o) {
				sayBlocks(c, a, b, o, uses)
				return
			}
		}
	}
}

func sayBlocks(c *check.Call, a *used.Area, b, o used.Block, uses []mpi.Buffer) {
	if b.Member > o.Member {
		b, o = o, b
	}
	displs := a.Param
	for i := range uses {
		if uses[i].At == a.Param {
			displs = uses[i].Displs
		}
	}
	c.Say(bufferOverlap, displs, func() check.Words {
		x, y := used.Area{}, used.Area{}
		x.One(b)
		y.One(o)
		names := c.Func.Params
		return check.Words{
			Sentence: finding.Wordf("Rank %d calls %s with {%s} with which blocks %d and %d of {%s} overlap%s.",
				c.Rank.World, c.Func.Name, names[displs].Name, b.Member, o.Member, names[a.Param].Name, shared(&x, &y)),
			Hint: "start each block where the previous one ends: a rank's displacement is the sum of the " +
				"counts before it",
		}
	})
}
