// Package record is the recorder: a library that is preloaded into the ranks of a job and keeps what each of them is
// doing in memory that others can read. Nobody has to read it: there is no agent, no process and no file beside the job.
// A rank that hangs is explained by what its record holds at that moment.
//
// The package owns the layout of a record (layout.go), the library in C (csrc), the generator of its wrappers
// (wrappers.go), and the reader: Read and ReadFile give a Rank, in the terms of the table of MPI functions. What follows
// from the records of a job is for others to say.
package record

import (
	"slices"

	"unknot/internal/vocab/mpi"
)

// Rank is what the record of one rank holds.
type Rank struct {
	PID     int // in the rank's own namespace
	Rank    int // in MPI_COMM_WORLD; -1 before MPI is initialised
	Ranks   int // size of MPI_COMM_WORLD
	Level   int // of thread support, as the library numbers it
	Library string
	// Modules says where the code of the program and its libraries lay when MPI was initialised, as /proc/PID/maps does.
	Modules string
	State   State
	// Torn says that the rank made calls while its record was read, so that its parts may not fit together.
	Torn bool
	// Completed counts calls of all threads that have returned, other than polls that found nothing: a rank in which it
	// stays the same makes no progress that MPI knows of.
	Completed uint64
	Lost      Lost
	Constants Constants
	Threads   []Thread
	Requests  []Request // in the order in which they were created or started last
	Channels  []Channel
	Comms     []Comm
	Freed     []uint64 // handles of some that were freed; one of them may be in use again
	Gone      []uint64 // and their identities
	// Calls are the last ones, the oldest first; functions that always return are not among them. A call that both sends
	// and receives is two in a row: its receive, then its send, which says whether it is open.
	Calls []Past
	Noted uint64 // how many of these there were in all: the last one of Calls has the position Noted-1 (Call.Order)
}

// State is how far a process is.
type State int

// States.
const (
	Beginning State = stateBeginning // MPI_Init has not returned
	Alive     State = stateAlive
	Ended     State = stateEnded // MPI_Finalize has returned
)

// Lost says what a record does not have, as its tables are bounded and some functions tell too little. What is not
// lost is complete.
type Lost struct {
	Threads  bool // another thread has called MPI, of which nothing is known
	Requests bool // there may be other open requests
	Channels bool // some messages were not counted: no channel says how many there were
	Comms    bool // there are communicators, windows or files without an entry
	// Receives says that a receive completed of which it is not known which message it was: the counts of received
	// messages may be too low.
	Receives bool
}

// Constants are those of the rank's MPI library.
type Constants struct {
	AnySource, AnyTag, ProcNull, Root int32
	World, Self                       uint64 // communicators as words
	NoRequest                         uint64
	// Complete are the requests that the library gives for operations which are complete at once, as far as they are
	// known; 0 for none. They have no entry among the requests.
	Complete [2]uint64
}

// Thread is a thread that has called MPI.
type Thread struct {
	TID    int
	Index  int
	Calls  uint64 // so far
	Misses uint64 // those of them that were polls which found nothing
	In     *Call  // the call that it is in; nil if it is outside of MPI
}

// Call is a call in progress.
type Call struct {
	Func *mpi.Func
	Site uint64 // the address that it returns to
	// Order is the position of the call among all of the rank: a receive that is posted before another has the lower
	// one. It is that of an earlier call if the function is a poll, or one that always returns.
	Order uint64
	// Args are the arguments in the order of Func.Params: numbers sign-extended, handles as words, those that the call
	// reads through a pointer (a request to wait for) by their value, other pointers as addresses. There are at most 12, and none of a send or receive that does not block.
	Args []uint64
	// Requests are the handles of the requests that the call completes, in the order of its array; Whole is false if
	// the record has only some of them.
	Requests []uint64
	Whole    bool
}

// Arg is the argument with a role; false if the function has no such parameter, or it is beyond those that are kept.
func (c *Call) Arg(r mpi.Role) (uint64, bool) {
	if i, ok := c.Func.Param(r); ok && i < len(c.Args) {
		return c.Args[i], true
	}
	return 0, false
}

// Int is Arg for a number.
func (c *Call) Int(r mpi.Role) (int64, bool) {
	v, ok := c.Arg(r)
	return int64(v), ok
}

// Request is one that is open, or persistent.
type Request struct {
	Handle uint64
	Func   *mpi.Func // that created it
	Site   uint64    // where
	Order  uint64    // as in Call; of a persistent one that of its last start
	Comm   uint32    // serial of its communicator, window or file; 0 if unknown
	Peer   int32     // or root
	Tag    int32     // of a collective operation, 1 if it is known to carry data
	Count  int64     // of a collective operation, which one it is of those on its communicator, from 1; 0 if that is unknown
	Type   uint64
	Active bool
	// Persistent ones stay when they are complete.
	Persistent bool
	Cancelled  bool
	// Complete ones were reported as complete without being freed, or share their handle with others, which the library
	// does with such that are complete.
	Complete bool
	// Waiting is the index of the thread whose call completes it and has not all of its requests listed; otherwise -1.
	Waiting int
}

// Channel counts the messages that were exchanged with one peer, by one tag, on one communicator. Those with
// MPI_PROC_NULL do not count.
type Channel struct {
	Comm uint32 // serial
	Peer int32  // rank in the communicator; of an intercommunicator in the remote group
	Tag  int32
	// Sent counts sends that were started, Received receives that the program knows to be complete, and messages that
	// matching probes have taken. Both are modulo 2^32.
	Sent, Received uint32
}

// CommKind is what an entry of the table of communicators is.
type CommKind int

// Kinds of entries.
const (
	Intra  CommKind = kindIntra
	Inter  CommKind = kindInter
	Window CommKind = kindWin
	File   CommKind = kindFile
)

// Comm is a communicator, window or file that exists.
type Comm struct {
	Serial uint32 // names it within this record
	Handle uint64
	Kind   CommKind
	// Identity is the same in the records of all members, and other than that of others; 0 if that is unknown.
	Identity uint64
	Parent   uint32 // serial of what it was created on, which may be freed; 0 if unknown
	Rank     int    // of this process, in its group
	// Collectives counts the collective calls on it that this rank has entered. Last are the last ones, the oldest first.
	Collectives uint64
	Last        []Collective
	Local       Group
	Remote      Group // of an intercommunicator
	// Posted are those to whom a window is posted, Started those on whose windows an epoch is started (MPI-4.0, 12.5.2).
	Posted, Started Group
}

// Tags of the channels of a window, whose peers are world ranks: MPI_Win_post counts as a message to each origin,
// MPI_Win_complete as one to each target.
const (
	Post     = tagPost
	Complete = tagComplete
)

// Lock is what a rank has of the window of a member.
type Lock int

// Locks.
const (
	Unlocked  Lock = 0
	Shared    Lock = lockShared
	Exclusive Lock = lockExclusive
)

// Locked says which lock of a window's member, by its rank in the window's group, has been called for and is not
// released, MPI_Win_lock_all included; the library need not have given it yet. It is false if that was not counted, or
// there is more than one, which is wrong.
func (r *Rank) Locked(win *Comm, member int32) (Lock, bool) {
	one, counted := r.Channel(win.Serial, member, tagLock)
	all, alsoCounted := r.Channel(win.Serial, peerAll, tagLock)
	lock := Lock(one.Sent - one.Received + all.Sent - all.Received)
	return lock, counted && alsoCounted && lock <= Exclusive && (one.Sent == one.Received || all.Sent == all.Received)
}

// Collective is a collective call on a communicator.
type Collective struct {
	Func *mpi.Func
	Root int32 // MPI_UNDEFINED if it has none
}

// Entered is a collective call by its number, from 1. It is false for one that this rank has not entered, or that is not
// among the last.
func (c *Comm) Entered(number uint64) (Collective, bool) {
	if back := c.Collectives - number; number <= c.Collectives && back < uint64(len(c.Last)) {
		return c.Last[uint64(len(c.Last))-1-back], true
	}
	return Collective{}, false
}

// Group is who the members of a communicator are.
type Group struct {
	Size int
	// Ranks are those in MPI_COMM_WORLD, -1 for one that is in another; nil if they are unknown.
	Ranks []int32
}

// Past is one of the last calls.
type Past struct {
	Func   *mpi.Func
	Site   uint64
	Thread int    `json:",omitempty"`
	Comm   uint32 `json:",omitempty"` // serial
	Peer   int32  `json:",omitempty"` // or root
	Tag    int32  `json:",omitempty"`
	Count  int64  `json:",omitempty"`
	Open   bool   `json:",omitempty"` // it has not returned
	Result int    `json:",omitempty"` // what it returned: 0 for success, else an error code, 254 for any beyond that
}

// CommOf is the entry of a communicator, window or file by its handle, nil if there is none.
func (r *Rank) CommOf(handle uint64) *Comm {
	for i := range r.Comms {
		if r.Comms[i].Handle == handle {
			return &r.Comms[i]
		}
	}
	return nil
}

// RequestOf is the open request with a handle, nil if there is none.
func (r *Rank) RequestOf(handle uint64) *Request {
	for i := range r.Requests {
		if r.Requests[i].Handle == handle {
			return &r.Requests[i]
		}
	}
	return nil
}

// Last is the last call that a thread has made, by its index; false if it is not among those that are kept.
func (r *Rank) Last(thread int) (Past, bool) {
	for _, c := range slices.Backward(r.Calls) {
		if c.Thread == thread {
			return c, true
		}
	}
	return Past{}, false
}

// Channel is the counts for a peer and tag. They are zero for one without messages; known is false if some may not have
// been counted, which also holds for one that is there: it may have found room after others had left.
func (r *Rank) Channel(comm uint32, peer, tag int32) (c Channel, known bool) {
	for _, c := range r.Channels {
		if c.Comm == comm && c.Peer == peer && c.Tag == tag {
			return c, !r.Lost.Channels
		}
	}
	return Channel{Comm: comm, Peer: peer, Tag: tag}, !r.Lost.Channels
}
