package objects

import (
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/op"
)

// Request is a request of a rank.
type Request struct {
	Made       Made
	Comm       *Comm // nil if it has none, or that is not known
	Persistent bool
	Active     bool
	Started    bool // a persistent one, at least once
	Canceled   bool // the program asked for it
	Seen       bool // a call that keeps it has said that it is complete
	Shared     bool // another request has had the same handle at the same time
	Partitions *Partitions

	Parts    []*waitstate.Part        // of its operation, empty if it has none that is followed
	Make     func() []*waitstate.Part // parts of one start of a persistent request
	Standard bool                     // each start is a send of standard or ready mode
	Wild     bool                     // each start is a receive with MPI_ANY_SOURCE
	Next     *Request                 // another live request with the same handle
	Created  *waitstate.Origin
	own      [2]*waitstate.Part // what Parts is made of, mostly

	Held Held      // memory that it uses; nil if that is not known
	Nth  uint64    // of the rank, in the order in which they were made
	Mark uint64    // of whoever goes through arrays of requests: the array that met it last
	Idle *IdleWait // the first call that waited for a persistent one before it was started; nil if there is none
}

// Held is the memory that the operation of a request uses.
type Held interface {
	// Release takes in that the operation has completed, or that it is not known any more how far it is. With done, the
	// request is gone too, and what was held may be used again for another one.
	Release(done bool)
}

// IdleWait is a call that waited for a request which had not been started.
type IdleWait struct {
	Made
	Thread op.Thread
	At, K  int // the parameter, and the place in it
}

// Hold makes the parts that a call has started those of the request.
func (q *Request) Hold(o *waitstate.Op) {
	q.Parts, q.Created = append(q.own[:0], o.Posts...), o.Origin
	for _, p := range q.Parts {
		p.Keep()
	}
}

// Release gives back the memory of a request whose operation has completed. With done, the request is gone too.
func (q *Request) Release(done bool) {
	if q.Held == nil {
		return
	}
	q.Held.Release(done)
	if done {
		q.Held = nil
	}
}

// ReleaseShared gives back the memory of all requests that share a handle, once one of them is complete: which one is
// not known. Until then none of them is.
func (q *Request) ReleaseShared() {
	for ; q != nil; q = q.Next {
		q.Release(false)
	}
}

// Partitions are those of a partitioned request (MPI-4.0, 4.2).
type Partitions struct {
	Count int64
	Ready int64            // of a send: how many were given to MPI since the last start
	ready map[int64]uint64 // which those are, 64 to a word
}

// Restart takes in that the operation is started again.
func (p *Partitions) Restart() { p.Ready = 0; clear(p.ready) }

// Give takes in that a partition is handed over; true if it was before.
func (p *Partitions) Give(n int64) bool {
	if p.ready == nil {
		p.ready = make(map[int64]uint64)
	}
	bit := uint64(1) << (n % 64)
	before := p.ready[n/64]&bit != 0
	p.ready[n/64] |= bit
	return before
}
