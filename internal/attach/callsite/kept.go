package callsite

import (
	"slices"

	"golang.org/x/arch/x86/x86asm"
)

// kept is an argument that the function that was called has put aside at its beginning, and still has.
func (s *Site) kept(i int) (v Value) {
	if s.Callee == nil {
		return v
	}
	in := s.Callee()
	if in == nil || !in.read() || len(in.flow.before[0]) > 0 || !s.calls(in.flow.code[0].where) {
		return v
	}
	e := &evaluation{Site: in, budget: new(int), shared: new(bool)}
	*e.budget = most
	if i >= len(inRegisters) {
		at := s.SP + 8*uint64(i-len(inRegisters))
		if e.untouched(0, at, 8, s.SP) {
			v.Bits, v.Known = s.word(at)
		}
		return v
	}
	v.Bits, v.Known = e.copied(inRegisters[i])
	return v
}

// copied is what a register held when the function began, from where the function has copied it first.
func (e *evaluation) copied(register uint64) (uint64, bool) {
	f := e.flow
	for k := range f.code {
		if k > 0 && (len(f.before[k]) != 1 || f.before[k][0] != k-1) || jumps(f.code[k].Op) {
			return 0, false
		}
		in := &f.code[k]
		if from, is := in.Args[1].(x86asm.Reg); is && in.Op == x86asm.MOV {
			if n, size, ok := number(from); ok && n == register && size >= 4 {
				if v, ok := e.copy(k, size); ok {
					return v, true
				}
			}
		}
		if effectOn(in, register) != none {
			return 0, false
		}
	}
	return 0, false
}

// copy is what an instruction has copied, if that is still where it was copied to.
func (e *evaluation) copy(k, size int) (v uint64, ok bool) {
	f := e.flow
	after := newSet(len(f.code))
	for _, n := range f.reach(k, f.after, nil).both(f.leads) {
		after.add(n)
	}
	if !f.leads.has(k) {
		return 0, false
	}
	switch to := f.code[k].Args[0].(type) {
	case x86asm.Reg:
		n, _, _ := number(to)
		if !preserved(n) || after.meets(f.changes(n)) {
			return 0, false
		}
		v, ok = e.Register(n)
	case x86asm.Mem:
		at, known := e.address(k, to, after)
		if !known || at < e.SP || !e.untouched(k, at, uint64(size), at-nearby) {
			return 0, false
		}
		v, ok = e.load(at, size)
	}
	if size == 4 {
		v = uint64(uint32(v))
	}
	return v, ok
}

// nearby is how far before a variable something may begin that the variable is part of.
const nearby = 512

// untouched says whether a place on the stack is as it was at an instruction, or at the function's beginning: the
// function stores nothing there, and nobody else knows the place, as the address of nothing from an address to it is
// taken.
func (e *evaluation) untouched(since int, at, size, from uint64) bool {
	f := e.flow
	all := f.reach(since, f.after, nil)
	framed := slices.ContainsFunc(f.code, setsFrame)
	ofStack := func(m x86asm.Mem) bool {
		return m.Base == x86asm.RSP || framed && (m.Base == x86asm.RBP || m.Index == x86asm.RBP)
	}
	for i := range f.code {
		in := &f.code[i]
		if m, is := in.Args[1].(x86asm.Mem); is && in.Op == x86asm.LEA && ofStack(m) && !setsFrame(*in) {
			if place, ok := e.address(i, m, f.leads); f.leads.has(i) && (!ok || place >= from && place < at+size) {
				return false
			}
		}
		if r, is := in.Args[1].(x86asm.Reg); is && in.Op == x86asm.MOV && !setsFrame(*in) && in.Args[0] != x86asm.RSP &&
			(r == x86asm.RSP || framed && r == x86asm.RBP) {
			return false
		}
		if i == since || !f.stores.has(i) || !all.has(i) || !f.leads.has(i) {
			continue
		}
		m, is := in.Args[0].(x86asm.Mem)
		if is && !ofStack(m) || in.Op == x86asm.CALL {
			continue // nobody knows the place
		}
		if in.vector && !is {
			return false
		}
		if to, bytes, known := e.store(i, f.leads); !known || to < at+size && at < to+bytes {
			return false
		}
	}
	return true
}

// setsFrame says whether an instruction makes rbp the pointer of the function's frame.
func setsFrame(in instruction) bool {
	m, _ := in.Args[1].(x86asm.Mem)
	return in.Args[0] == x86asm.RBP && (in.Op == x86asm.MOV && in.Args[1] == x86asm.RSP ||
		in.Op == x86asm.LEA && m.Base == x86asm.RSP)
}
