package calls

import (
	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// Observer is given what one thread does, as its records are taken in. Of a call it is given in this order: Began,
// Called, Started, Entering, what the call has completed, Returned,
// CallEnded.
type Observer interface {
	// Began: a call has begun (Thread.Call). Nothing of what it does has been taken in.
	Began()
	// Called: it is one that may block, match or make something.
	Called(f *mpi.Func, o *waitstate.Origin)
	// Started: it has become an operation, as the program has called it: a plan may change what it waits for.
	Started(o *waitstate.Op)
	// Entering: the operation is entered into the wait-state system next.
	Entering(o *waitstate.Op, f *mpi.Func)
	// Returned: an operation has returned, or a thread that another one waited for has ended.
	Returned(failed bool)
	// CallEnded: a call has returned with a record of this stamp, and all that it gave back has been taken in.
	CallEnded(stamp uint32)
	// ThreadEnded: the thread makes no more calls; stamp is that of the record.
	ThreadEnded(stamp uint32)
	// Joining: the thread waits for the end of another one, as an operation.
	Joining(o *waitstate.Op)

	// Asks: a call asks whether requests are complete; AsksFor: whether there is a message, as a part that is in no
	// queue.
	Asks(f *mpi.Func, o *waitstate.Op, requests []*objects.Request)
	AsksFor(p *waitstate.Part)
	// Missed: so many polls, of which this is the first one's number, have found nothing.
	Missed(nth, n uint32)
	// Found: a poll has found what the operation would have waited for.
	Found(o *waitstate.Op)
	// Matched: a receive has matched a message from a rank with a tag; Gone: an operation was cancelled.
	Matched(p *waitstate.Part, from op.Rank, tag int32)
	Gone(p *waitstate.Part)
	// Done: the request at this place of the program's array is complete.
	Done(index int32)

	// Requested: the call has made a request. Restarted: it starts a persistent one.
	Requested(q *objects.Request)
	Restarted(q *objects.Request)
	// Filled: a request was completed by a call, having transferred so many bytes, -1 if that is not certain.
	Filled(q *objects.Request, bytes int64, by objects.Made)
	// Completed: the call has completed these parts of a request.
	Completed(parts []*waitstate.Part)

	// Made: a communicator is known from here on; Named: the program has named it.
	Made(c *objects.Comm)
	Named(c *objects.Comm)
	// Numbered: a way to make an object has a number, by which it is recorded from here on; Remade: that was done.
	Numbered(number uint64, made, commits uint64)
	Remade(number uint64)

	// LostTrack: something has happened to the rank's objects that is not known.
	LostTrack()
	// Unordered: the order of the calls on this communicator, window or file is not known any more.
	Unordered(id op.CommID)
}
