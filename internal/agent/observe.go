package agent

import (
	"time"

	"unknot/internal/agent/kernel"
	"unknot/internal/finding"
	"unknot/internal/ring"
	"unknot/internal/symbol"
)

// World is all that the agent learns of the job other than from the session directory, and all that it does to it.
// Whoever answers in the place of living processes, as a recording does, hands in another one.
type World struct {
	Processes kernel.Processes
	Symbols   Symbols
	Now       func() time.Time // nil stands for time.Now
	// Await sleeps until a probe rings the session's bell, which was seen to have been rung so often; nil if none does.
	Await func(s *ring.Session, seen uint32)
}

// Symbols finds what addresses of the program stand for.
type Symbols interface {
	Own(o symbol.Owners)
	Hold(m *symbol.Maps)
	Frames(m *symbol.Maps, pc uint64, isReturn bool) []finding.Frame
	Field(m *symbol.Maps, pc uint64, s symbol.Struct) string
	Declared(m *symbol.Maps, pc uint64, expression string) (symbol.Declared, bool)
	Data(m *symbol.Maps) Variables
	// Suspended is the call stack of a thread that waits in the kernel at that instruction, with that stack pointer: it
	// is read from outside.
	Suspended(m *symbol.Maps, pc, sp uint64) []uint64
	// Script is the call stack of a thread in Python, which is read from outside, too.
	Script(m *symbol.Maps, tid int) []finding.Frame
	Close()
}

// Variables are those of one process that have a fixed place.
type Variables interface {
	Variable(at uint64) (symbol.Variable, bool)
}

// Living is the world as it is.
func Living() World {
	return World{Processes: kernel.Living(), Symbols: files{symbol.New()}, Await: (*ring.Session).AwaitBell}
}

// files reads the symbols of the files that are mapped.
type files struct{ *symbol.Resolver }

func (f files) Data(m *symbol.Maps) Variables { return f.Resolver.Data(m) }
