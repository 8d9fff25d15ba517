package agent

import (
	"unknot/internal/finding"
	"unknot/internal/op"
	"unknot/internal/usage"
	"unknot/internal/waitstate"
)

// kind says what a message in the tree means.
type kind uint8

const (
	kWaitState  kind = iota // between agents, and CollectiveReady to the root
	kPing                   // double ping-pong of a consistent state (paper, section 5)
	kPong                   //
	kConsistent             // root → agents: stop transitions, flush the links
	kAck                    // agent → root: done
	kGather                 // root → agents: what do your threads wait for?
	kWaits                  // agent → root: the answer
	kDescribe               // root → agents: tell everything about these threads
	kPlaces                 // agent → root: the answer
	kOrigins                // root → agents: tell about these calls
	kRelax                  // root → agents: follow what was observed for these threads
	kProgress               // agent → root: how far it is
	kClash                  // agent → root: members of a collective disagree
	kPair                   // agent → root: two calls that belong together do not agree on the data
	kFailed                 // agent → root: a call on a communicator or window returned an error
	kDied                   // agent → root: a rank's process ended before MPI_Finalize returned, or not well after it
	kUnforced               // agent → root: a plan is not in force
	kUnused                 // agent → root: a thread has done less than the plan names
	kAdopt                  // process → agent: a new ring
	kFinish                 // process → everybody: the launcher has ended, read what is left
	kMisused                // agent → root: a wrong use
	kNote                   // between agents: what the checks of a rank have for those of another
	kIdle                   // agent → root: everything is read
	kQuit                   // root → agents
)

// message is what agents and the root tell each other.
type message struct {
	kind    kind
	from    int
	round   int
	phase   int
	once    bool // kRelax: not for later calls from the same site
	ws      waitstate.Message
	report  *report
	keys    []key
	places  []described
	origins []*waitstate.Origin
	clash   waitstate.Clash
	ctx     op.CommID
	prog    progress
	died    *death
	adopt   *adoption
	passed  map[string]*passedCalls
	text    string // kUnforced: why
	unused  unused
	misused *misused
	freed   []op.Rank // kFinish: ranks that have freed info objects after MPI_Finalize
	note    *usage.Note
	pair    *pair
	broken  string // kIdle: why some rank could not be followed to the end
}

// key names a thread at one of its operations.
type key struct {
	rank   op.Rank
	thread op.Thread
	ts     uint64
	strict bool // the operation at the strict position, else the current one
	call   bool // a call that may be long past
	asleep bool // no call: the thread sleeps outside of MPI
}

// threadState is where a thread stands in the real view.
type threadState uint8

const (
	running  threadState = iota // outside of MPI, or in a call that will return
	blocked                     // in a call that waits for something
	polling                     // repeats unsuccessful polls, for longer than the time allowed
	finished                    // in MPI_Finalize, or past it
	dead                        // its process ended before MPI_Finalize returned
	asleep                      // outside of MPI, until another thread of its rank wakes it
)

// waits is what one thread waits for, in both views.
type waits struct {
	rank      op.Rank
	thread    op.Thread
	state     threadState
	pid       int
	evidence  bool // it has had processor time in the call, or sleeps, and did not get further
	real      waitstate.Wait
	hasStrict bool
	stranded  *strandedCall // nil if it is not
	lag       int           // operations by which the strict view is behind the run
	strict    waitstate.Wait
}

// wave is what an agent knows of an open collective.
type wave struct {
	ctx     op.CommID
	seq     uint64
	arrived []op.Rank // made the call
	active  []op.Rank // are there in the strict view
	voices  []waitstate.Voice
}

// heldBy is a lock that a rank may hold.
type heldBy struct {
	lockKey
	rank      op.Rank
	exclusive bool
}

// report is an agent's answer to kGather.
type report struct {
	threads []waits
	waves   []wave
	groups  map[op.CommID][]op.Rank // members of the contexts that waits and waves name
	peers   map[op.CommID]bool      // contexts that are intercommunicators
	locks   []heldBy
	users   map[op.Rank]bool // ranks with threads that may still call MPI and are not known to be stuck
	murky   []op.Rank        // ranks of which not all collective calls may be known
}

// described is a thread's part in a finding.
type described struct {
	key   key
	still bool // it is where it was when it was asked about
	place finding.Place
	shape shape
}

// progress is what an agent tells now and then.
type progress struct {
	calls   uint64
	blocked int
	oldest  float64 // seconds
	rank    op.Rank // of the oldest wait
	stuck   int     // threads that have been in one blocking call for a while
	epoch   uint64  // changes whenever the set of stuck threads does
	behind  bool    // some strict view has been behind for a while
	windows int     // operations in all windows
}

// death is the end of a rank's process.
type death struct {
	rank   op.Rank
	cause  string
	place  finding.Place
	last   string // what it did last, in words
	nanos  uint64 // when, or when it was noticed of a process that could not tell
	nth    int    // the order of those that could not tell
	late   bool   // that order is not known
	inside bool   // it was in a call that waits for others
	final  bool   // after MPI_Finalize
	code   int32
	kind   uint32
	notes  []string
	// secondary: killed by the launcher because of another's death
	secondary bool
	moment    uint64 // of the last call
	within    bool   // the rank had not returned from it
	scope     scope  // of that call then
	own       bool   // it ended itself, or by a fault of its own
}
