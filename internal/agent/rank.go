package agent

import (
	"time"

	"unknot/internal/message"
	"unknot/internal/mpi"
	"unknot/internal/op"
	"unknot/internal/ring"
	"unknot/internal/symbol"
	tracefile "unknot/internal/trace/file"
	"unknot/internal/usage"
	"unknot/internal/waitstate"
)

// rank is what an agent knows of one of its ranks: the objects behind the handles that the program uses.
type rank struct {
	world   op.Rank
	size    int
	level   int64
	pid     int
	above   []int // the process's ancestors
	library string
	maps    *symbol.Maps

	consts    consts
	facts     facts
	comms     map[uint64]*comm
	freed     freedComms
	requests  requestTable
	sizes     map[uint64]int64 // of datatypes, in bytes
	typeName  map[uint64]string
	untold    bool // it does something that is not known
	lost      bool // its records cannot be read
	failed    bool // a call of it has returned an error
	strange   bool // it has made a collective call on something that is not known
	use       *usage.Rank
	callbacks bool // MPI_Finalize may call functions of the program
	wins      map[uint64]*win
	files     map[uint64]*file
	messages  map[uint64]*waitstate.Part // what matched probes have taken, by the message's handle
	locks     map[message.Lock]*heldLock
	parted    map[partedKey]uint64 // partitioned operations initialised so far
	inters    map[uint64]uint64    // intercommunicators made so far, by groups

	sources []*source         // one a ring
	threads []*thread         // those that have ended stay as long as the strict view is behind
	unknown map[uint16]string // functions without a row
	passed  map[uint16]*message.Passed
	python  map[uint64][]frame
	except  *message.Exception

	stamped  uint64 // the stamp of the last record, all bits of it
	grounds  grounds
	merge    merger
	first    *ring.Ring // of the thread that initialised MPI; it tells of the whole process
	lastComm *comm
	slumbers map[int]*slumber // by thread id
	rouse    struct {         // the answer of roused in this round
		at time.Time
		is bool
	}
	gone  bool // its process has ended
	sites *sites
}

// frame is a position in a Python program.
type frame struct {
	file, function string
	line           int
}

// thread is one MPI-calling thread of a rank.
type thread struct {
	rank  *rank
	ws    *waitstate.Thread
	ring  *ring.Ring
	tid   int
	fn    *mpi.Func // of the last Enter record
	stamp uint32
	left  uint32 // stamp of the last Enter record whose Exit record has come
	site  uint64
	op    *waitstate.Op // what the last Enter record became; nil if nothing that blocks or matches
	ended bool
	gave  bool // an Exit record of the last call has come

	reqs    []*request // of the last completion call, in the user's order
	handles []uint64   // their handles
	pending creation   // an object that the last call makes

	last   [16]event // the last calls, a circle
	nlast  int
	calls  uint64
	polls  pollStreak
	blocks evidence
	joins  op.Thread // thread waited for in pthread_join, -1 if none

	wilds    [8]eaten // what wildcard receives took, a circle
	nwilds   int
	entered  time.Time // when the last Enter record was read
	lagAt    uint64    // operation at which the strict view is held up, and since when
	lagSince time.Time
	asked    bool // for its call stack
	forced   []forcing
	outcome  outcome
	buffered []int64         // sends of the next call that a plan lets complete at once, by position as of a forcing
	nulls    []nullArg       // of the next call
	beneath  []usage.Beneath // what its buffers lie in
	stack    stack           // 0 if it is not known
	below    stack           // the part of it that functions have left since a buffer was there
	failure  mpiError        // of the last call that failed, until the next one begins

	use           usage.Call // of the last Enter record
	inside        bool       // no Exit record of that call has come
	sends, probes uint32     // what a plan can name: see ordinals
	stream        *tracefile.Stream
	logged        logged
	choices       choices
}

// source is where records of a rank come from: a ring, and the thread that it is of at present.
type source struct {
	ring    *ring.Ring
	thread  *thread
	records []ring.Record // read, and from at on not yet handed on
	at      int
	rested  uint64 // slots taken from the ring when the agent slept last
}

// event is one past call, kept for the report.
type event struct {
	fn     *mpi.Func
	origin *waitstate.Origin
}

// words are the first of the call's Enter record.
func (e *event) words() []uint64 { return e.origin.Words[:e.origin.NWords] }

// eaten is a message that a wildcard receive took.
type eaten struct {
	src  op.Rank
	tag  int32
	ctx  op.CommID
	site uint64
}

// comm is a communicator of one rank.
type comm struct {
	id      op.CommID
	handle  uint64
	members []op.Rank // world ranks by rank in the communicator
	remote  []op.Rank // the other side of an intercommunicator
	inter   bool
	foreign bool // has members outside of MPI_COMM_WORLD: not modelled
	member  *waitstate.Member
	name    string // set by the program, or predefined
	parent  *comm  // that it was made from
	how     string // "split", "duplicate", …
	site    uint64
	since   uint32            // stamp of the call that has made it
	counts  map[uint64]uint64 // creations by a group, by group and tag
	inits   uint64            // persistent collectives made
	use     *usage.Comm
}

// world returns the world rank of a rank of the communicator, as source or destination.
func (c *comm) world(r int64) op.Rank {
	peers := c.members
	if c.inter {
		peers = c.remote
	}
	if r < 0 || r >= int64(len(peers)) {
		return op.Unknown
	}
	return peers[r]
}

// request is an MPI request.
type request struct {
	parts    []*waitstate.Part
	comm     *comm
	use      usage.Request
	make     func() []*waitstate.Part // parts of one start of a persistent request
	standard bool                     // each start is a send of standard mode
	wild     bool                     // each start is a receive with MPI_ANY_SOURCE
	parted   *parted
	next     *request // another live request with the same handle
	created  *waitstate.Origin
	own      [2]*waitstate.Part // what parts is made of, mostly
	held     *usage.Held        // memory that it uses; nil if that is not known
}

// hold makes the parts that a call has started those of the request.
func (q *request) hold(o *waitstate.Op) {
	q.parts, q.created = append(q.own[:0], o.Posts...), o.Origin
	for _, p := range q.parts {
		p.Keep()
	}
}

type win struct {
	id       op.CommID
	comm     *comm
	member   *waitstate.Member
	exposed  []op.Rank // group of the last Win_post
	accessed []op.Rank // group of the last Win_start
	started  []*waitstate.Part
	site     uint64
	moved    int64 // bytes that RMA calls move, since the last fence
	fenced   bool  // a fence has been called since the last of them
}

type file struct {
	id     op.CommID
	member *waitstate.Member
	comm   *comm
}

// creation remembers what a call that makes an object was given, until the object's handle is known.
type creation struct {
	kind   mpi.Class
	parent *comm
	seq    uint64
	salt   uint64
	how    string
	site   uint64
}

func newRank() *rank {
	return &rank{
		comms: make(map[uint64]*comm), sizes: make(map[uint64]int64),
		typeName: make(map[uint64]string), wins: make(map[uint64]*win), files: make(map[uint64]*file),
		messages: make(map[uint64]*waitstate.Part), locks: make(map[message.Lock]*heldLock), parted: make(map[partedKey]uint64), inters: make(map[uint64]uint64),
		slumbers: make(map[int]*slumber), unknown: make(map[uint16]string), passed: make(map[uint16]*message.Passed), python: make(map[uint64][]frame),
	}
}

func (r *rank) comm(handle uint64) *comm {
	if c := r.lastComm; c != nil && c.handle == handle {
		return c
	}
	c := r.comms[handle]
	if c != nil {
		r.lastComm = c
	}
	return c
}

// request is the one that a handle means, the oldest of those that share it; nil if nothing is known of it.
func (r *rank) request(handle uint64) *request {
	q := r.requests.get(handle)
	for q != nil && q.next != nil {
		q = q.next
	}
	return q
}

// addRequest records a request's handle. Some libraries hand out one handle for several requests that are complete from
// the start; then none of them can be told from the others, and they follow what is observed.
func (r *rank) addRequest(handle uint64, q *request) {
	if old := r.requests.get(handle); old != nil && old.use.Persistent {
		r.release(old, true)
	} else if old != nil {
		q.next = old
		for e := q; e != nil; e = e.next {
			e.use.Shared = true
			for _, p := range e.parts {
				p.Unclear = true
			}
		}
	}
	r.requests.set(handle, q)
}

// dropRequest forgets one request of a handle, the oldest, and returns it; nil if there is none.
func (r *rank) dropRequest(handle uint64) *request {
	q := r.requests.get(handle)
	if q == nil {
		return nil
	}
	if q.next == nil {
		r.release(q, true)
		r.requests.drop(handle)
		return q
	}
	r.releaseShared(q)
	for q.next.next != nil {
		q = q.next
	}
	oldest := q.next
	r.release(oldest, true)
	q.next = nil
	return oldest
}

// note keeps a call for the report.
func (t *thread) note(f *mpi.Func, o *waitstate.Origin) {
	t.last[t.nlast%len(t.last)] = event{f, o}
	t.nlast++
}

// murky says that not all collective calls of the rank may be known, or that an error explains why it made none.
func (r *rank) murky() bool {
	return r.untold || r.lost || r.failed || r.callbacks || r.strange || len(r.unknown) > 0
}
