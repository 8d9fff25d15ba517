package callsite

import (
	"golang.org/x/arch/x86/x86asm"

	"unknot/internal/kit/amd64"
)

// kept is an argument that the function above on the stack has put aside at its beginning, and still has. direct says
// that the call is of that function.
func (s *Site) kept(i int, direct bool) (v Value) {
	if i < len(inRegisters) {
		v.Bits, v.Known = s.keptRegister(inRegisters[i], mostPassed, direct)
		return v
	}
	in := s.above(direct)
	if in == nil {
		return v
	}
	e := &evaluation{Site: in, budget: new(int), shared: new(bool)}
	*e.budget = most
	at := s.SP + 8*uint64(i-len(inRegisters))
	if e.untouched(0, at, 8, s.SP) {
		v.Bits, v.Known = s.word(at)
	}
	return v
}

// mostPassed is how often an argument may be passed on to another function.
const mostPassed = 4

// above is the call that the function above on the stack is in; nil if that cannot be said, or the call has to be of
// that function and is not.
func (s *Site) above(direct bool) *Site {
	if s.Callee == nil {
		return nil
	}
	in := s.Callee()
	if in == nil || !in.read() || len(in.flow.before[0]) > 0 || direct && !s.calls(in.flow.code[0].Where) {
		return nil
	}
	return in
}

// keptRegister is what a register held when the function that was called began, which that function has put aside, or
// one to which it has passed that on.
func (s *Site) keptRegister(register uint64, times int, direct bool) (uint64, bool) {
	in := s.above(direct)
	if in == nil || times == 0 {
		return 0, false
	}
	e := &evaluation{Site: in, budget: new(int), shared: new(bool)}
	*e.budget = most
	if v, ok := e.copied(register, 4); ok {
		return v, true
	}
	for _, to := range inRegisters {
		o := origin{e, register, 8, make(map[[2]uint64]bool)}
		if !o.is(in.flow.call, to) {
			continue
		}
		if v, ok := in.keptRegister(to, times-1, true); ok {
			return v & (^uint64(0) >> (64 - 8*o.bytes)), true
		}
	}
	return 0, false
}

// copied is what a register held when the function began, so many bytes of it at least, from where the function has
// copied it on every path to its call.
func (e *evaluation) copied(register uint64, bytes int) (uint64, bool) {
	f := e.flow
	for k := range f.code {
		from, is := f.code[k].Args[1].(x86asm.Reg)
		if !is || f.code[k].Op != x86asm.MOV || !f.leads.has(k) {
			continue
		}
		n, size, ok := amd64.Number(from)
		if !ok || n != register || size < 4 {
			continue
		}
		o := origin{e, register, size, make(map[[2]uint64]bool)}
		if !o.is(k, register) || o.bytes < bytes || !e.always(k) {
			continue
		}
		if v, ok := e.copy(k, o.bytes); ok {
			return v, true
		}
	}
	return 0, false
}

// always says whether every path to the call has an instruction.
func (e *evaluation) always(k int) bool {
	f := e.flow
	if k == 0 {
		return true
	}
	others := newSet(len(f.code))
	for i := range f.code {
		if i != k {
			others.add(i)
		}
	}
	return !f.reach(0, f.after, others).has(f.call)
}

// copy is what an instruction has copied, if that is still where it was copied to.
func (e *evaluation) copy(k, size int) (v uint64, ok bool) {
	f := e.flow
	after := newSet(len(f.code))
	for _, n := range f.reach(k, f.after, nil).both(f.leads) {
		after.add(n)
	}
	switch to := f.code[k].Args[0].(type) {
	case x86asm.Reg:
		n, _, _ := amd64.Number(to)
		if !preserved(n) || after.meets(f.changes(n)) {
			return 0, false
		}
		v, ok = e.Register(n)
	case x86asm.Mem:
		at, known := e.address(k, to, after)
		switch {
		case !known:
			return 0, false
		case e.Keeps && (at < e.SP || at >= e.Frame):
			if e.overwritten(k, at, uint64(size), after) {
				return 0, false
			}
		case at < e.SP || !e.untouched(k, at, uint64(size), at-nearby):
			return 0, false
		}
		v, ok = e.load(at, size)
	}
	if size == 4 {
		v = uint64(uint32(v))
	}
	return v, ok
}

// overwritten says whether the function itself stores something else where an instruction has stored.
func (e *evaluation) overwritten(k int, at, size uint64, after set) bool {
	for _, i := range after.both(e.flow.stores) {
		if e.flow.code[i].Op == x86asm.CALL || i == k {
			continue
		}
		if to, bytes, known := e.store(i, after); known && to < at+size && at < to+bytes {
			return true
		}
	}
	return false
}

// nearby is how far before a variable something may begin that the variable is part of.
const nearby = 512

// untouched says whether a place on the stack is as it was at an instruction, or at the function's beginning: the
// function stores nothing there, and nobody else knows the place, as the address of nothing from an address to it is
// taken.
func (e *evaluation) untouched(since int, at, size, from uint64) bool {
	f := e.flow
	all := f.reach(since, f.after, nil)
	if e.escapes(at, size, from) {
		return false
	}
	for i := range f.code {
		in := &f.code[i]
		if i == since || !f.stores.has(i) || !all.has(i) || !f.leads.has(i) {
			continue
		}
		m, is := in.Args[0].(x86asm.Mem)
		if is && !f.ofStack(m) || in.Op == x86asm.CALL {
			continue // nobody knows the place
		}
		if in.Vector && !is {
			return false
		}
		if to, bytes, known := e.store(i, f.leads); !known || to < at+size && at < to+bytes {
			return false
		}
	}
	return true
}

// escapes says whether somebody else may know a place on the stack: the address of something from an address to it is
// taken.
func (e *evaluation) escapes(at, size, from uint64) bool {
	f := e.flow
	for i := range f.code {
		in := &f.code[i]
		if m, is := in.Args[1].(x86asm.Mem); is && in.Op == x86asm.LEA && f.ofStack(m) && !f.setsFrame(in) && f.leads.has(i) {
			if place, ok := e.address(i, m, f.leads); !ok || place >= from && place < at+size {
				return true
			}
		}
		if r, is := in.Args[1].(x86asm.Reg); is && in.Op == x86asm.MOV && !f.setsFrame(in) && in.Args[0] != x86asm.RSP &&
			(r == x86asm.RSP || f.framed && r == x86asm.RBP) {
			return true
		}
	}
	return false
}

// hasFrame says whether rbp is the pointer of the function's frame, and nothing else.
func (f *flow) hasFrame() bool {
	sets, others := false, false
	for i := range f.code {
		in := &f.code[i]
		switch in.Op {
		case x86asm.POP, x86asm.LEAVE, x86asm.RET, x86asm.UD2, x86asm.HLT: // it is given back, or no longer needed
			continue
		}
		if setsFrame(in) {
			sets = true
		} else if effectOn(in, framePointer) != none {
			others = true
		}
	}
	return sets && !others
}

// ofStack says whether memory is named from the stack pointer or the frame's.
func (f *flow) ofStack(m x86asm.Mem) bool {
	return m.Base == x86asm.RSP || (m.Base == x86asm.RBP || m.Index == x86asm.RBP) && f.framed
}

// setsFrame says whether an instruction makes rbp the pointer of the function's frame, as far as it has one.
func (f *flow) setsFrame(in *instruction) bool { return f.framed && setsFrame(in) }

func setsFrame(in *instruction) bool {
	m, _ := in.Args[1].(x86asm.Mem)
	return in.Args[0] == x86asm.RBP && (in.Op == x86asm.MOV && in.Args[1] == x86asm.RSP ||
		in.Op == x86asm.LEA && m.Base == x86asm.RSP)
}
