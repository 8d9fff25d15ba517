// Package branching makes small MPI programs whose calls depend on what earlier calls gave: whom a receive met, the
// value that came, which request was reported, whether a poll found something. It goes through every behaviour that the
// standard allows them (All), makes single runs that obey a plan (Run), and writes them in C. It is for tests only, is
// written to be read against the standard, and shares no code with what it judges.
//
// A Program has a structured text for each rank. It is lowered to a list of instructions with jumps (code.go). A state
// is how far all ranks are, with what is under way between them (state.go); a machine says which moves are possible in
// a state and makes them (moves.go, enter.go, exit.go, match.go).
package branching

import "unknot/internal/vocab/op"

// Program is what all ranks do. Every rank makes the communicators first and ends in MPI_Finalize; neither is in its
// text.
type Program struct {
	Name  string  // of a classic; else empty
	Comms [][]int // members, ascending; the first is MPI_COMM_WORLD
	Ranks [][]Stmt
	// Polls says that some rank polls in a loop that nothing but success ends; Cancels, that some rank cancels a
	// receive.
	Polls, Cancels bool
}

// StmtKind is what a statement does.
type StmtKind uint8

// Kinds of statements.
const (
	Do      StmtKind = iota // makes the Call
	Set                     // variable Var becomes Value
	If                      // Body if Cond is not 0, else Else
	While                   // Body as long as Cond is not 0
	DoWhile                 // Body at least once
)

// Stmt is a statement of a rank.
type Stmt struct {
	Kind       StmtKind
	Call       *Call
	Var        int
	Value      *Expr
	Cond       *Expr
	Body, Else []Stmt
}

// Kind is what a call does.
type Kind uint8

// Kinds of calls. Split and Finalize are not in the text of a rank.
const (
	Send Kind = iota
	Isend
	SendInit
	Recv
	Irecv
	RecvInit
	Start
	Sendrecv
	Probe
	Iprobe
	Mprobe
	Improbe
	Mrecv
	Wait
	Waitall
	Waitany
	Waitsome
	Test
	Testall
	Testany
	Testsome
	Cancel
	Barrier
	Bcast
	Reduce
	Allreduce
	Ibarrier
	Ibcast
	Split
	Finalize
)

var kindNames = [...]string{"Send", "Isend", "Send_init", "Recv", "Irecv", "Recv_init", "Start", "Sendrecv", "Probe",
	"Iprobe", "Mprobe",
	"Improbe", "Mrecv", "Wait", "Waitall", "Waitany", "Waitsome", "Test", "Testall", "Testany", "Testsome", "Cancel",
	"Barrier", "Bcast",
	"Reduce", "Allreduce", "Ibarrier", "Ibcast", "Comm_split", "Finalize"}

// large is the count of a message above every eager limit: 1 MiB of ints.
const large = 1 << 18

// Call is one MPI call. A rank has slots, each of which is a request, a message handle, a buffer to send from and one
// to receive into, and the status of what was received into it. A slot serves either sends, receives or collectives.
type Call struct {
	Kind  Kind
	Mode  op.SendMode
	Comm  int
	Peer  *Expr // destination of a send, source of a receive or probe, as a rank in Comm; nil for MPI_ANY_SOURCE
	Tag   *Expr // nil for MPI_ANY_TAG
	To    *Expr // Sendrecv: the destination…
	Out   *Expr // …and the tag of its send
	Value *Expr // what a send or a collective contributes; of Start, if the slot is a send
	Count int   // ints in a message, 1 if 0; Value comes first
	Root  int   // Bcast, Reduce, Ibcast: a rank in Comm
	Slot  int
	Slots []int // Waitall, Waitany, Waitsome and their tests
}

// name is the MPI function.
func (c *Call) name() string {
	name := kindNames[c.Kind]
	letter := [...]string{"", "s", "b", "r"}[c.Mode]
	switch {
	case c.Mode == op.Standard:
	case c.Kind == Isend:
		name = "I" + letter + "send"
	default:
		name = map[string]string{"s": "S", "b": "B", "r": "R"}[letter] + "s" + name[1:]
	}
	return "MPI_" + name
}

// count is how many ints a message has.
func (c *Call) count() int { return max(c.Count, 1) }

// chooses says whether MPI may choose among results of the call: whether it counts for plan.Outcome.
func (k Kind) chooses() bool {
	switch k {
	case Waitany, Waitsome, Test, Testall, Testany, Testsome, Iprobe, Improbe:
		return true
	}
	return false
}

// polls says whether the call returns at once, whatever it finds.
func (k Kind) polls() bool { return k.chooses() && k != Waitany && k != Waitsome }

// any says whether one of the call's requests is enough.
func (k Kind) any() bool { return k == Waitany || k == Waitsome || k == Testany || k == Testsome }

// completes says whether the call completes requests.
func (k Kind) completes() bool { return k >= Wait && k <= Testsome }

// slots are the requests that a completion is about, in their order.
func (c *Call) slots() []int {
	if c.Kind == Wait || c.Kind == Test {
		return []int{c.Slot}
	}
	return c.Slots
}

// rankIn is the place of a world rank in a communicator, -1 if it is no member.
func (p *Program) rankIn(comm, world int) int {
	for i, r := range p.Comms[comm] {
		if r == world {
			return i
		}
	}
	return -1
}
