// Package message is what the agents of a job and its root tell each other: plain data only, a struct for each kind of
// message, with what makes bytes of them and back. A message holds nothing that its sender still changes, so within
// a process it may be handed over as it is.
//
// A round of detection is three questions of the root's, each of which all agents answer before the next: Consistent,
// Gather, Describe. Locate is a fourth, where calls are to be described that are over, and Remains the last one of a
// job. Agents tell the rest as it happens.
package message

import (
	"unknot/internal/check/registry"
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/op"
)

// Message is one of the types below.
type Message interface{ message() }

// Question is what the root asks in a round of detection, and may ask again in another one.
type Question interface {
	Message
	// In is the question as one of a round.
	In(round int) Message
}

// In is the question as one of a round.
func (m Consistent) In(round int) Message { m.Round = round; return m }

// In is the question as one of a round.
func (m Gather) In(round int) Message { m.Round = round; return m }

// In is the question as one of a round.
func (m Describe) In(round int) Message { m.Round = round; return m }

// In is the question as one of a round.
func (m Locate) In(round int) Message { m.Round = round; return m }

// In is the question as one of a round.
func (m Remains) In(round int) Message { m.Round = round; return m }

// Between agents; the first also between an agent and the root, for collectives.
type (
	// WaitStates are messages of the wait-state system, in order.
	WaitStates struct{ Messages []waitstate.Message }
	// Ping asks for a Pong, as what was sent on the link before has then arrived (double ping-pong; paper, section 5).
	// Try counts how often the agent had to begin again.
	Ping struct{ From, Round, Phase, Try int }
	// Pong is the answer.
	Pong struct{ From, Round, Phase, Try int }
	// Note is what the checks of a rank have for those of another.
	Note struct{ Note registry.Carried }
)

// From the root to all agents.
type (
	// Consistent asks for a consistent state: transitions stop, and the links are flushed. Settled is the answer.
	Consistent struct{ Round int }
	// Gather asks what all threads wait for, and lets transitions go on. Report is the answer.
	Gather struct {
		Round     int
		Processes bool // of its ranks are asked for, too
		Last      bool // all agents were idle when this round began: what they had to tell each other is there
	}
	// Describe asks for everything about some threads, and whether others stay where they were. Places is the answer.
	Describe struct {
		Round int
		Keys  []Key
		Stay  []Keys
		// Survey asks where the threads are, whatever they do. Going says that the job continues afterwards, so that
		// nobody's system call may be interrupted.
		Survey, Going bool
	}
	// Locate asks about calls that may be over. Places is the answer.
	Locate struct {
		Round int
		Calls []waitstate.Origin
		// Of the first calls, the elements whose names in the program are asked for.
		Elements []Element
		// Messages for which agents look among those to their ranks.
		Sought []Sought
	}
	// Remains asks, at the end, for what could not be judged before. Left is the answer.
	Remains struct{ Round int }
	// Relax has threads follow what was observed: once, or for later calls from the same site as well.
	Relax struct {
		Keys []Keys
		Once bool
	}
	// Halt stops the processes of the ranks on a host, as the job is about to be ended.
	Halt struct{ Host string }
	// Gone says that an agent cannot be reached any more.
	Gone struct{ Agent int }
	// Quit says that nothing is left to do.
	Quit struct{}
)

// From an agent to the root.
type (
	// Settled says that the agent's part of the consistent state is made.
	Settled struct{ Agent, Round int }
	// Places describes threads or calls.
	Places struct {
		Agent  int
		Round  int
		Places []Described
		Moved  []Key // threads that were asked about and do not stay
		Strays []Stray
	}
	// Left is what could not be judged before the end.
	Left struct {
		Agent   int
		Round   int
		Through op.Ranks // ranks that have come to MPI_Finalize, and all of whose calls are known
		Lost    []Lost
		Races   []Race
		// What threads called last, one entry for each agent, and topologies, one for each rank, if that is recorded.
		History    []History
		Topologies []Topology
	}
	// Clash says that members of a collective disagree.
	Clash struct{ Clash waitstate.Clash }
	// Failed says that a call on a communicator or window returned an error.
	Failed struct{ Ctx op.CommID }
	// Unforced says that a plan is not in force, and why.
	Unforced struct{ Why string }
	// Idle says that the agent has read everything, which functions were let through, and which rank could not be
	// followed to the end.
	Idle struct {
		Agent  int
		Passed []Passed
		Broken *Broken // nil if all were
	}
)

// Version is that of all these messages together. It changes with each of them.
const Version = 32

// all are the messages, by the number that stands for each on a link.
func all() []Message {
	return []Message{
		WaitStates{}, Ping{}, Pong{}, Note{},
		Consistent{}, Gather{}, Describe{}, Locate{}, Remains{}, Relax{}, Halt{}, Gone{}, Quit{},
		Settled{}, Report{}, Places{}, Left{}, Progress{}, Clash{}, Pair{}, Failed{}, Death{}, Unforced{}, Unused{},
		Misuse{}, Idle{}, Ledger{},
		Repeats{}, Join{}, Sent{}, Near{}, Full{}, Count{}, Counted{}, LeaveOut{}, Disband{},
	}
}

func (WaitStates) message() {}
func (Ping) message()       {}
func (Pong) message()       {}
func (Note) message()       {}
func (Consistent) message() {}
func (Gather) message()     {}
func (Describe) message()   {}
func (Locate) message()     {}
func (Remains) message()    {}
func (Relax) message()      {}
func (Halt) message()       {}
func (Gone) message()       {}
func (Quit) message()       {}
func (Settled) message()    {}
func (Report) message()     {}
func (Places) message()     {}
func (Left) message()       {}
func (Progress) message()   {}
func (Clash) message()      {}
func (Pair) message()       {}
func (Failed) message()     {}
func (Death) message()      {}
func (Unforced) message()   {}
func (Unused) message()     {}
func (Misuse) message()     {}
func (Idle) message()       {}
func (Ledger) message()     {}

// Finding is a Misuse of a finding that is about no parameter and no context.
func Finding(f finding.Finding) Misuse { return Misuse{Finding: f, Param: -1} }
