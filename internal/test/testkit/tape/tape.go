// Package tape records what a job's agent process takes in, and plays it to an agent again without MPI, in
// milliseconds.
//
// A tape is what the rings of a run held, in the order in which it was published, with the moments; what their headers
// said; what the agent asked of the living processes and the symbols of their files, and was answered; and how the job
// ended. Record is an agent process that writes one. Play makes a session directory with ring files, as a probe does,
// and runs the agent over it in a bubble whose clock advances when all wait (testing/synctest): what it makes of the
// run depends on the tape alone.
package tape

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"unknot/internal/agent"
	"unknot/internal/agent/kernel"
	"unknot/internal/kit/symbol"
	"unknot/internal/observe/ring"
	"unknot/internal/vocab/finding"
)

// Version is the revision of this file.
const Version = 1

// Tape is one recorded run.
type Tape struct {
	Head    Head
	Events  []Event
	Symbols []Answer
	// where the agent is to record a trace as the tape is played, "" for nowhere; of a recorded tape, which does not
	// keep it, nowhere
	Trace string
}

// Head says what a tape is.
type Head struct {
	Tape    int           `json:"tape"` // Version
	Ring    uint32        `json:"ring"` // ring.Records
	Options agent.Options `json:"options"`
	Clock   uint64        `json:"clock"`             // CLOCK_MONOTONIC at its beginning
	Project string        `json:"project,omitempty"` // the project's directory there, of which scripts speak
}

// Event is something that happens at a moment. One of its parts is there.
type Event struct {
	At     int64             `json:"at,omitempty"` // microseconds since the beginning
	Ring   int               `json:"ring,omitempty"`
	Made   *Made             `json:"made,omitempty"`   // a new ring, with the next number from 0
	Header *Header           `json:"header,omitempty"` // of the ring
	Slots  Slots             `json:"slots,omitempty"`  // published in the ring
	Thread *Thread           `json:"thread,omitempty"`
	Above  *Above            `json:"above,omitempty"`
	Gone   int               `json:"gone,omitempty"` // a process that has ended
	End    *End              `json:"end,omitempty"`
	Roused *Roused           `json:"roused,omitempty"`
	Stack  *Stack            `json:"stack,omitempty"`
	Failed *Failed           `json:"failed,omitempty"`
	Files  map[string]string `json:"files,omitempty"` // in the session directory, about calls outside of MPI's life
	Stop   bool              `json:"stop,omitempty"`  // the agent has asked for the end of the job
	Ended  *int              `json:"ended,omitempty"` // the job has, with this exit status
}

// Made is a ring.
type Made struct{ PID, TID, Thread int }

// Header is what changes in a ring's header besides its positions.
type Header struct {
	Returned  uint32      `json:"returned,omitempty"`
	Polls     uint64      `json:"polls,omitempty"`
	Left      uint32      `json:"left,omitempty"`
	Alarmed   uint32      `json:"alarmed,omitempty"`
	Users     []uint32    `json:"users,omitempty"`
	UsersLost uint32      `json:"users_lost,omitempty"`
	Death     *ring.Death `json:"death,omitempty"`
	Fault     *ring.Fault `json:"fault,omitempty"`
	End       []uint64    `json:"end,omitempty"`
	SaidHow   uint32      `json:"said_how,omitempty"`
	Said      []byte      `json:"said,omitempty"`
}

// Thread is what the kernel said of a thread.
type Thread struct {
	PID     int             `json:"pid"`
	TID     int             `json:"tid"`
	CPU     int64           `json:"cpu,omitempty"` // microseconds
	Asleep  bool            `json:"asleep,omitempty"`
	Sleeps  bool            `json:"sleeps,omitempty"` // until another thread of its process wakes it
	Slumber *kernel.Slumber `json:"slumber,omitempty"`
}

// Above are a process's ancestors.
type Above struct {
	PID       int   `json:"pid"`
	Ancestors []int `json:"ancestors"`
}

// End is when a process ended.
type End struct {
	PID int `json:"pid"`
	kernel.Ending
}

// Roused says whether something may wake the sleeping threads of a process.
type Roused struct {
	PID int  `json:"pid"`
	Is  bool `json:"is"`
}

// Stack is a call stack that a thread gave.
type Stack struct {
	PID, Thread int
	PCs         []uint64
}

// Failed counts the rings that could not be created.
type Failed struct{ Failed, Errno uint32 }

// Answer is what a module of the program has at a place: frames, the name of a member of a struct, or a variable of a
// process.
type Answer struct {
	Module   string           `json:"module,omitempty"`
	Offset   uint64           `json:"offset,omitempty"`
	Return   bool             `json:"return,omitempty"`
	Frames   []finding.Frame  `json:"frames,omitempty"`
	Struct   *symbol.Struct   `json:"struct,omitempty"`
	Field    string           `json:"field,omitempty"`
	PID      int              `json:"pid,omitempty"`
	At       uint64           `json:"at,omitempty"`
	Variable *symbol.Variable `json:"variable,omitempty"`
	Waits    bool             `json:"waits,omitempty"` // at At, a process's threads may order themselves

	Expression string           `json:"expression,omitempty"`
	Declared   *symbol.Declared `json:"declared,omitempty"`
}

// Slots are words of a ring: in a file in hexadecimal, between commas, nothing for 0.
type Slots []uint64

// MarshalJSON writes them.
func (s Slots) MarshalJSON() ([]byte, error) {
	b := append(make([]byte, 0, 8*len(s)), '"')
	for i, w := range s {
		if i > 0 {
			b = append(b, ',')
		}
		if w != 0 {
			b = strconv.AppendUint(b, w, 16)
		}
	}
	return append(b, '"'), nil
}

// UnmarshalJSON reads them.
func (s *Slots) UnmarshalJSON(b []byte) error {
	for word := range strings.SplitSeq(strings.Trim(string(b), `"`), ",") {
		w := uint64(0)
		if word != "" {
			var err error
			if w, err = strconv.ParseUint(word, 16, 64); err != nil {
				return err
			}
		}
		*s = append(*s, w)
	}
	return nil
}

// text is a tape as lines of JSON: its head, its events, and what the symbols of the program are.
func (t *Tape) text() ([]byte, error) {
	var b bytes.Buffer
	lines := json.NewEncoder(&b)
	lines.SetEscapeHTML(false)
	if err := lines.Encode(t.Head); err != nil {
		return nil, err
	}
	last := int64(0)
	for _, e := range t.Events {
		e.At, last = e.At-last, e.At
		if err := lines.Encode(e); err != nil {
			return nil, err
		}
	}
	for i := range t.Symbols {
		if err := lines.Encode(line{Symbol: &t.Symbols[i]}); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

// line is any but the first.
type line struct {
	*Event
	Symbol *Answer `json:"symbol,omitempty"`
}

// parse reads the text of a tape. One of another version is refused in a sentence that names both.
func parse(text []byte) (*Tape, error) {
	t, lines := new(Tape), json.NewDecoder(bytes.NewReader(text))
	if err := lines.Decode(&t.Head); err != nil {
		return nil, err
	}
	if t.Head.Tape != Version || t.Head.Ring != ring.Records {
		return nil, fmt.Errorf("version %d with rings of version %d, expected version %d with rings of version %d; "+
			"hint: make record", t.Head.Tape, t.Head.Ring, Version, ring.Records)
	}
	for at := int64(0); ; {
		l := line{Event: new(Event)}
		switch err := lines.Decode(&l); {
		case err == io.EOF:
			return t, nil
		case err != nil:
			return nil, err
		case l.Symbol != nil:
			t.Symbols = append(t.Symbols, *l.Symbol)
		default:
			at += l.At
			l.Event.At = at
			t.Events = append(t.Events, *l.Event)
		}
	}
}

// Write writes a tape to a file as it is.
func (t *Tape) Write(path string) error {
	text, err := t.text()
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o600)
}

// Read reads what Write has written.
func Read(path string) (*Tape, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	t, err := parse(text)
	if err != nil {
		return nil, fmt.Errorf("tape %s: %w", path, err)
	}
	return t, nil
}

// Exit is the exit status of the job's launcher.
func (t *Tape) Exit() int {
	for i := range t.Events {
		if exit := t.Events[i].Ended; exit != nil {
			return *exit
		}
	}
	return 0
}

// time is the moment of an event on a tape.
func (e *Event) time() time.Duration { return time.Duration(e.At) * time.Microsecond }
