package exact

import (
	"time"

	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// Buffering says which sends of standard mode MPI keeps, so that they complete without their receiver (MPI-4.0, 3.4).
type Buffering uint8

// Kinds of buffering.
const (
	BufferAny   Buffering = iota // any or none, chosen for each message
	BufferNone                   // none
	BufferAll                    // all
	BufferLimit                  // messages of up to Options.Limit bytes; free choice where the size is not known
)

// Collectives says what collectives wait for.
type Collectives uint8

// Kinds of synchronisation of collectives (MPI-4.0, 6.1).
const (
	CollectAny    Collectives = iota // anything from Weak to Strict, chosen for each member
	CollectStrict                    // all members
	CollectWeak                      // no more than they must, by op.Sync
)

// Options say which runs are legal and how long to look. The zero value is all that MPI allows, within the default
// budget.
type Options struct {
	Buffering   Buffering
	Limit       int64 // bytes, for BufferLimit
	Collectives Collectives
	// Budget ends the search: Time as a duration (0 for a minute), States as a number of remembered states (0 for two
	// million).
	Budget Budget
	// Max is the number of deadlocks to tell, 0 for 64. The answer whether there is one does not depend on it.
	Max int
	// Progress, if there is one, is called now and then while runs are searched, by the goroutine that searches.
	Progress func(Progress)
}

// Progress says how far the search is.
type Progress struct {
	States    int     // remembered
	Deadlocks int     // found so far
	Share     float64 // of the search that is done, 0 to 1, if the branches at each choice are equally large
}

// Budget bounds the work.
type Budget struct {
	Time   time.Duration
	States int
}

// Method names a way to decide.
type Method string

// Methods.
const (
	MethodChain  Method = "simulation" // the log leaves no choice
	MethodProof  Method = "counting"
	MethodSearch Method = "search"
)

// Verdict is the answer.
type Verdict uint8

// Verdicts.
const (
	Undecided Verdict = iota // the budget ended, or something is not modelled; Result.Why says which
	Free                     // proven: no legal run with these calls blocks forever
	Deadlocks                // at least one does, and Result.Deadlocks tells how
)

// String names the verdict.
func (v Verdict) String() string { return [...]string{"undecided", "free", "deadlocks"}[v] }

// Result is what was found.
type Result struct {
	Verdict Verdict
	Why     string // what the verdict rests on, or what is missing for one
	// Deadlocks differ in their cores. Those that hang on a reply channel come last, and before that the small cores
	// first.
	Deadlocks []Deadlock
	Complete  bool // every core of every run that blocks is among Deadlocks
	// Unfinished says why the search ended before it had been everywhere it was to go: the budget, or a context.
	// Deadlocks has what was found until then.
	Unfinished string
	// Beyond says why the log does not tell all that the program calls, empty if it does: it was cut, a rank ended
	// without MPI_Finalize, or a last call did not return. Nothing is free then.
	Beyond string
	// Deterministic says that each call of the program gives the same in every run, so that what is decided for the
	// calls of the log is decided for the program with this input and this number of ranks. See model.deterministic for
	// the argument.
	Deterministic bool
	Stats         Stats
}

// Stats measures the problem and the work.
type Stats struct {
	Threads, Ops, Parts int
	Contested           int // receives and probes that more than one message could meet first
	Pairs               int // message and contested receive that fit
	States              int // remembered by the search
	Proofs              int // by counting that were tried
	Method              Method
}

// Ref names a part: indexes into Log.Threads and that thread's Parts.
type Ref struct{ Thread, Part uint32 }

// Call is a call of a log: indexes into Log.Threads and that thread's Ops.
type Call struct{ Thread, Op uint32 }

// Match says that a receive or probe met a message.
type Match struct{ Recv, Send Ref }

// Exit says what a call reported that completes with any of several requests.
type Exit struct {
	Thread, Op uint32
	Done       []Ref
}

// Blocked is a part that a stuck call waits for, and the threads that could help: none means that it never comes.
type Blocked struct {
	Part    Ref
	On      []uint32
	Missing []op.Rank // of a collective: the ranks that have not come to it
}

// Stuck is a thread and the call that it never leaves.
type Stuck struct {
	Thread, Op uint32
	Waits      []Blocked
}

// Deadlock is a legal run that ends with threads that block forever. Messages meet their receives in the order of
// Matches; all sends of standard mode are buffered but those in Unbuffered (within what the options allow), and
// collectives wait for no more than they must but those in Synchronising. Calls return as soon as they may.
type Deadlock struct {
	Matches       []Match // up to the end, in order of time
	Decisions     []Match // of the contested ones, those that differ from what the recorded run is known to have done
	Exits         []Exit  // in order of time
	Unbuffered    []Ref   // sends that a stuck call waits for
	Synchronising []Ref   // parts in collectives that a stuck call waits for, though MPI need not have synchronised
	Stuck         []Stuck // by thread
	Core          []uint32
	// Certain says that the threads of the core make these calls whatever the program does with what it receives: none
	// of them, nor any that has ended and could have helped, makes a call after it has seen something else than in the
	// recorded run. So the deadlock is one of the program's. See harvest.certain for the argument. Where it is false,
	// Supposes is a call that returned something else, after which the program may make other calls than those of the
	// log.
	Certain  bool
	Supposes Call
	// Replies says that it depends on a send whose destination has, at each time that its call site was passed, been
	// the source that the thread's last wildcard receive had met, and not always the same. The real program would
	// answer whom it met instead.
	Replies bool
}

// part gives what a reference names.
func (r Ref) part(l *trace.Log) *trace.Part { return &l.Threads[r.Thread].Parts[r.Part] }
