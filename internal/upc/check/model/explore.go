package model

import (
	"fmt"
	"hash/maphash"
	"slices"
)

// Model is a program with the checker around it.
type Model struct {
	program    Program
	operations [][]operation
	threads    int
	slots      uint8
	mostHeld   int
	mutation   string
	// What is never looked at in this program: values of barriers, what threads are blocked at (except for values), who
	// is far ahead.
	noValues, nobodyLooks, limited bool

	known map[position]access
	after map[position]thread
}

// Result is what all orders of a program's steps have come to.
type Result struct {
	States int
	// Reports counts the states in which something is reported; Silent the ends of executions without a report.
	Reports map[ReportKind]int
	Silent  int
	// Problems are reports that are not true, errors that are not reported, and slots that are written too early; at
	// most ten.
	Problems []string
}

// Options are the sizes of a model.
type Options struct {
	// Slots is the length of a thread's ring of records; 0 stands for 4.
	Slots int
	// Mutation makes a mistake in the protocol, which the explorer has to find; it stops at the first problem then.
	Mutation string
	// Most is a limit of states; 0 stands for four millions.
	Most int
}

// state is a moment of an execution.
type state struct {
	mem     memory
	threads [maxThreads]thread
}

// Explore runs a program through all orders of its steps.
func Explore(p Program, o Options) Result {
	m := newModel(p, &o)
	r := Result{Reports: map[ReportKind]int{}}
	e := explorer{Model: m, result: &r, seen: map[[2]uint64]struct{}{}, seeds: [2]maphash.Seed{maphash.MakeSeed(),
		maphash.MakeSeed()}}
	e.visit(state{})
	for len(e.todo) > 0 && (o.Mutation == "" || len(r.Problems) == 0) {
		if len(e.seen) > o.Most {
			e.problem("more than %d states", o.Most)
			break
		}
		s := e.todo[len(e.todo)-1]
		e.todo = e.todo[:len(e.todo)-1]
		e.step(s)
	}
	r.States = len(e.seen)
	return r
}

// newModel is a program with the checker around it; sizes that the options leave open are set.
func newModel(p Program, o *Options) *Model {
	if o.Slots == 0 {
		o.Slots = 4
	}
	if o.Most == 0 {
		o.Most = 4_000_000
	}
	m := &Model{threads: len(p), slots: uint8(o.Slots), mutation: o.Mutation, known: map[position]access{},
		after: map[position]thread{}}
	for _, actions := range p {
		actions = append(slices.Clone(actions), Action{Kind: end})
		m.program = append(m.program, actions)
		m.operations = append(m.operations, operations(actions))
		m.mostHeld = max(m.mostHeld, mostHeld(actions))
	}
	m.look()
	return m
}

// look finds out what the steps of this program have nothing to do with.
func (m *Model) look() {
	m.noValues, m.nobodyLooks = true, m.mostHeld == 0
	for _, ops := range m.operations {
		m.limited = m.limited || len(ops)+1 > int(m.slots)
		for _, o := range ops {
			m.noValues = m.noValues && !o.Has
		}
	}
	m.nobodyLooks = m.nobodyLooks && !m.limited
}

func mostHeld(actions []Action) int {
	held, most := 0, 0
	for _, a := range actions {
		switch a.Kind {
		case Lock, Attempt:
			held++
		case Unlock:
			held--
		}
		most = max(most, held)
	}
	return min(most, maxHeld)
}

type explorer struct {
	*Model
	result *Result
	seen   map[[2]uint64]struct{} // of the states, which are not compared themselves
	seeds  [2]maphash.Seed
	todo   []state
}

func (e *explorer) problem(format string, args ...any) {
	if len(e.result.Problems) < 10 {
		e.result.Problems = append(e.result.Problems, fmt.Sprintf(format, args...))
	}
}

// visit adds a state, with all threads brought to their next accesses.
func (e *explorer) visit(s state) {
	for t := range e.Model.threads {
		s.threads[t], _ = e.advance(t, s.threads[t])
	}
	key := [2]uint64{maphash.Comparable(e.seeds[0], s), maphash.Comparable(e.seeds[1], s)}
	if _, ok := e.seen[key]; ok {
		return
	}
	e.seen[key] = struct{}{}
	e.todo = append(e.todo, s)
}

func (e *explorer) step(s state) {
	moved := false
	only := e.alone1(&s)
	for t := range e.Model.threads {
		_, a := e.advance(t, s.threads[t])
		if a.kind == none || !e.enabled(&s.mem, a) || (only >= 0 && t != only) {
			continue
		}
		moved = true
		if a.kind == report {
			e.result.Reports[a.told.Kind]++
			if !e.isTrue(&s, a.told) {
				e.problem("thread %d tells what is not so: %+v in %+v", t, a.told, s.mem)
			}
			continue
		}
		if a.isRecord && a.number >= e.slots {
			for _, pair := range e.pairs(t) {
				if s.mem.compared[pair]&(1<<(a.number-e.slots)) == 0 {
					e.problem("thread %d overwrites its record %d, which has not been compared", t, a.number-e.slots)
				}
			}
		}
		next := s
		v := e.apply(&next.mem, t, a)
		next.threads[t].history += string([]byte{v})
		e.visit(next)
	}
	if !moved {
		e.terminal(&s)
	}
}

// alone1 is a thread whose next step need not be tried in other orders, or -1.
func (e *explorer) alone1(s *state) int {
	for t := range e.Model.threads {
		if _, a := e.advance(t, s.threads[t]); a.kind != none && e.enabled(&s.mem, a) && e.alone(&s.mem, a) {
			return t
		}
	}
	return -1
}

// pairs are those that a thread belongs to, each listed by its first thread.
func (e *explorer) pairs(t int) []int {
	if e.Model.threads == 2 {
		return []int{0}
	}
	return []int{t, (t + e.Model.threads - 1) % e.Model.threads}
}

// terminal is the end of an execution without a report.
func (e *explorer) terminal(s *state) {
	e.result.Silent++
	for t := range e.Model.threads {
		if !e.hasEnded(s, t) {
			e.problem("thread %d never gets on, and nothing is told: %+v", t, s.mem)
			return
		}
	}
	for n := range e.operations[0] {
		if e.mismatch(uint8(n)) || e.valueProblem(uint8(n)) {
			e.problem("a mismatch of operation %d is not told", n)
		}
		for t := range e.Model.threads {
			if e.Model.threads == 1 || (e.Model.threads == 2 && t == 1) {
				continue
			}
			if s.mem.compared[t]&(1<<n) == 0 {
				e.problem("operation %d of threads %d and %d was never compared", n, t, (t+1)%e.Model.threads)
			}
		}
	}
}
