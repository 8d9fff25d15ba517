package tape

import (
	"slices"
	"sync"
	"time"

	"unknot/internal/agent"
	"unknot/internal/agent/kernel"
	"unknot/internal/agent/place"
	"unknot/internal/kit/symbol"
	"unknot/internal/vocab/finding"
)

// witness is a world that notes what it answers.
type witness struct {
	kernel.Processes
	symbols place.Symbols
	note    func(...Event)

	mu      sync.Mutex
	maps    map[int]*symbol.Maps // the last of each process
	answers map[question]Answer
}

// question is what is asked of symbols: by module and place, which all processes share, or by process and address.
type question struct {
	module string
	offset uint64
	back   bool
	pid    int
	what   string // the struct that is asked about
}

// waits is the question for code by which a program's threads may order themselves.
const waits = "waits"

func newWitness(w agent.World, note func(...Event)) *witness {
	return &witness{Processes: w.Processes, symbols: w.Symbols, note: note, maps: make(map[int]*symbol.Maps),
		answers: make(map[question]Answer)}
}

func (w *witness) Above(pid int) []int {
	list := w.Processes.Above(pid)
	w.note(Event{Above: &Above{pid, list}})
	return list
}

func (w *witness) Roused(pid int, known map[int]bool) bool {
	is := w.Processes.Roused(pid, known)
	w.note(Event{Roused: &Roused{pid, is}})
	return is
}

func (w *witness) Stack(r kernel.Stacks, end time.Time) ([]uint64, error) {
	pcs, err := w.Processes.Stack(r, end)
	if err == nil {
		w.note(Event{Stack: &Stack{r.Of().PID, r.Of().Thread, pcs}})
	}
	return pcs, err
}

// keep keeps an answer.
func (w *witness) keep(q question, a Answer) {
	w.mu.Lock()
	defer w.mu.Unlock()
	a.Module, a.Offset, a.Return, a.PID = q.module, q.offset, q.back, q.pid
	w.answers[q] = a
}

// symbolWitness notes what a Symbols answers.
type symbolWitness struct {
	*witness
}

func (w symbolWitness) Own(o symbol.Owners) { w.symbols.Own(o) }

func (w symbolWitness) Hold(m *symbol.Maps) {
	w.mu.Lock()
	w.maps[m.PID()] = m
	w.mu.Unlock()
	w.symbols.Hold(m)
}

func (w symbolWitness) Waits(m *symbol.Maps) (at uint64, some bool) {
	if at, some = w.symbols.Waits(m); some {
		w.keep(question{pid: m.PID(), what: waits}, Answer{PID: m.PID(), At: at, Waits: true})
	}
	return at, some
}

func (w symbolWitness) Suspended(m *symbol.Maps, pc, sp uint64) []uint64 {
	return w.symbols.Suspended(m, pc, sp)
}

func (w symbolWitness) Script(m *symbol.Maps, tid int) []finding.Frame {
	return w.symbols.Script(m, tid)
}

func (w symbolWitness) Source(file string) string { return w.symbols.Source(file) }

func (w symbolWitness) Close() { w.symbols.Close() }

func (w symbolWitness) Frames(m *symbol.Maps, pc uint64, isReturn bool) []finding.Frame {
	frames := w.symbols.Frames(m, pc, isReturn)
	w.keep(at(m, pc, isReturn), Answer{Frames: slices.Clone(frames)})
	return frames
}

func (w symbolWitness) Field(m *symbol.Maps, pc uint64, s symbol.Struct) string {
	name := w.symbols.Field(m, pc, s)
	q := at(m, pc, true)
	q.what = structure(s)
	w.keep(q, Answer{Struct: &s, Field: name})
	return name
}

func (w symbolWitness) Declared(m *symbol.Maps, pc uint64, expression string) (symbol.Declared, bool) {
	v, ok := w.symbols.Declared(m, pc, expression)
	if ok {
		q := at(m, pc, true)
		q.what = expression
		w.keep(q, Answer{Expression: expression, Declared: &v})
	}
	return v, ok
}

func (w symbolWitness) Data(m *symbol.Maps) place.Variables {
	return variableWitness{w.witness, m.PID(), w.symbols.Data(m)}
}

// variableWitness notes which variables a process has.
type variableWitness struct {
	*witness
	pid  int
	from place.Variables
}

func (w variableWitness) Variable(at uint64) (symbol.Variable, bool) {
	v, ok := w.from.Variable(at)
	if ok {
		w.mu.Lock()
		w.answers[question{pid: w.pid, offset: at}] = Answer{PID: w.pid, At: at, Variable: &v}
		w.mu.Unlock()
	}
	return v, ok
}
