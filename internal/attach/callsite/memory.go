package callsite

import (
	"golang.org/x/arch/x86/x86asm"

	"unknot/internal/kit/amd64"
)

// unchanged says whether memory holds what it held before the instructions of a set were run. Others may have changed
// it, if it is not in the function's own frame.
func (e *evaluation) unchanged(at, size uint64, after set) bool {
	if e.Fixed != nil && e.Fixed(at, size) {
		return true
	}
	if at < e.SP || at >= e.Frame {
		*e.shared = true
	}
	return e.clean(at, size, after)
}

// clean says whether memory holds what it held before the instructions of a set were run, as far as the function,
// those that it calls and the call itself are concerned.
func (e *evaluation) clean(at, size uint64, after set) bool {
	const below = 1 << 20 // what the functions that are called have on the stack
	if at < e.SP && at >= e.SP-below {
		return false
	}
	for _, w := range e.written {
		if w.From < at+size && at < w.To {
			return false
		}
	}
	for _, k := range e.stores(after) {
		if *e.budget--; *e.budget < 0 {
			return false
		}
		to, bytes, known := e.store(k, after)
		if !known || to < at+size && at < to+bytes {
			return false
		}
	}
	return e.since == nil || e.since(at, size)
}

// stores are the instructions of a set that may write memory.
func (e *evaluation) stores(after set) []int {
	if after == nil {
		return nil
	}
	return after.both(e.flow.stores)
}

// mayStore says whether an instruction may write memory.
func mayStore(in *instruction) bool {
	if in.Op == x86asm.PUSH || in.Op == x86asm.CALL {
		return true
	}
	if !understood(in) && in.Op != x86asm.JMP && in.Op != x86asm.RET {
		return true
	}
	if in.Vector {
		return in.Stores
	}
	_, first := in.Args[0].(x86asm.Mem)
	_, second := in.Args[1].(x86asm.Mem)
	exchanges := in.Op == x86asm.XCHG || in.Op == x86asm.XADD
	return (first || second && exchanges) && !reads(in.Op) && !amd64.Jumps(in.Op)
}

// store is where an instruction of a set stores; false if that cannot be said.
func (e *evaluation) store(k int, after set) (to, bytes uint64, known bool) {
	in := &e.flow.code[k]
	if in.Op == x86asm.PUSH {
		d := e.flow.sp[k]
		return e.SP + uint64(d.offset) - 8, 8, d.known
	}
	m, ok := in.Args[0].(x86asm.Mem)
	if !ok || in.MemBytes == 0 || !understood(in) || repeats(in.Op) {
		return 0, 0, false
	}
	to, ok = e.address(k, m, after)
	return to, uint64(in.MemBytes), ok
}

// repeats says whether an instruction may store as much as a register says.
func repeats(op x86asm.Op) bool {
	switch op {
	case x86asm.STOSB, x86asm.STOSW, x86asm.STOSD, x86asm.STOSQ, x86asm.MOVSB, x86asm.MOVSW, x86asm.MOVSQ:
		return true
	}
	return false
}

// stored is what the function has put on the stack for the call.
func (e *evaluation) stored(at uint64) (uint64, bool) {
	f := e.flow
	after := newSet(len(f.code))
	for k := f.call; ; {
		if len(f.before[k]) != 1 || k == 0 {
			return 0, false
		}
		if k = f.before[k][0]; after.has(k) {
			return 0, false
		}
		after.add(k)
		if !f.stores.has(k) {
			continue
		}
		to, bytes, known := e.store(k, after)
		switch {
		case !known:
			return 0, false
		case to >= at+8 || to+bytes <= at:
			continue
		case to != at || bytes < 4:
			return 0, false
		}
		in := &f.code[k]
		if in.Op == x86asm.PUSH {
			return e.operand(k, in.Args[0], 8, after)
		}
		if in.Op == x86asm.MOV {
			return e.operand(k, in.Args[1], int(bytes), after)
		}
		return 0, false
	}
}
