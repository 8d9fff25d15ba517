package waitstate

import (
	"unknot/internal/model/match"
	"unknot/internal/vocab/op"
)

func (p *Part) calls() Calls { return Calls{p.Origin, p.Init} }

// Part is one send, receive, probe or collective membership. The thread that starts it owns it; it becomes active when
// the strict position of that thread reaches its operation, and satisfied when the strict rules let it complete. An
// agent makes several for every record, so what most have no use for stands elsewhere.
type Part struct {
	Kind op.PartKind
	Mode op.SendMode
	Marks

	// Set by the caller before Enter.
	Src, Dst op.Rank // world ranks; the peer may be op.AnySource for a receive
	Tag      int32
	Nth      uint32 // see Marks.Wild
	Origin   *Origin
	Init     *Origin // of a persistent send or receive, the call that made its request; Origin starts it
	Ctx      op.CommID
	Bytes    int64 // size of a send, -1 if unknown
	Content  Content
	Taking   *Taking // of a matched probe's receive
	*Collective
	// Traced is for the recorder of traces.
	Traced Traced
	// Forced is set if a plan had a wildcard receive made from one source. The part stays the wildcard that the program
	// asked for.
	Forced *Forced

	wave *Wave
	life
	meeting
	knowing
}

// Marks are what the caller knows of a part that most parts are not.
type Marks struct {
	// Held marks a send that was started but whose data the program has not released yet (partitioned, MPI-4.0 4.2).
	Held bool
	// Wild marks a receive or probe that was posted with MPI_ANY_SOURCE, also where only one rank can send. Part.Nth is
	// its place, or that of a send of standard mode, among its like in the thread (package plan).
	Wild bool
	// Unclear marks a part whose identity is not certain (a request handle that the library gave out twice): it follows
	// what was observed.
	Unclear bool
	// Marked marks a send or receive that the program wants cancelled: whoever waits for it waits for nobody (MPI-4.0,
	// 3.8.4). It follows what was observed.
	Marked bool
	// Tells marks a part that is always served, and whose completion gives its thread what others have written.
	Tells bool
	// Asked has the node say what a receive has matched, in Matched.
	Asked bool
	// Presumes marks a send in ready mode, whose receive must have been posted.
	Presumes bool
	// Unordered marks a send or receive that another thread of its rank started at the same time: see Beside.
	Unordered bool
}

// life is how far a part has come, and who still has it.
type life struct {
	active bool
	sat    bool
	seen   bool // the run showed its completion
	firm   bool // started by a call that blocks: nobody can cancel it
	over   bool // it and its partner have let go of each other
	pooled bool // from the node's slab
	gone   bool // cancelled
	quit   bool // counted by its wave among those that nobody has any more

	uses   int32 // calls and requests that have it; see Drop
	owner  *Thread
	waiter *Thread
}

// meeting is what a send, receive or probe has met.
type meeting struct {
	wildcard bool // posted with MPI_ANY_SOURCE
	paired   bool // matched, real view
	ready    bool // a remote partner is active
	parted   bool // partner was met and let go; its rank is in other, its tag in metTag
	open     outlook
	pinned   bool // for races: a receive was met by a send of synchronous mode
	noted    bool // for races: a receive has been taken in
	status   statusUse

	metTag  int32
	id      uint32 // reference for other nodes; 0: none
	send    match.Send
	recv    *match.Recv // of a receive or probe that has started, until it has parted from its message
	partner *Part       // when both are on this node, until they have parted
	other   Ref         // when the partner is on another node
	watch   []*Part     // of a send: the probes of this node that saw it before it was active
}

// knowing is what is known by a part, for races: clock is what the sender knew, or all members of a collective
// together; sender is the call that has sent what a receive met, and carried what that was.
type knowing struct {
	clock   *Clock
	sender  *Origin
	carried Content
	// of a send of synchronous mode to another node: what its receiver knows; of a receive, what its thread knew when
	// it was posted
	heard *Clock
}

// statusUse says whether the program takes the status of a receive.
type statusUse uint8

const (
	statusOpen    statusUse = iota // it has not completed the receive
	statusIgnored                  // it has, without the status
	statusTaken
)

// NewServed returns a part that no call posts and that is complete from the beginning: what the request of a one-sided
// call or of one for a file stands for. tells says that its thread learns by its completion what others have written.
func NewServed(tells bool) *Part {
	return &Part{Kind: op.Served, Marks: Marks{Tells: tells}, life: life{active: true, sat: true}}
}

// Status takes in that the run has completed a receive or probe, and whether the program took the status.
func (p *Part) Status(ignored bool) {
	switch {
	case !ignored:
		p.status = statusTaken
	case p.status == statusOpen:
		p.status = statusIgnored
	}
}

// Collective is what only a part in a collective has.
type Collective struct {
	Member   *Member
	Sync     op.Sync
	Nonblock bool
	// Everybody marks a collective of all ranks that cannot be completed before all have called it.
	Everybody bool
	Root      op.Rank
	Sig       Signature
	Blocks    *Blocks // nil if nothing is known
}

// Traced is a part's place in a trace: the thread's number, and the part's, from 1; 0 if it is not there.
type Traced struct{ Thread, Part uint32 }

// Forced is what a plan makes of a wildcard receive.
type Forced struct {
	Src op.Rank
	Tag int32 // op.AnyTag for any
}

// Matched says whether the part's partner is known.
func (p *Part) Matched() bool { return p.paired }

// Satisfied says whether the strict rules let the part complete.
func (p *Part) Satisfied() bool { return p.sat }

// Wildcard says whether the receive was posted for any source.
func (p *Part) Wildcard() bool { return p.wildcard }

// Op is one MPI call of a thread.
type Op struct {
	*Origin
	Blocking bool
	Any      bool    // one of Waits is enough; else all
	Opaque   bool    // blocks for reasons that are not modelled: follows what was observed
	Silent   bool    // of an opaque call: it tells its thread nothing of what others do between calls
	Tells    bool    // with it, or after it by what is not entered, its thread learns of what others do between calls
	Terminal bool    // MPI_Finalize: the thread goes no further
	Posts    []*Part // started here
	Waits    []*Part // waited for here
	Indices  []int32 // of Waits in the user's array of requests; nil if there is no array

	returned bool
	relaxed  bool
	inWindow bool
	pooled   bool // from the node's slab
	then     *Moment
	posts    [2]*Part
	waits    [2]*Part
}

// Returned says whether the call has returned in the run.
func (o *Op) Returned() bool { return o.returned }

// Post adds a part that the call starts.
func (o *Op) Post(p *Part) {
	if o.Posts == nil {
		o.Posts = o.posts[:0]
	}
	o.Posts = append(o.Posts, p)
	p.uses++
}

// Wait adds a part that the call waits for.
func (o *Op) Wait(p *Part) {
	if o.Waits == nil {
		o.Waits = o.waits[:0]
	}
	o.Waits = append(o.Waits, p)
	p.uses++
}

// Thread is one MPI-calling thread of a rank: its window of operations and its two positions.
type Thread struct {
	Rank  op.Rank
	Index op.Thread

	cur    *Op   // the call made last; still in progress unless returned
	window []*Op // from the strict position to the last call; the first is the strict position
	head   int
	next   uint64
	queued bool
	relax  map[uint64]bool // call sites that were reported: they follow what was observed
	clock  *Clock          // what is known at the strict position
	here   *Moment         // after the call made last, which the strict view has passed
	latest uint64          // the last of the thread's calls whose receive the strict view has passed
	passed []*passed       // the last receives from any source that the strict view has passed
	since  int             // messages received since the last of these
	spent  uint64          // a call site of which enough receives were looked at
}

// Current returns the call that the thread made last, or nil.
func (t *Thread) Current() *Op { return t.cur }

// Strict returns the operation at the strict position, or nil if the strict view has caught up with the run.
func (t *Thread) Strict() *Op {
	if t.head < len(t.window) {
		return t.window[t.head]
	}
	return nil
}

// Held calls visit for the calls that are kept of the thread: from the strict position to the last one, and what they
// wait for.
func (t *Thread) Held(visit func(*Origin)) {
	for _, o := range t.window[t.head:] {
		visit(o.Origin)
		for _, p := range o.Waits {
			visit(p.Origin)
		}
	}
}

// Lag is the number of operations that the strict view is behind.
func (t *Thread) Lag() int {
	n := len(t.window) - t.head
	if n > 0 && !t.window[len(t.window)-1].returned {
		n--
	}
	return n
}

// outlook says whether a send without a partner may already have found one that the run has not shown: a receive is
// there that could take it, but a wildcard whose choice is not known leaves that open.
type outlook uint8

const (
	shut    outlook = iota // no such receive
	posted                 // there is one in the run
	reached                // and in the strict view
)

// carries is what is known of the data of a send.
func (p *Part) carries() Content {
	if p.Unordered {
		return Content{}
	}
	return p.Content
}

func fitsTag(want, have int32) bool { return want == op.AnyTag || want == have }

// source is the rank that a receive or probe is for: of a wildcard, the one that it met once that is known.
func (p *Part) source() op.Rank {
	switch {
	case p.recv != nil:
		return p.recv.Src
	case p.parted:
		return p.other.Rank
	}
	return p.Src
}
