package finding

import (
	"fmt"
	"slices"
)

// Story says how a run reaches a finding that the observed run did not reach by itself.
type Story struct {
	// Steps are the decisions that differ from the observed run, in the order in which they have to happen.
	Steps []Step `json:"steps"`
	// Lines and Messages are the message diagram: one life line a rank, from top to bottom, and what went between them.
	Lines    []Line    `json:"lines,omitempty"`
	Messages []Message `json:"messages,omitempty"`
	// Left counts earlier messages that the diagram leaves out.
	Left int `json:"left,omitempty"`
	// Forced is what a replay has to force.
	Forced Forced `json:"forced"`
}

// Step is one decision.
type Step struct {
	Sentence string `json:"sentence"`
	Rank     int    `json:"rank"`
	Thread   int    `json:"thread,omitempty"`
	At       Frame  `json:"at"`
}

// Line is the life line of a rank in a message diagram.
type Line struct {
	Rank int `json:"rank"`
	// End says how it ends: "MPI_Recv from rank 3", "finished".
	End   string `json:"end"`
	Stuck bool   `json:"stuck,omitempty"`
}

// Message is an arrow of a message diagram. Sent and Matched are moments, counted from 0 over the whole diagram.
type Message struct {
	From     int    `json:"from"`
	To       int    `json:"to"`
	Sent     int    `json:"sent"`
	Matched  int    `json:"met"` // -1 if nobody ever takes it
	Label    string `json:"label,omitempty"`
	Decisive bool   `json:"decisive,omitempty"` // one of the steps
}

// Forced is a plan in the words of package plan: whom receives from any source meet, which sends are buffered or not,
// and what calls report that have a choice.
type Forced struct {
	Receives []ForcedReceive `json:"receives,omitempty"`
	Sends    []ForcedSend    `json:"sends,omitempty"`
	Outcomes []ForcedOutcome `json:"outcomes,omitempty"`
	// Synchronous makes all sends of standard mode synchronous.
	Synchronous bool `json:"synchronous,omitempty"`
	// Clocks is the number of the other clocks that the program sees, 0 for those of the machine.
	Clocks int `json:"clocks,omitempty"`
}

// ForcedReceive is the nth receive or probe from any source of a thread, from 0, and the source that it is given: a
// rank in the communicator of the call.
type ForcedReceive struct {
	Rank   int `json:"rank"`
	Thread int `json:"thread,omitempty"`
	Nth    int `json:"nth"`
	Source int `json:"source"`
}

// ForcedSend is the nth send of standard mode of a thread, from 0. It is synchronous unless it is Buffered.
type ForcedSend struct {
	Rank     int  `json:"rank"`
	Thread   int  `json:"thread,omitempty"`
	Nth      int  `json:"nth"`
	Buffered bool `json:"buffered,omitempty"`
}

// ForcedOutcome is what the nth call of a thread with a choice reports (plan.Outcome).
type ForcedOutcome struct {
	Rank    int   `json:"rank"`
	Thread  int   `json:"thread,omitempty"`
	Nth     int   `json:"nth"`
	Nothing bool  `json:"nothing,omitempty"`
	Done    []int `json:"done,omitempty"` // requests by their places in the array of the call, from 0
}

func (s *Story) validate(world int) error {
	bad := func(rank int) bool { return rank < 0 || rank >= world }
	for i, st := range s.Steps {
		if bad(st.Rank) {
			return fmt.Errorf("steps[%d].rank is %d, expected 0 to %d", i, st.Rank, world-1)
		}
	}
	for i, l := range s.Lines {
		if bad(l.Rank) {
			return fmt.Errorf("lines[%d].rank is %d, expected 0 to %d", i, l.Rank, world-1)
		}
	}
	for i, m := range s.Messages {
		switch {
		case bad(m.From) || bad(m.To):
			return fmt.Errorf("messages[%d] goes from %d to %d, expected 0 to %d", i, m.From, m.To, world-1)
		case m.Sent < 0 || m.Matched < -1:
			return fmt.Errorf("messages[%d] is sent at %d and met at %d, expected moments from 0, or -1 for never met",
				i, m.Sent, m.Matched)
		}
	}
	for i, r := range s.Forced.Receives {
		if bad(r.Rank) || r.Thread < 0 || r.Nth < 0 || bad(r.Source) {
			return fmt.Errorf("forced.receives[%d] is rank %d, thread %d, number %d, source %d; expected ranks and "+
				"sources from 0 to %d, and nothing negative",
				i, r.Rank, r.Thread, r.Nth, r.Source, world-1)
		}
	}
	for i, r := range s.Forced.Sends {
		if bad(r.Rank) || r.Thread < 0 || r.Nth < 0 {
			return fmt.Errorf("forced.sends[%d] is rank %d, thread %d, number %d; expected ranks from 0 to %d, and "+
				"nothing negative", i, r.Rank, r.Thread,
				r.Nth, world-1)
		}
	}
	for i, r := range s.Forced.Outcomes {
		if bad(r.Rank) || r.Thread < 0 || r.Nth < 0 || slices.ContainsFunc(r.Done, func(n int) bool { return n < 0 }) {
			return fmt.Errorf("forced.outcomes[%d] is rank %d, thread %d, number %d, requests %v; expected ranks "+
				"from 0 to %d, and nothing negative", i, r.Rank,
				r.Thread, r.Nth, r.Done, world-1)
		}
	}
	return nil
}
