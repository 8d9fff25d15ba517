// Package callsite finds out what a call was given, from outside of the process that is in it: the instructions before
// the call say where each argument came from, and the registers that a function must preserve, constants and the memory
// that nothing has changed since are still there. What cannot be had so is not known: nothing here is a guess.
//
// A function is read as a graph of its instructions (flow.go), and a value is followed backwards over all paths that
// lead to the call (value.go). Where paths bring several values, the conditions of their branches are evaluated, and
// what they exclude does not count (flags.go). An argument that the function itself was given is looked for at its own
// caller. One that is nowhere in the functions above may have been kept by the function that was called (kept.go).
//
// The processor is that of AMD64 (System V Application Binary Interface, 3.2.3: six arguments in registers, others on
// the stack).
//
// What is assumed:
//   - The program keeps to the ABI: functions preserve registers, and nobody stores below the stack pointer.
//   - No part of the function is entered but by the jumps that are seen, by those through tables of its module, and by
//     exceptions, whose targets no jump leads to.
//   - The call itself changes none of the memory that it was given its arguments from, but what its caller says
//     (Site.Written): the buffers of a receive.
//   - Memory outside of the function's own frame that may be written is as it was when the call began. Another thread,
//     or another process by one-sided communication, could have changed it since: Value.Shared says so.
//   - An MPI library that has stored a peer or a tag in one of its structures, such as a request, does not change it
//     there before the call returns (Site.Keeps).
package callsite

import (
	"io"

	"golang.org/x/arch/x86/x86asm"

	"unknot/internal/kit/amd64"
	"unknot/internal/kit/symbol"
)

// Value is an integer or an address that a call was given.
type Value struct {
	Bits  uint64
	Known bool
	// Shared says that it was read from memory, outside of the function's own frame, that others may write while the
	// call is in progress.
	Shared bool
}

// Int is the value as the int of C.
func (v Value) Int() (int, bool) { return int(int32(v.Bits)), v.Known }

// Part is some code of a function: compilers put what is seldom run elsewhere.
type Part struct {
	From uint64
	Code []byte
}

// Range is some memory.
type Range struct{ From, To uint64 }

// Site is a call that has not returned.
type Site struct {
	Parts  []Part // of the function that calls, the one with the call first
	Return uint64 // the instruction to which the call returns
	SP     uint64 // the stack pointer when it has
	Frame  uint64 // where the function's part of the stack ends: the stack pointer when it has returned; 0 if not known
	// Register is what a register holds when the call returns, by its DWARF number, if the function that was called must
	// preserve it.
	Register func(number uint64) (uint64, bool)
	Memory   io.ReaderAt // of the process
	// Fixed says whether memory is such that nobody can write.
	Fixed   func(at, size uint64) bool
	Written []Range // what the call may write before it returns
	// Keeps says that the function is one of a library that leaves what it has put aside of its arguments as it is, also
	// in memory that others know.
	Keeps bool
	Begin uint64 // of the function's code
	// Declared are the values that the call passes by the debug information; nil if that is not asked.
	Declared func() []symbol.Passed
	// Code is the code of the process around an address, a function or a part of one; nil if no other function is read.
	Code func(at uint64) (Part, bool)
	// Caller is the call of the function itself, Callee the one that the function that was called is in; nil if there
	// is none. They are asked when they are needed.
	Caller, Callee func() *Site

	flow   *flow
	failed bool
}

// read reads the function's code; false if an instruction of it is not known, or it jumps to where cannot be said.
func (s *Site) read() bool {
	if s.flow == nil && !s.failed {
		s.flow = newFlow(s)
		s.failed = s.flow == nil
	}
	return !s.failed
}

// Arguments are the first n integers and addresses that a function was given whose code begins at an address. If the
// call is of another one, that has called it as the last thing, and left no trace on the stack. Then only what the
// function itself has put aside is known.
func (s *Site) Arguments(n int, function uint64) []Value {
	values := make([]Value, n)
	if s == nil {
		return values
	}
	direct, read := s.calls(function), s.read()
	for i := range values {
		register := i < len(inRegisters)
		if direct && read {
			values[i] = s.argument(i, false)
		}
		if !values[i].Known {
			values[i] = s.kept(i, direct)
		}
		if direct && read && !values[i].Known && register {
			values[i] = s.argument(i, true)
		}
		if direct && !values[i].Known && register {
			values[i].Bits, values[i].Known = s.declared(inRegisters[i], mostEntered)
		}
	}
	return values
}

// argument is what the function has put where an argument belongs.
func (s *Site) argument(i int, thorough bool) (v Value) {
	if i >= len(inRegisters) {
		v.Bits, v.Known = s.evaluation(&v).stored(s.SP + 8*uint64(i-len(inRegisters)))
		return v
	}
	for _, bytes := range []int{8, 4} { // an int, of which the rest may be undefined
		v = Value{}
		e := s.evaluation(&v)
		e.thorough = thorough
		if v.Bits, v.Known = e.register(s.flow.call, inRegisters[i], bytes, newSet(len(s.flow.code))); v.Known {
			return v
		}
	}
	return Value{}
}

// evaluation is one for an argument.
func (s *Site) evaluation(v *Value) *evaluation {
	e := &evaluation{Site: s, budget: new(int), shared: &v.Shared, written: s.Written}
	*e.budget = most
	return e
}

// At is the value that memory has, where an argument points to; not known if that is not, or if the memory may have
// been written since the call began.
func (s *Site) At(address Value, size int) (v Value) {
	if !address.Known {
		return v
	}
	v.Shared = address.Shared
	e := s.evaluation(&v)
	if e.unchanged(address.Bits, uint64(size), nil) {
		v.Bits, v.Known = s.load(address.Bits, size)
	}
	return v
}

// Target is the function that is called; false if that cannot be said.
func (s *Site) Target() (uint64, bool) {
	if s == nil || !s.read() {
		return 0, false
	}
	at, ok := s.named()
	if !ok {
		return 0, false
	}
	if to, linked := s.linked(at); linked {
		return to, true
	}
	return at, true
}

// calls says whether the call is one of the function whose code begins at an address.
func (s *Site) calls(function uint64) bool {
	if s.read() {
		at, ok := s.Target()
		return ok && at == function
	}
	// The function that calls cannot be read, but its instruction can: that it has the address is no accident.
	code := make([]byte, 5) // call, with the distance to the function
	if _, err := s.Memory.ReadAt(code, int64(s.Return)-int64(len(code))); err != nil {
		return false
	}
	in, err := amd64.DecodeOne(code)
	if err != nil || in.Op != x86asm.CALL {
		return false
	}
	in.Where = s.Return - uint64(len(code))
	at, ok := in.Target()
	if to, linked := s.linked(at); linked {
		at = to
	}
	return ok && in.Len == len(code) && at == function
}

// named is what the instruction calls.
func (s *Site) named() (uint64, bool) {
	in := &s.flow.code[s.flow.call]
	switch to := in.Args[0].(type) {
	case x86asm.Rel:
		return in.Where + uint64(in.Len) + uint64(int64(to)), true
	case x86asm.Mem:
		if to.Base == x86asm.RIP && to.Index == 0 && to.Segment == 0 {
			return s.word(in.Where + uint64(in.Len) + uint64(to.Disp))
		}
	}
	e := &evaluation{Site: s, budget: new(int), shared: new(bool)}
	*e.budget = most
	return e.operand(s.flow.call, in.Args[0], 8, newSet(len(s.flow.code)))
}

// linked is where code of the linker leads: a jump through the table of linked functions.
func (s *Site) linked(at uint64) (uint64, bool) {
	code := make([]byte, 16)
	if _, err := s.Memory.ReadAt(code, int64(at)); err != nil {
		return 0, false
	}
	if word := amd64.Through(code, at); word != 0 {
		return s.word(word)
	}
	return 0, false
}
