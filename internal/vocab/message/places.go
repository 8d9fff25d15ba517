package message

import (
	"slices"

	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// Add puts another answer to the same question in.
func (p *Places) Add(o *Places) {
	p.Places, p.Moved, p.Strays = append(p.Places, o.Places...), append(p.Moved, o.Moved...),
		append(p.Strays, o.Strays...)
}

// Described is a thread's part in a finding.
type Described struct {
	Key   Key
	Still bool // it is where it was when it was asked about
	Place finding.Place
	Shape Shape
	Nth   int // of the calls that were asked about
	// the member of the program's struct in which the element lies that was asked for; "" if that is not known
	Field string
}

// Element is one of those that a call gives or expects.
type Element struct {
	Type *datatype.Type
	N    int64
}

// Shape is what the root needs to know of a call in order to put a deadlock into words.
type Shape struct {
	Class  mpi.Class
	Name   string
	Ready  bool // it sends in ready mode
	Comm   finding.Wording
	Bytes  int64
	Misses []Miss // messages that nearly fit
	More   bool   // there may be more of them
	// Sought is the first message that the thread waits for, if nothing above is the cause that it does not come, and
	// nil otherwise; Strays fit it except for who sent them or to whom they were sent.
	Sought      *waitstate.Sought
	Strays      []Miss
	Collectives []CollCall      // the last collective calls of the rank on each of its communicators, the latest first
	Posted      map[Key]Posted  // the calls that started the requests of a completion
	Wanted      []finding.Frame // where other threads of the rank, which do not call MPI, wait for a lock that it holds
	Ate         *Eaten          // nil if there is none
	Library     string
	Within      *Within     // of a thread whose position is reported, nil otherwise
	Except      *Exception  // of the rank, not caught
	Caught      []Exception // that the rank has raised and caught, or is handling, since the call before
}

// Astray is a message that would fit if it had another source or destination: one of the rank that is waited for, if it
// has sent such messages to one rank alone; if it has sent none, one of the only rank that has sent them to the rank
// that waits; else nil.
func (s *Shape) Astray() *Miss {
	list := slices.DeleteFunc(slices.Clone(s.Strays), func(m Miss) bool { return m.Src != m.From })
	if len(list) == 0 {
		list = s.Strays
	}
	if len(list) == 0 || slices.ContainsFunc(list, func(m Miss) bool {
		return m.Src != list[0].Src ||
			m.Dst != list[0].Dst
	}) {
		return nil
	}
	return &list[0]
}

// Sought is what a thread waits for, of which its agent does not know whether ranks of others were sent it.
type Sought struct {
	Key    Key
	Sought waitstate.Sought
}

// Stray is a message to a rank of another agent that fits what a thread waits for.
type Stray struct {
	Key  Key
	Miss Miss
}

// Miss is a message that nearly fits what a thread waits for. If it is not the tag nor the communicator that differs,
// an earlier receive may have taken it.
type Miss struct {
	Src, Dst     op.Rank
	Origin       *waitstate.Origin // the send; its place is known to the sender's agent
	Sent, Wanted int32             // tags; any is wanted if it is op.AnyTag
	// what the communicators of the send and of the receive are known by; "" if they are one
	On, NotOn string
	// From is the rank that the receive names, and To the rank that waits, where Src or Dst is another one.
	From, To op.Rank
}

// CollCall is a collective call of a rank: the one of this number on a communicator.
type CollCall struct {
	Ctx  op.CommID
	Seq  uint64
	Call string
	At   finding.Frame
}

// Posted is a call that started a request, and where.
type Posted struct {
	Call  string
	Ready bool // it sends in ready mode
	At    finding.Frame
}

// Eaten is a message that a receive of the thread from any source took, and that fits what the thread now waits for.
type Eaten struct {
	Src op.Rank
	Tag int32
	At  finding.Frame // of that receive
}
