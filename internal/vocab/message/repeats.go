package message

import "unknot/internal/vocab/op"

// Ranks that repeat their calls and have to do with ranks of other agents. Periods of all of a group are left out
// together: the agent with the lowest number, which leads, forms groups and counts what all have gone through.
type (
	// Repeats are all ranks of an agent that repeat and have to do with others than those that it leaves periods out of
	// by itself. It goes to the agent that leads.
	Repeats struct {
		From  int
		Ranks []Repeating
	}
	// Join says to an agent which of its ranks belong to a group.
	Join struct {
		Group uint32
		Ranks []Joined
	}
	// Sent says to an agent of a group how many messages ranks of another one have sent to its ranks since they began
	// to repeat. All of these are there.
	Sent struct {
		From  int
		Group uint32
		Flows []Flow
	}
	// Near says whether what the ranks of an agent have done, and others of the group have not yet, belongs to what
	// they repeat.
	Near struct {
		From  int
		Group uint32
		Near  bool
		Waves []Reached
	}
	// Full asks to have periods of a group left out.
	Full struct{ Group uint32 }
	// Count asks how many periods of a group the ranks of an agent have gone through. Counted is the answer, and none
	// is handed on until LeaveOut comes.
	Count struct{ Group uint32 }
	// Counted is how many periods that are.
	Counted struct {
		From    int
		Group   uint32
		Periods int
		Over    bool // the group is none any more
	}
	// LeaveOut says how many periods all agents of a group leave out.
	LeaveOut struct {
		Group   uint32
		Periods int
	}
	// Disband ends a group.
	Disband struct{ Group uint32 }
)

// Repeating is a rank that repeats its calls: what it has to do with others in a period.
type Repeating struct {
	Rank      op.Rank
	Since     uint32 // the stamp at which it began
	Sent, Got []Flow
	Waves     []Turns
}

// Flow is how many messages go a way.
type Flow struct {
	Src, Dst op.Rank
	Ctx      op.CommID
	Tag      int32
	N        int
}

// Turns are calls of collectives on a communicator, window or file.
type Turns struct {
	Ctx     op.CommID
	Members op.Ranks
	N       int
}

// Joined is a rank of a group, and how many of its periods go together with one of the group.
type Joined struct {
	Rank  op.Rank
	Since uint32
	Times int
}

// Reached is how far the members of a context on an agent have come in its collectives: the lowest number, and the
// highest of those with which they began to repeat.
type Reached struct {
	Ctx   op.CommID
	Least uint64
	Began int64
}

func (Repeats) message()  {}
func (Join) message()     {}
func (Sent) message()     {}
func (Near) message()     {}
func (Full) message()     {}
func (Count) message()    {}
func (Counted) message()  {}
func (LeaveOut) message() {}
func (Disband) message()  {}
