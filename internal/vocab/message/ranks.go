package message

import (
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/op"
)

// Progress is what an agent tells now and then.
type Progress struct {
	Agent   int
	Calls   uint64
	Idle    uint64 // calls of these that show no progress: polls, and questions
	Folded  uint64 // calls of these that repeat others and were left out
	Blocked int
	Oldest  float64 // seconds
	Rank    op.Rank // of the oldest wait
	Stuck   int     // threads that have been in one blocking call for a while
	Epoch   uint64  // changes whenever the set of stuck threads does
	Behind  bool    // some strict view has been behind for a while
	Windows int     // operations in all windows
	Held    int     // ranks whose rings are nearly full, so that they wait for their agent, or will soon
	Slowest int     // the agent with most of them
	Most    int     // how many it has
}

// Add adds the progress of another agent to a sum.
func (p *Progress) Add(o *Progress) {
	p.Folded, p.Idle = p.Folded+o.Folded, p.Idle+o.Idle
	p.Calls, p.Blocked, p.Stuck, p.Epoch, p.Windows = p.Calls+o.Calls, p.Blocked+o.Blocked, p.Stuck+o.Stuck,
		p.Epoch+o.Epoch, p.Windows+o.Windows
	p.Behind, p.Held = p.Behind || o.Behind, p.Held+o.Held
	if o.Most > p.Most {
		p.Most, p.Slowest = o.Most, o.Slowest
	}
	if o.Oldest > p.Oldest {
		p.Oldest, p.Rank = o.Oldest, o.Rank
	}
}

// Death is the end of a rank's process.
type Death struct {
	Rank op.Rank
	Manner
	Ending bool // it had called MPI_Finalize
	// Sessions says that MPI was initialised by sessions alone, one of which was open; Begun is where such were begun,
	// as far as that is known.
	Sessions bool
	Begun    []finding.Frame
	Place    finding.Place // its last call
	Nanos    uint64        // when, or when it was noticed of a process that could not tell
	Nth      int           // the order of those that could not tell
	Late     bool          // that order is not known
	Inside   bool          // it was in a call that waits for others
	Final    bool          // after MPI_Finalize
	Moment   uint64        // of the last call
	Within   bool          // the rank had not returned from it
	Scope    Scope         // of that call then
	Because  finding.Code  // of a finding of another call, which is why this one may have failed; "" without one
	Stood    *Described    // where the rank was, if others have ended it
}

// Manner is how a rank died, and by whom.
type Manner struct {
	Kind   uint32        // how it ended (ring.Death)
	Code   int32         // its exit status, the signal, or what it gave to MPI_Abort
	Fault  finding.Frame // where a signal hit it, or who ended it, if that is known
	Signal int32         // in whose handler it ended itself, 0 for none
	// of the error for which the MPI library has ended it, as MPI_ERR_TRUNCATE; "" if that is not known
	Class  string
	Said   *Said      // what was said of the end; nil if nothing was
	Apart  bool       // a thread that has not called MPI ended it
	Except *Exception // of its own, not caught; nil if there was none
	// Secondary: killed by the launcher because of another's death
	Secondary bool
	// Outside: killed by a signal that ends jobs, which a process has sent that is neither the launcher nor the rank
	// itself
	Outside bool
	Own     bool // it ended itself, or by its own fault
}

// Said is what a runtime has said of the end of a process.
type Said struct {
	How  uint32 // as ring.SaidMessage
	Kind string // of an exception: its type
	Text string
}

// Exception is a Python exception, and where it was raised.
type Exception struct {
	Kind, Text, File string
	Line             int
}

// Broken is why a rank could not be followed to its end.
type Broken struct {
	Rank op.Rank
	Why  string // the error in its records
}

// Unused is what a plan names and a thread had not done when it ended.
type Unused struct {
	Rank             op.Rank
	Thread           op.Thread
	Receives, Decide uint64 // receives from any source made, and decided beyond those
	Sends, Named     uint64 // sends of standard mode made, and named beyond those
	// calls made that may be given an outcome, and outcomes beyond those or that were not possible
	Choices, Unmet uint64
}

// Passed counts the calls of one function that unknot let through without knowing what they do.
type Passed struct {
	Name  string
	Count uint64
	Rank  op.Rank // the lowest that made one
	Place finding.Place
}

// AddPassed adds calls of a function to a sum by name.
func AddPassed(sum map[string]*Passed, p *Passed) {
	e := sum[p.Name]
	if e == nil {
		q := *p
		sum[p.Name] = &q
		return
	}
	e.Count += p.Count
	if p.Rank < e.Rank {
		e.Rank, e.Place = p.Rank, p.Place
	}
}
