package check

import (
	"unknot/internal/model/objects"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// Call is one MPI call of a thread. The owner fills it in and may use it again for the next one.
type Call struct {
	objects.Call
	Rank *Rank // of Call.Rank
	// Message is what MPI says of the error with which the call failed.
	Message string
	// Nulls are the parameters that are null pointers where MPI reads or writes an object.
	Nulls []int
	// Beneath is what its buffers lie in, as far as the process has recorded.
	Beneath []Beneath
	// Arrays are those of Python that its buffers belong to.
	Arrays []Array
	// Reused is how often memory that calls were given was given back in the process, as far as that may matter, up to
	// this call or an earlier one of its thread that was given memory; 0 if it is not known.
	Reused uint64
	// Beside are threads of the rank that are inside of another call while this one is made, as far as that is certain.
	Beside []Thread

	// Held is the memory that the operation uses which it starts, for its request.
	Held objects.Held
	// Filling is its buffer, if the count extends beyond the end of that; else nil.
	Filling Filling
	// Lengths are to be given the length of the message that the receive of the call meets.
	Lengths []Filling
	// Same says that nothing was wrong with an earlier call that had the same arguments.
	Same bool
	// Said says that something was reported about this call.
	Said bool
	// Because is the code of a finding that was reported of another call, and why this one may fail; "" if there is
	// none.
	Because finding.Code

	watch *Watch
}

// Filling is the buffer of a call that receives.
type Filling interface {
	// Received takes in that the call has met a message of so many bytes, of which it has no more to tell.
	Received(bytes int64)
}

// Watch is that which looks at the call.
func (c *Call) Watch() *Watch { return c.watch }

// Earlier is a past call of a rank, to be asked again.
func (w *Watch) Earlier(r *Rank, thread op.Thread, f *mpi.Func, site uint64, words []uint64) *Call {
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
