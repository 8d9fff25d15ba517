// Package trace keeps what a run did, so that it can be judged after it is over: what every thread called, in its own
// order, in the terms of MPI's matching and blocking rules.
//
// A Log is the whole of it in memory. Package trace/text reads and writes it as text, package trace/file as a stream of
// compressed blocks on disk.
package trace

import (
	"slices"
	"sort"

	"unknot/internal/observe/ring"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/op"
)

// Log is what every thread of a run did.
type Log struct {
	Head  Head
	Funcs []string // names of MPI functions; Op.Fn is an index
	Comms []Comm   // the first is MPI_COMM_WORLD
	Sites []Site   // the first stands for an unknown one
	// call stacks, from the call of MPI to main; the first stands for an unknown one, and there may be none at all
	Stacks       [][]finding.Frame
	Threads      []Thread      // by rank, then by index; every rank has at least one
	Interactions []Interaction // of a run that an exploration has made
	Cut          string        // why the log ends before the run did; empty if it does not
	// Notes are sentences on what is not known of the run, for the reader of a program that is made of the log. Files do
	// not have them.
	Notes []string
}

// Head says what was run.
type Head struct {
	Ranks   int      `json:"ranks"`
	Command []string `json:"command,omitempty"`
	MPI     string   `json:"mpi,omitempty"`
	Unknot  string   `json:"unknot,omitempty"` // version of the tool
	Start   string   `json:"start,omitempty"`  // RFC 3339
}

// Comm is a communicator, or another thing in which messages and collectives are matched apart from all others: a
// window, a file, a channel of the tool's own.
type Comm struct {
	ID      op.CommID
	Name    string    // as the user knows it
	Members []op.Rank // world ranks by rank in the communicator
	Remote  []op.Rank // the other side, if it is an intercommunicator: its members are in one of the two
	Inner   bool      // not a communicator of the program's: its messages stand for something else
}

// Interaction is something that a rank has had to do with others by other ways than MPI's.
type Interaction struct {
	Rank op.Rank
	Kind ring.InteractionKind
	// the file has, since the run was begun; of time and random numbers: they are not those of the machine
	Changed  bool
	Dev, Ino uint64 // of the file; 0 if there is none
	Func     string // of the C library
	Path     string // without links, as far as that is known
	Site     uint32
}

// Site is a place in the program, with what has led there.
type Site struct {
	Function string
	File     string
	Line     int
	Module   string // and Offset, where File is not known
	Offset   uint64
	Stack    uint32 // index in Log.Stacks
}

// Thread is what one MPI-calling thread did. Ops are its calls, Parts the sends, receives and memberships that they
// started, both in its order.
type Thread struct {
	Rank  op.Rank
	Index op.Thread
	Ops   []Op
	Parts []Part
	Waits []Wait
	Polls []Poll // by Before
}

// Poll is calls in a row, at one place and with the same arguments, that asked whether something is complete or there,
// and got the answer that nothing is: MPI_Test, MPI_Testany, MPI_Testsome, MPI_Testall, MPI_Iprobe, MPI_Improbe.
type Poll struct {
	Before  uint32 // index in Ops of the call that came next; len(Ops) if none did
	Fn      uint16
	Any     bool // one of Waits would have been enough
	Probe   bool // it asked for a message: Comm, Peer and Tag are those of the probe, and there are no Waits
	Count   uint32
	Nth     uint32 // of the first of them, as Op.Nth
	Site    uint32
	WaitAt  uint32 // Waits[WaitAt:WaitAt+Waiting] of the thread
	Waiting uint32
	Comm    uint32
	Peer    op.Rank
	Tag     int32
}

// MostPolls bounds the polls that are recorded between two calls: a thread that takes turns between several has a new
// one each time.
const MostPolls = 1000

// Op is one MPI call that starts or waits for something. A poll that found nothing is no Op; one that did (MPI_Test,
// MPI_Iprobe, …) is the blocking call that waits for the same (MPI_Wait, MPI_Probe, …), for the program's course went
// on only then.
type Op struct {
	Fn       uint16
	Blocking bool // waits for Waits; else Waits is empty
	Any      bool // one of Waits is enough (MPI_Waitany, MPI_Waitsome); else all
	Opaque   bool // blocks for reasons that are not modelled: taken to end by itself
	Final    bool // MPI_Finalize
	Returned bool // it ended in the run
	Choice   bool // MPI may choose what it reports: Nth is valid
	// of all calls of the thread, polls included, that a plan can give an outcome (plan.Outcome), from 0
	Nth     uint32
	Site    uint32
	First   uint32 // Parts[First:First+Started] of the thread were started here
	Started uint32
	WaitAt  uint32 // Waits[WaitAt:WaitAt+Waiting] of the thread
	Waiting uint32
}

// Wait is one thing that a call waits for.
type Wait struct {
	Thread uint32 // index in Log.Threads: the thread that started it, nearly always the same
	Part   uint32 // index in that thread's Parts
	Done   bool   // the call reported it as complete
	// At is its place in the array of requests of a call with Choice, as in plan.Outcome.Done; else 0.
	At int32
}

// Part is one send, receive, probe or collective membership.
type Part struct {
	Kind op.PartKind
	Mode op.SendMode // Send
	Sync op.Sync     // Coll
	Wild bool        // Recv, Probe: posted with MPI_ANY_SOURCE, whatever Peer is
	Gone bool        // cancelled: it met nobody and never will
	Comm uint32      // index in Log.Comms
	// Peer is the destination of a send, the source of a receive or probe (op.AnySource), the root of a collective
	// (op.AnySource if it has none, op.RootRank and op.ProcNull at the root's side of an intercommunicator): a world
	// rank.
	Peer  op.Rank
	Tag   int32 // op.AnyTag for a receive that takes any
	Bytes int64 // of a send; -1 if not known
	// Matched is the world rank whose message a receive or probe was given, and MatchedTag that message's tag;
	// op.Unknown if the run did not get that far, or nobody looked.

	Matched    op.Rank
	MatchedTag int32
	// Seq counts the member's collectives on Comm, from 0. Members agree on What: a hash of the collective and its
	// operator.
	Seq  uint64
	What uint64
	// Nth counts, within the thread and from 0, what a plan can name: receives and probes with MPI_ANY_SOURCE if Wild,
	// sends of standard mode if Kind is Send and Mode is Standard.
	Nth uint32
}

// Thread finds a thread; nil if it is not in the log.
func (l *Log) Thread(rank op.Rank, index op.Thread) *Thread {
	for i := range l.Threads {
		if t := &l.Threads[i]; t.Rank == rank && t.Index == index {
			return t
		}
	}
	return nil
}

// Stack is the call stack of a site; nil if it is not known.
func (l *Log) Stack(site uint32) []finding.Frame {
	if int(site) >= len(l.Sites) || int(l.Sites[site].Stack) >= len(l.Stacks) {
		return nil
	}
	return l.Stacks[l.Sites[site].Stack]
}

// Places has for each site the first one at the same place of the program, whatever has led there.
func (l *Log) Places() []uint32 {
	first, out := make(map[Site]uint32), make([]uint32, len(l.Sites))
	for i, s := range l.Sites {
		s.Stack = 0
		if s.Module != "" { // the line may be that of who has called a library
			s = Site{Module: s.Module, Offset: s.Offset}
		}
		n, known := first[s]
		if !known {
			n = uint32(i)
			first[s] = n
		}
		out[i] = n
	}
	return out
}

// Starter is the index of the call that started a part.
func (t *Thread) Starter(part uint32) int {
	return sort.Search(len(t.Ops), func(i int) bool { return t.Ops[i].First+t.Ops[i].Started > part })
}

// Posts are the parts that a call started.
func (t *Thread) Posts(o *Op) []Part { return t.Parts[o.First : o.First+o.Started] }

// WaitsOf is what a call waits for.
func (t *Thread) WaitsOf(o *Op) []Wait { return t.Waits[o.WaitAt : o.WaitAt+o.Waiting] }

// Peers are the world ranks that may send to a member of the communicator, by their ranks in it.
func (c *Comm) Peers(member op.Rank) []op.Rank {
	if c.Remote != nil && slices.Contains(c.Members, member) {
		return c.Remote
	}
	return c.Members
}
