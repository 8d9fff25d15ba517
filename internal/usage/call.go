package usage

import (
	"unknot/internal/mpi"
	"unknot/internal/objects"
	"unknot/internal/op"
)

// Call is one MPI call of a thread. The owner fills it in and may use it again for the next one.
type Call struct {
	objects.Call
	Rank *Rank // of Call.Rank
	// Message is what MPI says of the error with which the call failed.
	Message string
	// Nulls are the parameters that are null pointers where MPI reads or writes an object.
	Nulls []int
	// Beneath is what its buffers lie in, as far as the process has told.
	Beneath []Beneath
	// Beside are threads of the rank that are inside of another call while this one is made, as far as that is certain.
	Beside []Thread

	watch *Watch
	said  bool   // something about this call
	same  bool   // nothing was wrong with an earlier one that had the same arguments
	held  *Held  // memory that the operation uses which it starts
	reach *Reach // its buffer, if the count goes on behind the end of that
}

// earlier is a past call of a rank, to be asked again.
func (w *Watch) earlier(r *Rank, thread op.Thread, f *mpi.Func, site uint64, words []uint64) *Call {
	c := &Call{Call: objects.Call{Func: f, Site: site, Rank: r.Rank, Thread: thread, Words: words}, Rank: r, watch: w}
	w.objects.Begin(&c.Call)
	return c
}

// Thread is another thread of the rank, inside of a call.
type Thread struct {
	Index    op.Thread
	Stamp    uint32
	Func     *mpi.Func
	Site     uint64
	Comm     *objects.Comm
	Requests []*objects.Request
}
