package buffers

import (
	"fmt"
	"slices"

	"unknot/internal/check"
	"unknot/internal/check/used"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// gone takes in that memory of a rank is no longer what pending operations were given.
func (x *operations) gone(g *check.Gone) {
	m := x.memory.Of(g.Rank)
	if g.From >= g.To || !g.Watch.Enabled(BufferFreed) {
		return
	}
	from, to := int64(g.From), int64(g.To)
	var found [3 * near]*node
	n := m.reads.meeting(from, to, found[:near])
	n += m.writes.meeting(from, to, found[n:n+near])
	n += m.partitioned.meeting(from, to, found[n:n+near])
	for _, a := range found[:n] {
		if a.held.gone || !m.covers(&a.Area, from, to) {
			continue
		}
		x.contested.Of(g.Rank).Add(a.held.by)
		sayGone(g, a)
		a.held.lose()
	}
	for h := range m.persistent {
		if h.active || h.freed != nil || g.Call != nil {
			continue
		}
		for i := range h.areas[:h.n] {
			if a := &h.areas[i].Area; a.From < to && from < a.To && m.covers(a, from, to) {
				how := g.How
				h.freed = &how
			}
		}
	}
}

// freeMem takes in that the program gives memory back that MPI has allocated, of which the first byte is known.
func (x *operations) freeMem(f *mpi.Func) func(*check.Call) {
	if f.Name != "MPI_Free_mem" {
		return nil
	}
	base := f.Named("base")
	return func(c *check.Call) {
		if at, ok := c.Int(base); ok && at != 0 {
			x.gone(&check.Gone{Watch: c.Watch(), Rank: c.Rank, From: uint64(at), To: uint64(at) + 1,
				How: check.Freed{How: "freed by MPI_Free_mem", Site: c.Site}})
		}
	}
}

// covers says whether an area certainly has a byte in a range.
func (m *memory) covers(a *used.Area, from, to int64) bool {
	if m.byte == nil {
		m.byte, _ = datatype.Predefined("MPI_BYTE", 1, 1, 1)
	}
	for _, b := range a.All() {
		if yes, sure := b.Type.Type.Overlaps(b.Count, b.At, m.byte, to-from, from); yes && sure {
			return true
		}
	}
	return false
}

// sayGone reports it at the call that has the buffer among its arguments.
func sayGone(g *check.Gone, a *node) {
	h, c := a.held, g.Call
	by, thread := h.by, op.Thread(0)
	if h.persistent {
		by = h.made
	}
	if c != nil {
		thread = c.Thread
	}
	start := g.Watch.Earlier(g.Rank, thread, by.Func, by.Site, h.words[:h.nwords])
	start.Say(BufferFreed, a.Param, func() (words check.Words) {
		if c == nil {
			words = freedWords(g.Rank, by, a.Param, a.Write, &g.How, "completed")
		} else {
			words.Sentence = finding.Wordf("Rank %d calls %s with {%s} on the stack, and the function that owns that "+
				"variable returns before the operation is completed.", g.Rank.World, by.Func.Name,
				by.Func.Params[a.Param].Name)
			words.Related = []check.Related{{Text: "it returned before the call", Func: c.Func, Site: c.Site}}
			words.Hint = "wait for the operation before the function returns, or use memory that lives longer"
		}
		if h.persistent {
			words.Related = append([]check.Related{{Text: "the operation was started", Func: h.by.Func,
				Site: h.by.Site}}, words.Related...)
		}
		return words
	})
}

// sayStarted reports that a persistent operation is started whose memory was freed, at the call that has the buffer
// among its arguments.
func sayStarted(c *check.Call, h *Held) {
	h.gone = true
	start := c.Watch().Earlier(c.Rank, c.Thread, h.made.Func, h.made.Site, h.words[:h.nwords])
	a := &h.areas[0]
	start.Say(BufferFreed, a.Param, func() check.Words {
		words := freedWords(c.Rank, h.made, a.Param, a.Write, h.freed, "started")
		words.Related = append(words.Related, check.Related{Text: "the operation was started", Func: c.Func,
			Site: c.Site})
		return words
	})
}

// freedWords say of a call that the memory of its buffer was freed before its operation was completed, or started.
func freedWords(r *check.Rank, by objects.Made, param int, writes bool, how *check.Freed, until string) check.Words {
	name := by.Func.Params[param].Name
	if why, returned, is := used.CopyOf(r, by, param, how.Site); is {
		return copyWords(r, by, param, writes, why, returned)
	}
	words := check.Words{
		Sentence: finding.Wordf("Rank %d calls %s with {%s}, and that memory is %s before the operation is %s.",
			r.World, by.Func.Name, name, how.How, until),
		Related: []check.Related{{Text: "it was " + how.Worded(), Site: how.Site}},
	}
	life := used.LifetimeOf(r, by, how.Site)
	switch {
	case used.ByInterpreter(r, by, how.Site):
		words.Sentence = finding.Wordf("Rank %d calls %s with {%s}, and the interpreter frees that memory before the "+
			"operation is %s.", r.World, by.Func.Name, name, until)
		words.Related = nil
		words.Hint = "wait for the request before the script ends, and keep it and the array in variables until then"
	case life == used.Temporary:
		words.Hint = "that is a temporary, which lives only as long as the statement: keep the data in a variable " +
			"until the operation is completed"
	case life == used.PythonTemporary:
		words.Hint = "that is a temporary, which lives only as long as the statement: keep the array, and the " +
			"request, in variables until the request is completed"
	case used.OfScript(r, by.Site):
		words.Hint = "keep the array, and the request, in variables until the request is completed"
	default:
		words.Hint = "complete the operation before its memory is freed, or use memory that lives longer"
	}
	return words
}

// copyWords say that a Fortran compiler has made a copy of a buffer, why, and when what returned it was gone.
func copyWords(r *check.Rank, by objects.Made, param int, writes bool, why finding.Wording,
	returned string) check.Words {
	words := check.Words{Hint: "send from a contiguous copy that lives until the operation is completed, or pass the " +
		"first element and a datatype for the section (MPI_Type_vector)"}
	if writes {
		words.Hint = "receive into a contiguous array and copy that to the section after the wait, or pass the first " +
			"element and a datatype for the section (MPI_Type_vector)"
	}
	words.Sentence = finding.Wordf("Rank %d calls %s with {%s}%s: the compiler passed a copy that was gone when "+
		"%s returned.", r.World, by.Func.Name, by.Func.Params[param].Name, why, returned)
	return words
}

// changed takes in that the data of a send has changed between its start and its completion.
func (m *operations) changed(r *check.Rank, x *check.Change) {
	start := x.Sent
	if x.Started.Func != nil {
		start = x.Started
	}
	if c := m.contested.Of(r); c.Has(start) || c.Has(x.Sent) {
		return // another operation, or another function, was given its memory
	}
	param := slices.IndexFunc(x.Sent.Func.Params, func(p mpi.Param) bool { return p.Role == mpi.RBuf })
	if param < 0 {
		return
	}
	hint, begun := "complete the operation before writing to its buffer, or alternate between two buffers",
		"it was started"
	switch x.Sent.Func.Class {
	case mpi.Rma:
		hint = "complete the operation (MPI_Win_flush_local, MPI_Win_unlock, MPI_Win_fence or MPI_Win_complete) " +
			"before writing to its origin buffer"
	case mpi.Rrma:
		hint = "wait for the request before writing to the origin buffer"
	case mpi.PsendInit:
		hint, begun = readyHint, "the partition was given to MPI"
	}
	c := x.Watch.Earlier(r, x.Thread, x.Sent.Func, x.Sent.Site, x.Words)
	c.Say(SentModified, param, func() check.Words {
		words := check.Words{
			Sentence: finding.Wordf(
				"Rank %d calls %s with {%s} and changes the data before the operation is completed.", r.World,
				x.Sent.Func.Name, x.Sent.Func.Params[param].Name),
			Notes:   finding.Remarks(changedBytes(x)),
			Related: []check.Related{{Text: "it was completed", Func: x.Complete.Func, Site: x.Complete.Site}},
			Hint:    hint,
		}
		if x.Started.Func != nil {
			words.Related = append([]check.Related{{Text: begun, Func: x.Started.Func, Site: x.Started.Site}},
				words.Related...)
		}
		return words
	})
}

// changedBytes says which bytes have changed, as far as that is known.
func changedBytes(x *check.Change) string {
	what := "the data"
	if partitioned(x.Sent.Func) {
		what = "the partition's data"
	}
	if x.Gaps {
		what += " without its gaps"
	}
	if x.Length >= x.Bytes {
		return fmt.Sprintf("the first change is among the %s of %s", check.Bytes(x.Bytes), what)
	}
	return fmt.Sprintf("the first change is among the bytes %d to %d of %s", x.Offset, x.Offset+x.Length-1, what)
}
