package usage

import (
	"fmt"
	"slices"

	"unknot/internal/datatype"
	"unknot/internal/mpi"
	"unknot/internal/objects"
	"unknot/internal/op"
)

// Gone takes in that memory of a rank is no longer what pending operations were given: it was given back, or with a call c, it
// is a part of the stack of that call's thread below all of its functions.
func (w *Watch) Gone(r *Rank, from, to uint64, how Freed, c *Call) {
	w.goneWindows(r, from, to, how, c)
	m := &r.memory
	if m.reads.n+m.writes.n == 0 || from >= to || !w.enabled[bufferFreed] {
		return
	}
	var found [2 * near]*area
	n := m.reads.meeting(int64(from), int64(to), found[:near])
	n += m.writes.meeting(int64(from), int64(to), found[n:n+near])
	for _, a := range found[:n] {
		if a.held.gone || !m.covers(a, int64(from), int64(to)) {
			continue
		}
		a.held.gone = true
		m.mistrust(a.held.by)
		w.sayGone(r, a, how, c)
	}
}

// covers says whether an area certainly has a byte in a range.
func (m *memory) covers(a *area, from, to int64) bool {
	if m.byte == nil {
		m.byte, _ = datatype.Predefined("MPI_BYTE", 1, 1, 1)
	}
	for _, b := range a.all() {
		if yes, sure := b.typ.Type.Overlaps(b.count, b.at, m.byte, to-from, from); yes && sure {
			return true
		}
	}
	return false
}

// starts is the call that a report about a pending operation is of: the one that has the buffer among its arguments.
func (w *Watch) starts(r *Rank, t op.Thread, by objects.Made, words []uint64) *Call {
	return w.earlier(r, t, by.Func, by.Site, words)
}

func (w *Watch) sayGone(r *Rank, a *area, how Freed, c *Call) {
	h := a.held
	by, thread := h.by, op.Thread(0)
	if h.persistent {
		by = h.made
	}
	if c != nil {
		thread = c.Thread
	}
	start := w.starts(r, thread, by, h.words[:h.nwords])
	start.Say(bufferFreed, a.param, func() Words {
		name := by.Func.Params[a.param].Name
		words := Words{Hint: "complete the operation before its memory is freed, or use memory that lives longer"}
		if c != nil {
			words.Sentence = fmt.Sprintf("Rank %d calls %s with {%s} on the stack, and the function that owns that variable returns before the operation is completed.", r.World, by.Func.Name, name)
			words.Related = []Related{{Text: "it returned before the call", Func: c.Func, Site: c.Site}}
			words.Hint = "wait for the operation before the function returns, or use memory that lives longer"
		} else {
			words.Sentence = fmt.Sprintf("Rank %d calls %s with {%s}, and that memory is %s before the operation is completed.", r.World, by.Func.Name, name, how.How)
			words.Related = []Related{{Text: "it was " + how.How, Site: how.Site}}
		}
		if h.persistent {
			words.Related = append([]Related{{Text: "the operation was started", Func: h.by.Func, Site: h.by.Site}}, words.Related...)
		}
		return words
	})
}

// Change is what was found of the data of a send when that was complete.
type Change struct {
	Sent     objects.Made // the call that has the buffer
	Words    []uint64     // of its Enter record, some of the first
	Started  objects.Made // of a persistent operation: its start
	Offset   int64        // of the piece of data that has changed, in bytes of the data
	Length   int64        // of that piece
	Bytes    int64        // of the data that was looked at
	Gaps     bool         // the data has gaps, which do not count in Offset
	Complete objects.Made // the call that completed it
	Thread   op.Thread
}

// Changed takes in that the data of a send has changed between its start and its completion.
func (w *Watch) Changed(r *Rank, x *Change) {
	start := x.Sent
	if x.Started.Func != nil {
		start = x.Started
	}
	if r.memory.mistrusted[start] {
		return // another operation, or another function, was given its memory
	}
	param := slices.IndexFunc(x.Sent.Func.Params, func(p mpi.Param) bool { return p.Role == mpi.RBuf })
	if param < 0 {
		return
	}
	hint := "wait for the send before writing to its buffer, or alternate between two buffers"
	switch x.Sent.Func.Class {
	case mpi.Rma:
		hint = "complete the operation (MPI_Win_flush_local, MPI_Win_unlock, MPI_Win_fence or MPI_Win_complete) before writing to its origin buffer"
	case mpi.Rrma:
		hint = "wait for the request before writing to the origin buffer"
	}
	c := w.starts(r, x.Thread, x.Sent, x.Words)
	c.Say(SentModified, param, func() Words {
		words := Words{
			Sentence: fmt.Sprintf("Rank %d calls %s with {%s} and changes the data before the operation is completed.", r.World, x.Sent.Func.Name, x.Sent.Func.Params[param].Name),
			Notes:    []string{x.where()},
			Related:  []Related{{Text: "it was completed", Func: x.Complete.Func, Site: x.Complete.Site}},
			Hint:     hint,
		}
		if x.Started.Func != nil {
			words.Related = append([]Related{{Text: "it was started", Func: x.Started.Func, Site: x.Started.Site}}, words.Related...)
		}
		return words
	})
}

// where says which bytes have changed, as far as that is known.
func (x *Change) where() string {
	what := "the data"
	if x.Gaps {
		what = "the data without its gaps"
	}
	if x.Length >= x.Bytes {
		return fmt.Sprintf("the first change is among the %s of %s", bytesOf(x.Bytes), what)
	}
	return fmt.Sprintf("the first change is among the bytes %d to %d of %s", x.Offset, x.Offset+x.Length-1, what)
}

// maxMistrusted bounds the starts of operations that are remembered.
const maxMistrusted = 1 << 10

// mistrust notes that the memory of an operation that a call has started is used by others, which has been told.
func (m *memory) mistrust(by objects.Made) {
	if m.mistrusted == nil {
		m.mistrusted = make(map[objects.Made]bool)
	}
	if len(m.mistrusted) < maxMistrusted {
		m.mistrusted[by] = true
	}
}
