// Package repeat leaves out the calls of ranks that repeat. It compares the records of their rings with a period
// (package fold), learns what a period does, finds the ranks that go through theirs together, on other hosts too, and
// shifts the threads by the periods that all of them have gone through.
package repeat

import (
	"time"

	"unknot/internal/agent/calls"
	"unknot/internal/agent/log"
	"unknot/internal/model/fold"
	"unknot/internal/model/waitstate"
	"unknot/internal/observe/ring"
	"unknot/internal/root/tree"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// When ranks that communicate among themselves alone all repeat the same calls, the agent leaves out whole periods of
// all of them at once: what is left is the record of a run with fewer iterations, in which all matches and all waits
// are the same (docs/design/fold.md). It goes by the records alone: what was read is compared with a period
// that is kept (package fold), and waits to be handed on until it is known how many periods every rank of the group has
// gone through.

// BatchSize is how many records of a ring are taken at once. With few, partners are never far from each other: what
// they share is still in the processor's cache, and their windows stay short.
const BatchSize = 32

// mostAhead bounds what waits to be handed on, in records.
const mostAhead = 1 << 14

// Folding is what an agent knows of its ranks that repeat.
type Folding struct {
	On    bool
	Calls uint64   // that were left out
	Log   *log.Log // nil if no trace is written
	across
	lead leading // of the agent that leads

	host   Host
	follow *calls.Follower
	node   *waitstate.Node
	net    *tree.Member[message.Message]
	home   func(op.Rank) int

	sources []*Source // of the first threads of all ranks, by rank
	byRank  map[op.Rank]*Source
	groups  [][]*Source
	stale   bool // some rank has begun or ended to repeat
	apart   bool // some group is none as its ranks are too far from each other
}

// Host is the agent that reads the rings.
type Host interface {
	More()                // there is more to be read at once
	Flush()               // sends what the wait-state system has to say
	Reported() uint64     // what was reported to the root, and how often
	Holding() bool        // rings are not read, for a consistent state
	Consistent(round int) // begins a consistent state that had to wait
}

// New is the folding of an agent that has got no rank yet. home is the agent of a rank.
func New(host Host, follow *calls.Follower, net *tree.Member[message.Message], home func(op.Rank) int) *Folding {
	return &Folding{host: host, follow: follow, node: follow.Node, net: net, home: home,
		byRank: make(map[op.Rank]*Source)}
}

// Source is a ring in which calls may repeat.
type Source struct {
	Ring    Ring
	Thread  *calls.Thread               // that it is of at present
	Log     *log.Thread                 // nil if no trace is written
	Hand    func(*ring.Record)          // takes in a record
	LeftOut func(periods, calls uint64) // is called when calls were left out
	GiveUp  func(error)                 // has nobody read the ring any more
	Single  func() bool                 // whether its rank has no other ring, and may not get one

	stream    fold.Stream
	summary   *summary // of the period; nil unless the stream is repeating
	following *summary // of the period that is followed at present; nil if none is
	since     uint32   // the stamp at which it has begun
	times     int      // periods of it to one of its group
	skipped   bool     // periods were left out in this turn
	joint     *joint   // the group with ranks of other agents to which it belongs
	grown     time.Time
}

// Ring is what is read of a ring in which calls repeat, as of a ring.Ring.
type Ring interface {
	Skim(match func(*ring.Record) bool, limit int) (n int, other bool)
	SkimRepeated(period, limit int) int
	Commit()
}

// Repeating says whether calls of the source are compared with those of a period.
func (s *Source) Repeating() bool { return s.stream.Phase() == fold.Repeating }

// Ahead is how many records were compared and not handed on yet.
func (s *Source) Ahead() int { return s.stream.Ahead() }

// across is what an agent knows of groups with ranks of others.
type across struct {
	announced []message.Joined // of the ranks that the leader knows to repeat, without times
	joints    map[uint32]*joint
	sent      map[uint32]map[int]*message.Sent // by group and agent, of groups too that this agent has not joined yet
	past      uint32                           // the last group that has ended
	off       bool                             // there are no such groups any more
	// a round in which a consistent state is to be made once nothing is promised
	due *int
}

// joint is this agent's part of a group.
type joint struct {
	number   uint32
	sources  []*Source
	senders  map[int]bool // other agents whose ranks send messages to these
	near     bool
	over     bool // some rank of it does something else, or has come to its end
	promised int  // periods
	asked    bool // to have periods left out
	yields   bool // what is there is handed on
	rested   time.Time
}

// leading is what the agent knows that leads groups over agents.
type leading struct {
	known  map[int][]message.Repeating // by agent
	groups map[uint32]*led
	last   uint32
	stale  bool // there may be new groups
	// again is when those are looked at again of which the ranks were too far from each other, pause how long that was
	// put off last.
	again time.Time
	pause time.Duration
}

// led is a group.
type led struct {
	number  uint32
	agents  []int
	since   map[op.Rank]uint32
	near    map[int]*message.Near
	live    bool
	counted map[int]int // what agents have said since they were asked; nil if they are not
	over    bool
}

// summary is what an agent learns of one period of a thread that repeats its calls, while it follows that as any other:
// whom the thread has to do with in it, and whether all is afterwards as it was before.
type summary struct {
	sent, got map[flow]int // messages
	waves     map[op.CommID]*turns
	// barred says that a call belongs to the period, or something has happened in it, that rules out to leave the
	// period out.
	barred bool
	log    *log.Period  // what is recorded of it, if a trace is
	start  calls.Counts // of the thread, before it
	calls  uint64
	sites  map[uint64]uint64 // how many of them are made at each place

	before standing
	grows  calls.Counts // in a period
}

// flow is a way that messages take one after another.
type flow struct {
	src, dst op.Rank
	ctx      op.CommID
	tag      int32
}

// turns are calls of collectives on one communicator, window or file.
type turns struct {
	member  *waitstate.Member // nil of a rank of another agent
	members op.Ranks
	n       int
}

// standing is what must be the same after a period as before it.
type standing struct {
	requests int    // that are not complete
	polls    bool   // the thread polls
	reported uint64 // wrong uses and the like that the agent has reported to the root, and how often
}
