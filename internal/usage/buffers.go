package usage

import (
	"cmp"
	"fmt"
	"slices"

	"unknot/internal/finding"
	"unknot/internal/mpi"
	"unknot/internal/objects"
	"unknot/internal/op"
)

// Codes about buffers.
const (
	bufferOverlap  finding.Code = "buffer-overlap"
	bufferTooSmall finding.Code = "buffer-too-small"
	bufferAttached finding.Code = "buffer-attached"
)

func bufferCheckers() []Checker {
	return []Checker{
		{
			Name: "overlap", Family: Buffers, Watch: watchHeld,
			Peers: []string{"ERROR_OVERLAPPED_RECV", "ERROR_OVERLAPPED_SEND", "LOCAL:MEMORY:OVERLAP"},
			Codes: []finding.Doc{{
				Code: bufferOverlap, Title: "two operations use the same memory", Severity: finding.Error, Since: finding.Version01,
				Means: "A call receives into memory that another operation still uses, or sends from memory that another operation still receives into; or the buffers of one call overlap. Only two sends may share a buffer (MPI-4.0, 3.7.2, 2.3).",
				Why:   "One buffer for all messages in a loop of non-blocking calls, a wrong offset or count, a wait that comes too late, or one array passed as both buffers of a collective.",
				Fix:   "Give each operation its own memory, or complete the first with MPI_Wait before the second starts. In collectives, pass MPI_IN_PLACE for the other buffer; MPI_Sendrecv_replace uses one buffer for both.",
			}},
		},
		{
			Name: "attached", Family: Buffers, Watch: watchAttached,
			Peers: []string{"ERROR_BUFFER_NOATTACHED", "ERROR_BUFFER_REATTACH", "WARNING_BUFFER_OUTSIZED", "LOCAL:BUFFER:INSUFFICIENT_BUFFER"},
			Codes: []finding.Doc{{
				Code: bufferTooSmall, Title: "the attached buffer is missing or too small for a buffered send", Severity: finding.Error, Since: finding.Version01,
				Means: "A buffered send (MPI_Bsend, MPI_Ibsend, a started MPI_Bsend_init) needs more space than the attached buffer has. Each message occupies its data and MPI_BSEND_OVERHEAD bytes until it has been received.",
				Why:   "MPI_Buffer_attach is missing or the buffer was detached, the size counts elements instead of bytes, MPI_BSEND_OVERHEAD was left out, or several messages are in flight at once.",
				Fix:   "Attach the sum of MPI_Pack_size and MPI_BSEND_OVERHEAD over all messages that may be in flight (MPI-4.0, 3.6), or use MPI_Isend, which needs no buffer.",
			}, {
				Code: bufferAttached, Title: "a buffer is attached while one is attached, or detached while none is", Severity: finding.Error, Since: finding.Version01,
				Means: "A process has at most one buffer for buffered sends at a time (MPI-4.0, 3.6).",
				Why:   "A library and the program both attach a buffer, or a path through the program skips MPI_Buffer_attach or MPI_Buffer_detach.",
				Fix:   "Attach one buffer that is large enough for all messages in one place, and detach it in one place. A library should detach an attached buffer first and attach it again at the end.",
			}},
		},
	}
}

// operations is what the checks of the memory of pending operations share.
type operations struct {
	memory    Slot[memory]
	attached  Slot[attached]
	contested Slot[contested]
	scratch   Held // of the blocking call that is looked at
	judged    area // of the call that is looked at
}

// watchHeld has the memory of pending operations followed.
func watchHeld(h *Hooks) { follow(h) }

func follow(h *Hooks) *operations {
	return Model(h, func() *operations {
		x := &operations{memory: SlotOf[memory](h), attached: SlotOf[attached](h), contested: SlotOf[contested](h)}
		h.Enter(x.overlap)
		h.Hold(x.hold)
		h.Start(x.start)
		h.Filled(completed)
		h.Gone(x.gone)
		h.Changed(x.changed)
		h.EndRank(x.endRank)
		return x
	})
}

// overlap compares what calls use with what pending operations use, and with each other.
func (x *operations) overlap(f *mpi.Func) func(*Call) {
	uses := usesOf(f)
	makes, persistent := requestKind(f)
	switch {
	case len(uses) == 0:
		return nil
	case persistent && f.Mode == op.Buffered:
		// It takes a copy at each start; and Open MPI may give its request another handle then.
		return func(c *Call) {
			hd := x.memory.Of(c.Rank).newHeld()
			hd.read(c, uses)
			hd.persistent, hd.buffered = true, 0
			if hd.n > 0 {
				hd.buffered = hd.areas[0].bytes()
			}
			hd.n, c.Held = 0, hd
		}
	case makes:
		return func(c *Call) {
			m := x.memory.Of(c.Rank)
			hd := m.newHeld()
			hd.read(c, uses)
			hd.persistent, hd.made = persistent, hd.by
			m.itself(c, hd, uses)
			if !persistent {
				x.against(c, hd)
			}
			c.Held = hd
		}
	case len(uses) == 1 && !uses[0].Counts:
		return func(c *Call) {
			if m := x.memory.Of(c.Rank); m.writes.n > 0 || uses[0].Access != mpi.Reads && m.reads.n > 0 {
				x.scratch.read(c, uses)
				x.against(c, &x.scratch)
			}
		}
	}
	return func(c *Call) {
		m := x.memory.Of(c.Rank)
		if c.Same && m.reads.n+m.writes.n == 0 {
			return // neither its own buffers nor those of others are in the way
		}
		hd := &x.scratch
		hd.read(c, uses)
		m.itself(c, hd, uses)
		x.against(c, hd)
	}
}

// near is how many pending operations are looked at whose bounds meet those of a buffer.
const near = 8

// against compares what an operation uses with what others use.
func (x *operations) against(c *Call, h *Held) {
	m := x.memory.Of(c.Rank)
	for i := range h.areas[:h.n] {
		a := &h.areas[i]
		var found [near]*node
		n := 0
		if m.writes.n > 0 {
			n = m.writes.meeting(a.from, a.to, found[:])
		}
		if a.write && m.reads.n > 0 {
			n += m.reads.meeting(a.from, a.to, found[n:])
		}
		for _, other := range found[:n] {
			if m.meet(&a.area, &other.area) {
				contested := x.contested.Of(c.Rank)
				contested.add(h.by)
				contested.add(other.held.by)
				sayPending(c, h, a, other)
				return
			}
		}
	}
}

func sayPending(c *Call, h *Held, a, other *node) {
	param := a.param
	by := other.held.by
	made := h.made
	if h.persistent {
		param = -1
	} else {
		made = objects.Made{}
	}
	c.SayWith(bufferOverlap, param, by.Site, func() Words {
		owner := other.held.by.Func
		if other.held.persistent {
			owner = other.held.made.Func
		}
		verb := "receives into"
		if owner.Class == mpi.FileReq || owner.Class == mpi.FileIcoll {
			verb = "reads into"
		}
		if !other.write {
			verb = "sends from"
			if owner.Class == mpi.FileReq || owner.Class == mpi.FileIcoll {
				verb = "writes from"
			}
		}
		what := fmt.Sprintf("%s with {%s} in memory", c.Func.Name, c.Func.Params[max(param, 0)].Name)
		if param < 0 {
			what = fmt.Sprintf("%s, which starts an operation in memory", c.Func.Name)
		}
		w := Words{
			Sentence: fmt.Sprintf("Rank %d calls %s that a pending %s still %s%s.", c.Rank.World, what, owner.Operation(), verb, shared(&a.area, &other.area)),
			Hint:     "complete the first operation before its memory is used again, or give each operation its own buffer",
			Related:  []Related{{"the pending operation was started", by.Func, by.Site}},
		}
		if made.Func != nil {
			w.Related = append(w.Related, Related{"the request was created", made.Func, made.Site})
		}
		return w
	})
}

// shared says how many bytes two areas have in common, if each is one run of bytes.
func shared(a, b *area) string {
	if !a.run() || !b.run() {
		return ""
	}
	n := min(a.to, b.to) - max(a.from, b.from)
	unit := "bytes are"
	if n == 1 {
		unit = "byte is"
	}
	return fmt.Sprintf(" (%d %s in both)", n, unit)
}

// itself compares what a call's own buffers use.
func (m *memory) itself(c *Call, h *Held, uses []mpi.Buffer) {
	for i := range h.areas[:h.n] {
		if a := &h.areas[i]; a.write && len(a.blocks) > 1 {
			m.blocksApart(c, &a.area, uses)
		}
	}
	if h.n < 2 || uses[0].At == uses[1].At || !m.meet(&h.areas[0].area, &h.areas[1].area) {
		return
	}
	a, b := &h.areas[0].area, &h.areas[1].area
	c.Say(bufferOverlap, b.param, func() Words {
		names := c.Func.Params
		w := Words{Sentence: fmt.Sprintf("Rank %d calls %s with {%s} and {%s} in the same memory%s.", c.Rank.World, c.Func.Name, names[a.param].Name, names[b.param].Name, shared(a, b))}
		switch {
		case c.Func.Class == mpi.Isendrecv:
			w.Hint = "use MPI_Isendrecv_replace to send and receive with one buffer"
		case c.Func.Class == mpi.Sendrecv:
			w.Hint = "use MPI_Sendrecv_replace to send and receive with one buffer"
		case c.Func.Suits == mpi.SuitsNeighbours:
		case uses[1].InPlace != mpi.Nowhere:
			w.Hint = "pass MPI_IN_PLACE as recvbuf at the root, so that its own part stays in place"
		default:
			w.Hint = "pass MPI_IN_PLACE as sendbuf if the result is to replace what is in recvbuf"
		}
		return w
	})
}

// blocksApart looks for two blocks of a v or w collective that are received into the same memory.
func (m *memory) blocksApart(c *Call, a *area, uses []mpi.Buffer) {
	furthest := a.from
	apart := true
	for _, b := range a.blocks {
		from, to := b.bounds()
		apart = apart && from >= furthest
		furthest = to
	}
	if apart {
		return
	}
	slices.SortFunc(a.blocks, func(x, y block) int {
		from, _ := x.bounds()
		other, _ := y.bounds()
		return cmp.Compare(from, other)
	})
	for i, b := range a.blocks {
		_, to := b.bounds()
		for k := i + 1; k < len(a.blocks) && k <= i+near; k++ {
			o := a.blocks[k]
			if from, _ := o.bounds(); from >= to {
				break
			}
			if m.meetBlocks(b, o) {
				sayBlocks(c, a, b, o, uses)
				return
			}
		}
	}
}

func sayBlocks(c *Call, a *area, b, o block, uses []mpi.Buffer) {
	if b.member > o.member {
		b, o = o, b
	}
	displs := a.param
	for i := range uses {
		if uses[i].At == a.param {
			displs = uses[i].Displs
		}
	}
	c.Say(bufferOverlap, displs, func() Words {
		x, y := area{}, area{}
		x.one(b)
		y.one(o)
		names := c.Func.Params
		return Words{
			Sentence: fmt.Sprintf("Rank %d calls %s with {%s} with which blocks %d and %d of {%s} overlap%s.", c.Rank.World, c.Func.Name, names[displs].Name, b.member, o.member, names[a.param].Name, shared(&x, &y)),
			Hint:     "start each block where the previous one ends: a rank's displacement is the sum of the counts before it",
		}
	})
}
