package model

import (
	"fmt"
	"slices"
	"strings"
)

// Event is an access of the run-time to a variable of the protocol: a write by the thread whose trace it is in, or a
// look at the count of another one.
type Event struct {
	Write  bool
	Field  string // count, blocked, aheadTo, aheadOf, moves, want, held, valued
	Thread int    // whose variable it is
	Index  int    // of a held lock
	Value  uint8  // as the model has it; that of moves does not matter
}

func (e Event) String() string {
	if !e.Write {
		return fmt.Sprintf("looks at the count of %d", e.Thread)
	}
	return fmt.Sprintf("%s[%d][%d] = %d", e.Field, e.Thread, e.Index, e.Value)
}

// Ended is the value of blocked of a thread that has ended.
const Ended = hasEnded

// Accepts says whether some order of a program's steps makes each thread write what its trace has, in this order, and
// ends with what was reported: a report of that kind, or the ends of all threads if it is 0. Where a thread looks at
// counts of others after it has written its own, it looks at no fewer in its trace: this is what the proof of theorem
// 3.4.5 needs.
func Accepts(p Program, o Options, traces [][]Event, told ReportKind) error {
	m := newModel(p, &o)
	a := &accepting{Model: m, traces: traces, told: told, seen: make(map[accepted]struct{})}
	a.visit(accepted{})
	for len(a.todo) > 0 {
		s := a.todo[len(a.todo)-1]
		a.todo = a.todo[:len(a.todo)-1]
		if a.step(s) {
			return nil
		}
		if len(a.seen) > o.Most {
			return fmt.Errorf("more than %d states", o.Most)
		}
	}
	return a.refused()
}

// accepted is a state of the model with how far the traces have come to it.
type accepted struct {
	state
	at     [maxThreads]uint16
	looked [maxThreads]uint8 // at counts of others since the last write, a bit for each
}

type accepting struct {
	*Model
	traces [][]Event
	told   ReportKind
	seen   map[accepted]struct{}
	todo   []accepted
	best   accepted // that came farthest
}

func (a *accepting) visit(s accepted) {
	for t := range a.Model.threads {
		s.threads[t], _ = a.advance(t, s.threads[t])
	}
	if _, known := a.seen[s]; known {
		return
	}
	a.seen[s] = struct{}{}
	a.todo = append(a.todo, s)
	if sum(s.at) >= sum(a.best.at) {
		a.best = s
	}
}

func sum(at [maxThreads]uint16) (n int) {
	for _, k := range at {
		n += int(k)
	}
	return n
}

// step continues from a state; true if the run reached that end.
func (a *accepting) step(s accepted) bool {
	written, running := a.written(&s), false
	for t := range a.Model.threads {
		_, next := a.advance(t, s.threads[t])
		running = running || next.kind != none
		switch {
		case next.kind == none || !a.enabled(&s.mem, next):
		case next.kind == report:
			if written && next.told.Kind == a.told {
				return true
			}
		default:
			is := s
			if a.follows(&is, t, next) {
				v := a.apply(&is.mem, t, next)
				is.threads[t].history += string([]byte{v})
				a.visit(is)
			}
		}
	}
	return written && !running && a.told == 0
}

// written says whether all writes of the traces have been made.
func (a *accepting) written(s *accepted) bool {
	for t, trace := range a.traces {
		if slices.ContainsFunc(trace[s.at[t]:], func(e Event) bool { return e.Write }) {
			return false
		}
	}
	return true
}

// follows takes a thread's next access from its trace; false if the trace has another one.
func (a *accepting) follows(s *accepted, t int, next access) bool {
	if next.field == nil {
		return true
	}
	e, is := fieldOf(next.field)
	if !is {
		return true // not of the protocol
	}
	if next.kind != write {
		if e.Field == "count" && e.Thread != t {
			s.looked[t] |= 1 << e.Thread
		}
		return true
	}
	trace, at, looked := a.traces[t], int(s.at[t]), uint8(0)
	counted := at > 0 && trace[at-1].Field == "count"
	for ; at < len(trace) && !trace[at].Write; at++ {
		looked |= 1 << trace[at].Thread
	}
	if at == len(trace) || counted && s.looked[t]&^looked != 0 {
		return false
	}
	e.Write, e.Value = true, next.value
	if e.Field == "moves" {
		e.Value = trace[at].Value
	}
	if trace[at] != e {
		return false
	}
	s.at[t], s.looked[t] = uint16(at+1), 0
	return true
}

// fieldOf names a variable of the protocol.
func fieldOf(field func(*memory) *uint8) (e Event, is bool) {
	var m memory
	p := field(&m)
	for name, list := range map[string]*[maxThreads]uint8{"count": &m.count, "blocked": &m.blocked, "want": &m.want,
		"moves":   &m.moves,
		"aheadOf": &m.aheadOf, "aheadTo": &m.aheadTo} {
		for t := range list {
			if p == &list[t] {
				return Event{Field: name, Thread: t}, true
			}
		}
	}
	for t := range m.held {
		for i := range m.held[t] {
			if p == &m.held[t][i] {
				return Event{Field: "held", Thread: t, Index: i}, true
			}
		}
	}
	for i := range m.valued {
		if p == &m.valued[i] {
			return Event{Field: "valued"}, true
		}
	}
	return Event{}, false
}

// refused says what the traces have that the model does not.
func (a *accepting) refused() error {
	var b strings.Builder
	for t := range a.Model.threads {
		at := int(a.best.at[t])
		fmt.Fprintf(&b, "\nthread %d did", t)
		for _, e := range a.traces[t][:at] {
			fmt.Fprintf(&b, " %s,", e)
		}
		fmt.Fprintf(&b, " then %v", a.traces[t][at:min(len(a.traces[t]), at+3)])
	}
	return fmt.Errorf("no order of the program's steps makes the accesses of the run; farthest:%s", b.String())
}
