package tape

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"unknot/internal/agent/kernel"
	"unknot/internal/agent/place"
	"unknot/internal/kit/procstat"
	"unknot/internal/kit/symbol"
	"unknot/internal/vocab/finding"
)

// at is the question about the code at an address.
func at(m *symbol.Maps, pc uint64, isReturn bool) question {
	module, offset := m.Locate(pc)
	if module == "" {
		offset = pc
	}
	return question{module: module, offset: offset, back: isReturn}
}

// structure names a struct by what is known of it.
func structure(s symbol.Struct) string { return fmt.Sprint(s.Size, s.Displacements, s.Sizes, s.Offset) }

// recordedSymbols answers from a tape.
type recordedSymbols struct {
	answers map[question]Answer
	owners  symbol.Owners // of tapes that do not say whose code is
	// there is the project's directory in which the tape was taken, here that in which it is played.
	there, here string

	mu      sync.Mutex
	missing map[question]bool // asked, but not on the tape
}

func newSymbols(list []Answer) *recordedSymbols {
	s := &recordedSymbols{answers: make(map[question]Answer), missing: make(map[question]bool)}
	for _, a := range list {
		q := question{module: a.Module, offset: a.Offset, back: a.Return}
		switch {
		case a.Struct != nil:
			q.what = structure(*a.Struct)
		case a.Declared != nil:
			q.what = a.Expression
		case a.Waits:
			q = question{pid: a.PID, what: waits}
		case a.Variable != nil:
			q = question{pid: a.PID, offset: a.At}
		}
		s.answers[q] = a
	}
	return s
}

func (s *recordedSymbols) Own(symbol.Owners) {}

func (s *recordedSymbols) Hold(*symbol.Maps) {}

// Waits is true only of what a tape says it of.
func (s *recordedSymbols) Waits(m *symbol.Maps) (at uint64, some bool) {
	a, some := s.answers[question{pid: m.PID(), what: waits}]
	return a.At, some
}

// Suspended and Script are not recorded, as what a process is doing is not.
func (s *recordedSymbols) Suspended(*symbol.Maps, uint64, uint64) []uint64 { return nil }

func (s *recordedSymbols) Script(*symbol.Maps, int) []finding.Frame { return nil }

func (s *recordedSymbols) Source(file string) string {
	if below, is := strings.CutPrefix(file, s.there+"/"); is && s.there != "" {
		return filepath.Join(s.here, below)
	}
	return file
}

func (s *recordedSymbols) Close() {}

// ask gives the answer on the tape, and notes that there is none.
func (s *recordedSymbols) ask(q question) Answer {
	a, ok := s.answers[q]
	if !ok {
		s.mu.Lock()
		s.missing[q] = true
		s.mu.Unlock()
	}
	return a
}

func (s *recordedSymbols) Frames(m *symbol.Maps, pc uint64, isReturn bool) []finding.Frame {
	q := at(m, pc, isReturn)
	if a := s.ask(q); len(a.Frames) > 0 {
		frames := slices.Clone(a.Frames)
		for i := range frames {
			frames[i].Library = cmp.Or(frames[i].Library, s.owners.LibraryOf(cmp.Or(frames[i].File, frames[i].Module)))
		}
		return frames
	}
	return []finding.Frame{{Module: q.module, Offset: q.offset}}
}

func (s *recordedSymbols) Field(m *symbol.Maps, pc uint64, t symbol.Struct) string {
	q := at(m, pc, true)
	q.what = structure(t)
	return s.ask(q).Field
}

// Declared is false also of what was asked of no tape, as what is not known is not kept.
func (s *recordedSymbols) Declared(m *symbol.Maps, pc uint64, expression string) (symbol.Declared, bool) {
	q := at(m, pc, true)
	q.what = expression
	a := s.answers[q]
	if a.Declared == nil {
		return symbol.Declared{}, false
	}
	return *a.Declared, true
}

func (s *recordedSymbols) Data(m *symbol.Maps) place.Variables {
	return recordedVariables{s, m.PID()}
}

// recordedVariables are those of a process.
type recordedVariables struct {
	*recordedSymbols
	pid int
}

func (v recordedVariables) Variable(at uint64) (symbol.Variable, bool) {
	a := v.answers[question{pid: v.pid, offset: at}]
	if a.Variable == nil {
		return symbol.Variable{}, false
	}
	return *a.Variable, true
}

// recordedProcesses answers from what is on the tape up to now.
type recordedProcesses struct {
	begin time.Time
	clock uint64
	above map[int][]int

	mu      sync.Mutex
	threads map[[2]int][]sample
	roused  map[int]bool
	stacks  map[[2]int][]uint64
	gone    map[int]bool
	ends    map[int]kernel.Ending
}

// sample is what the kernel said of a thread at a moment.
type sample struct {
	at time.Duration
	Thread
}

func newProcesses(t *Tape) *recordedProcesses {
	p := &recordedProcesses{begin: time.Now(), clock: t.Head.Clock, above: make(map[int][]int),
		threads: make(map[[2]int][]sample), roused: make(map[int]bool),
		stacks: make(map[[2]int][]uint64), gone: make(map[int]bool), ends: make(map[int]kernel.Ending)}
	for i := range t.Events {
		e := &t.Events[i]
		switch {
		case e.Above != nil:
			p.above[e.Above.PID] = e.Above.Ancestors
		case e.Stack != nil:
			p.stacks[[2]int{e.Stack.PID, e.Stack.Thread}] = e.Stack.PCs
		case e.Thread != nil:
			id := [2]int{e.Thread.PID, e.Thread.TID}
			p.threads[id] = append(p.threads[id], sample{e.time(), *e.Thread})
		case e.Roused != nil:
			if _, known := p.roused[e.Roused.PID]; !known {
				p.roused[e.Roused.PID] = e.Roused.Is
			}
		}
	}
	return p
}

// take takes in what happens now.
func (p *recordedProcesses) take(e *Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case e.Roused != nil:
		p.roused[e.Roused.PID] = e.Roused.Is
	case e.Gone != 0:
		p.gone[e.Gone] = true
	case e.End != nil:
		p.ends[e.End.PID] = e.End.Ending
	}
}

func (p *recordedProcesses) Above(pid int) []int { return p.above[pid] }

func (p *recordedProcesses) Gone(pid int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.gone[pid]
}

func (p *recordedProcesses) Watch(int) {}

func (p *recordedProcesses) Collect() {}

func (p *recordedProcesses) End(pid int) (kernel.Ending, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	e, ok := p.ends[pid]
	return e, ok
}

func (p *recordedProcesses) Clock() uint64 { return p.clock + uint64(time.Since(p.begin)) }

// samples are what was said of a thread, how many of these were said before now, and the moment that it is.
func (p *recordedProcesses) samples(pid, tid int) (list []sample, before int, now time.Duration) {
	list, now = p.threads[[2]int{pid, tid}], time.Since(p.begin)
	before, _ = slices.BinarySearchFunc(list, now, func(s sample, at time.Duration) int { return int(s.at - at) })
	return list, before, now
}

// Time is between what was said before and after now. A thread continues as it did at last.
func (p *recordedProcesses) Time(pid, tid int) (time.Duration, bool) {
	list, i, now := p.samples(pid, tid)
	if len(list) == 0 {
		return 0, true
	}
	last := &list[max(i-1, 0)]
	if len(list) == 1 {
		return time.Duration(last.CPU) * time.Microsecond, last.Asleep
	}
	k := min(max(i, 1), len(list)-1)
	a, b := &list[k-1], &list[k]
	if b.CPU < a.CPU {
		return time.Duration(last.CPU) * time.Microsecond, last.Asleep
	}
	slope := float64(b.CPU-a.CPU) / float64(max(b.at-a.at, 1))
	cpu := float64(a.CPU) + slope*float64(now-a.at)
	return time.Duration(max(cpu, 0) * float64(time.Microsecond)), last.Asleep
}

func (p *recordedProcesses) Sleep(pid, tid int) (kernel.Slumber, bool) {
	list, i, _ := p.samples(pid, tid)
	if len(list) == 0 {
		return kernel.Slumber{}, true // gone
	}
	s := &list[max(i-1, 0)]
	if s.Slumber == nil {
		return kernel.Slumber{}, s.Sleeps
	}
	return *s.Slumber, s.Sleeps
}

func (p *recordedProcesses) Roused(pid int, _ map[int]bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	is, known := p.roused[pid]
	return is || !known
}

// Doing is not recorded: no tape is of a job that is looked at while nothing is wrong.
func (p *recordedProcesses) Doing(int, int) procstat.Activity { return procstat.Activity{} }

func (p *recordedProcesses) Environment(int) []string { return nil }

var errNoStack = errors.New("the tape has no call stack of this thread")

func (p *recordedProcesses) AskStack(r kernel.Stacks, _ int) error {
	if p.stacks[[2]int{r.Of().PID, r.Of().Thread}] == nil {
		return errNoStack
	}
	return nil
}

// LockedOut is not recorded.
func (p *recordedProcesses) LockedOut(kernel.Stacks, int, int, time.Time) []uint64 { return nil }

func (p *recordedProcesses) Stack(r kernel.Stacks, _ time.Time) ([]uint64, error) {
	return p.stacks[[2]int{r.Of().PID, r.Of().Thread}], nil
}

func (p *recordedProcesses) Halt(int) {}
