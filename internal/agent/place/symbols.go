package place

import (
	"unknot/internal/kit/symbol"
	"unknot/internal/vocab/finding"
)

// Symbols finds what addresses of the program stand for.
type Symbols interface {
	Own(o symbol.Owners)
	Hold(m *symbol.Maps)
	Frames(m *symbol.Maps, pc uint64, isReturn bool) []finding.Frame
	Field(m *symbol.Maps, pc uint64, s symbol.Struct) string
	Declared(m *symbol.Maps, pc uint64, expression string) (symbol.Declared, bool)
	Data(m *symbol.Maps) Variables
	// Waits is code of the program by which its threads may order themselves without calling a function for it; 0 if
	// only that there is such code is known.
	Waits(m *symbol.Maps) (at uint64, some bool)
	// Suspended is the call stack of a thread that waits in the kernel at that instruction, with that stack pointer: it
	// is read from outside.
	Suspended(m *symbol.Maps, pc, sp uint64) []uint64
	// Script is the call stack of a thread in Python, which is read from outside, too.
	Script(m *symbol.Maps, tid int) []finding.Frame
	// Source is where the file of a script is that a process names.
	Source(file string) string
	Close()
}

// Variables are those of one process that have a fixed place.
type Variables interface {
	Variable(at uint64) (symbol.Variable, bool)
}
