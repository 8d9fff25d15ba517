// Package proto is the conversation between the supervisor and the agent process: JSON, one object a line, over the
// agent's standard input and output.
//
// The agent says ready once it watches its session; the job starts then. It ends with done, after which it exits. The
// supervisor says ended when the launcher has ended and no rank is left; the end of the agent's input means the same.
// A type that the reader does not know is passed over, so that either side may learn new ones.
package proto

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"unknot/internal/vocab/finding"
)

// Types of messages, in Message.Type. All but Ended and Survey go from the agent to the supervisor.
const (
	Ready = "ready" // the agent watches its session: Addresses
	Hello = "hello" // the program has initialised MPI: MPI, Ranks, Hosts
	// for the status line: Ranks, Calls, Rate, Blocked, Oldest, OldestRank, Held, Slowest, SlowestRanks
	Status   = "status"
	Found    = "finding"  // Finding, Number, Instead
	Stop     = "stop"     // the job can never end, end it now: Why
	Leave    = "leave"    // the same, for --on-deadlock=leave: Processes, Why
	Note     = "note"     // something that the user should know: Text
	Unforced = "unforced" // the plan is not in force, so this run is no replay: Text
	History  = "history"  // what threads called last: History, Topologies
	Done     = "done"     // the last word: Calls, Folded, Complete, Why
	Surveyed = "surveyed" // the answer to Survey, after the finding that says where the ranks are
	Survey   = "survey"   // the job is about to be ended by a signal, Text: where are the ranks?
	Ended    = "ended"    // the job is over: Exit
	maxLine  = 64 << 20   // a finding of a million ranks fits
)

// Message is one line. Which fields count follows from Type.
type Message struct {
	Type string `json:"type"`

	Addresses []string `json:"addresses,omitempty"` // at which agents of other hosts may join

	MPI   string   `json:"mpi,omitempty"`
	Ranks int      `json:"ranks,omitempty"`
	Hosts []string `json:"hosts,omitempty"`

	Traffic
	Report

	Processes []Process `json:"processes,omitempty"`
	Why       string    `json:"why,omitempty"`
	Text      string    `json:"text,omitempty"`
	Complete  bool      `json:"complete,omitempty"`

	History    *finding.History   `json:"history,omitempty"`
	Topologies []finding.Topology `json:"topologies,omitempty"`

	Exit int  `json:"exit,omitempty"` // the launcher's exit status, 128+N if signal N ended it
	Ours bool `json:"ours,omitempty"` // unknot itself has ended the job
}

// Traffic is how the agents get on with what the ranks do.
type Traffic struct {
	Calls      uint64  `json:"calls,omitempty"`
	Folded     uint64  `json:"folded,omitempty"`  // calls of these that repeat others and were left out
	Rate       float64 `json:"rate,omitempty"`    // MPI calls per second
	Blocked    int     `json:"blocked,omitempty"` // ranks that are inside a blocking call
	Oldest     float64 `json:"oldest,omitempty"`  // seconds that the oldest of these waits lasts
	OldestRank int     `json:"oldest_rank,omitempty"`
	// ranks that wait for their agent, or will soon, as their rings are nearly full
	Held    int    `json:"held,omitempty"`
	Slowest string `json:"slowest,omitempty"` // the host of the agent with most of them, of several hosts
	// SlowestRanks are those of that agent, of several.
	SlowestRanks []int `json:"slowest_ranks,omitempty"`
}

// Report is a finding, with what its JSON leaves out.
type Report struct {
	// Finding replaces one that came before with the same number; 0 stands for none.
	Finding *finding.Finding `json:"finding,omitempty"`
	Number  int              `json:"number,omitempty"`
	// Instead stands if a rule leaves Finding out: the death of a rank that Finding explains.
	Instead *finding.Finding `json:"instead,omitempty"`
	// Meanings and InsteadMeanings are those of the places of these findings, which the JSON of a finding leaves out.
	// Writer and Reader see to them.
	Meanings        []finding.Meaning `json:"meanings,omitempty"`
	InsteadMeanings []finding.Meaning `json:"instead_meanings,omitempty"`
	// Form and InsteadForm are those of their sentences, in the same way.
	Form        string `json:"form,omitempty"`
	InsteadForm string `json:"instead_form,omitempty"`
}

// Process is a rank that was left hanging, for a debugger.
type Process struct {
	Rank int    `json:"rank"`
	PID  int    `json:"pid"`
	Host string `json:"host"`
}

// Writer sends messages; it may be used by several goroutines. A message that cannot be written does not keep the next
// ones from being tried.
type Writer struct {
	mu sync.Mutex
	to io.Writer
}

// NewWriter returns a Writer to w.
func NewWriter(w io.Writer) *Writer { return &Writer{to: w} }

// Send writes one message as one line.
func (w *Writer) Send(m Message) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if m.Finding != nil {
		m.Meanings, m.Form = m.Finding.Meanings(), m.Finding.Form
	}
	if m.Instead != nil {
		m.InsteadMeanings, m.InsteadForm = m.Instead.Meanings(), m.Instead.Form
	}
	enc := json.NewEncoder(w.to) // one for each message: an encoder stops for good at the first error
	enc.SetEscapeHTML(false)
	return enc.Encode(m)
}

// Reader receives messages.
type Reader struct {
	lines *bufio.Scanner
	n     int
}

// NewReader returns a Reader from r.
func NewReader(r io.Reader) *Reader {
	s := bufio.NewScanner(r)
	s.Buffer(nil, maxLine)
	return &Reader{lines: s}
}

// Receive returns the next message, or io.EOF after the last.
func (r *Reader) Receive() (Message, error) {
	var m Message
	if !r.lines.Scan() {
		if err := r.lines.Err(); err != nil {
			return m, fmt.Errorf("line %d: %w", r.n+1, err)
		}
		return m, io.EOF
	}
	r.n++
	if err := json.Unmarshal(r.lines.Bytes(), &m); err != nil {
		return m, fmt.Errorf("line %d: %w", r.n, err)
	}
	if m.Finding != nil {
		m.Finding.SetMeanings(m.Meanings)
		m.Finding.Form = m.Form
	}
	if m.Instead != nil {
		m.Instead.SetMeanings(m.InsteadMeanings)
		m.Instead.Form = m.InsteadForm
	}
	m.Meanings, m.InsteadMeanings, m.Form, m.InsteadForm = nil, nil, "", ""
	return m, nil
}
