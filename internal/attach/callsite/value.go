package callsite

import (
	"encoding/binary"
	"slices"

	"golang.org/x/arch/x86/x86asm"

	"unknot/internal/kit/amd64"
)

// most is how many steps are made for one argument, of which looking for copies of a register counts as some: more in a
// large function.
const (
	most   = 4000
	copies = 100
)

// evaluation follows one argument backwards. A set after has the instructions that may be run between the one where a
// value is asked for and the call: what they do may have changed what the process holds now.
type evaluation struct {
	*Site
	budget  *int
	shared  *bool   // something was read that others may write
	written []Range // what the call may write
	// thorough says that conditions before a definition are evaluated, too.
	thorough bool
	// since says whether memory is as it was when the function called the next one; nil if that is the call itself.
	since func(at, size uint64) bool
}

// register is what a register holds before an instruction, of which at least so many bytes count; false if that is not
// known.
func (e *evaluation) register(i int, register uint64, bytes int, after set) (uint64, bool) {
	if *e.budget--; *e.budget < 0 {
		return 0, false
	}
	if register == stackPointer {
		d := e.flow.sp[i]
		return e.SP + uint64(d.offset), d.known
	}
	if preserved(register) && !after.meets(e.flow.changes(register)) {
		if v, ok := e.Register(register); ok {
			return v, true
		}
	}
	all := e.reaching(i, register, nil)
	if v, ok := e.agree(all, i, register, bytes, after); ok {
		return v, true
	}
	// Some paths may be impossible.
	possible := make(map[[2]int]bool)
	excluded := false
	some := e.reaching(i, register, func(from, to int) bool {
		if len(e.flow.after[from]) < 2 {
			return true
		}
		may, seen := possible[[2]int{from, to}]
		if !seen {
			may = e.possible(from, to, after.with(e.flow.reach(from, e.flow.after, all.passed)))
			possible[[2]int{from, to}] = may
			excluded = excluded || !may
		}
		return may
	})
	if excluded {
		if v, ok := e.agree(some, i, register, bytes, after); ok {
			return v, true
		}
	}
	if !e.thorough || len(some.from) == 0 {
		return 0, false
	}
	if some, excluded = e.taken(some); !excluded {
		return 0, false
	}
	return e.agree(some, i, register, bytes, after)
}

// definitions are where the value of a register comes from.
type definitions struct {
	from   []int // instructions that change it
	passed set   // the instructions between those and the one where it is asked for
	entry  bool  // the beginning of the function is reached
	lost   bool  // a place is reached that nothing seems to lead to
}

// reaching are the definitions of a register that reach an instruction by steps that are possible.
func (e *evaluation) reaching(i int, register uint64, possible func(from, to int) bool) definitions {
	f := e.flow
	changes := f.changes(register)
	d := definitions{passed: newSet(len(f.code))}
	work := []int{i}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if n == 0 {
			d.entry = true
		} else if len(f.before[n]) == 0 {
			d.lost = true
		}
		for _, k := range f.before[n] {
			switch {
			case possible != nil && !possible(k, n):
			case changes.has(k):
				if !slices.Contains(d.from, k) {
					d.from = append(d.from, k)
				}
			case !d.passed.has(k):
				d.passed.add(k)
				work = append(work, k)
			}
		}
	}
	return d
}

// agree is the value that all definitions give.
func (e *evaluation) agree(d definitions, i int, register uint64, bytes int, after set) (value uint64, known bool) {
	if d.lost {
		return 0, false
	}
	mask := ^uint64(0)
	if bytes < 8 {
		mask = 1<<(8*bytes) - 1
	}
	take := func(v uint64, ok bool) bool {
		if !ok || known && v&mask != value&mask {
			known = false
			return false
		}
		value, known = v, true
		return true
	}
	for _, j := range d.from {
		between := after.with(e.flow.reach(j, e.flow.after, d.passed))
		between.add(j)
		if !take(e.result(j, register, bytes, between)) {
			return 0, false
		}
	}
	if d.entry {
		between := after.with(d.passed)
		if !take(e.given(register, bytes, between)) {
			return 0, false
		}
	}
	return value, known
}

// given is what a register held when the function was called: by what its caller has put there, or by what the function
// itself has put aside of it.
func (e *evaluation) given(register uint64, bytes int, after set) (uint64, bool) {
	if v, ok := e.passed(register, bytes, after); ok {
		return v, true
	}
	if *e.budget -= copies + len(e.flow.code)/64; *e.budget < 0 || len(e.flow.before[0]) > 0 {
		return 0, false
	}
	own := &evaluation{Site: e.Site, budget: e.budget, shared: e.shared}
	return own.copied(register, bytes)
}

// passed is what the caller of the function has put into a register for it.
func (e *evaluation) passed(register uint64, bytes int, after set) (uint64, bool) {
	if e.Caller == nil || !preserved(register) && !slices.Contains(inRegisters[:], register) {
		return 0, false
	}
	up := e.Caller()
	if up == nil || !up.read() || !up.calls(e.flow.code[0].Where) {
		return 0, false
	}
	outer := &evaluation{Site: up, budget: e.budget, shared: e.shared, written: e.written, thorough: e.thorough}
	outer.since = func(at, size uint64) bool { return e.clean(at, size, after) }
	return outer.register(up.flow.call, register, bytes, newSet(len(up.flow.code)))
}

// result is what an instruction has put into a register that it changes.
func (e *evaluation) result(j int, register uint64, bytes int, after set) (uint64, bool) {
	in := &e.flow.code[j]
	if register == flags {
		return e.flagsOf(j, after)
	}
	if effectOn(in, register) != writes {
		return e.implied(j, register, after)
	}
	to, _ := in.Args[0].(x86asm.Reg)
	_, size, _ := amd64.Number(to)
	v, ok := e.computed(j, to, size, after)
	if !ok || size == 8 {
		return v, ok
	}
	v &= 1<<(8*size) - 1
	if size == 4 || size >= bytes {
		return v, true // the upper half of the register is zero, or nobody asks for the rest
	}
	old, ok := e.register(j, register, bytes, after)
	return old&^(1<<(8*size)-1) | v, ok
}

// computed is what an instruction makes for its first argument.
func (e *evaluation) computed(j int, to x86asm.Reg, size int, after set) (uint64, bool) {
	in := &e.flow.code[j]
	switch in.Op {
	case x86asm.MOV:
		return e.operand(j, in.Args[1], size, after)
	case x86asm.LEA:
		m, _ := in.Args[1].(x86asm.Mem)
		return e.address(j, m, after)
	case x86asm.MOVZX:
		v, _, ok := e.narrow(j, after)
		return v, ok
	case x86asm.MOVSX, x86asm.MOVSXD:
		v, bytes, ok := e.narrow(j, after)
		if !ok {
			return 0, false
		}
		shift := 64 - 8*bytes
		return uint64(int64(v<<shift) >> shift), true
	case x86asm.XOR, x86asm.SBB:
		if in.Args[0] == in.Args[1] {
			if in.Op == x86asm.XOR {
				return 0, true
			}
			carry, ok := e.condition(j, "B", after)
			if carry {
				return ^uint64(0), ok
			}
			return 0, ok
		}
		if in.Op == x86asm.SBB {
			return 0, false
		}
		return e.arithmetic(j, to, size, after)
	case x86asm.ADD, x86asm.SUB, x86asm.AND, x86asm.OR, x86asm.IMUL, x86asm.SHL, x86asm.SHR, x86asm.SAR, x86asm.NEG,
		x86asm.NOT, x86asm.INC, x86asm.DEC:
		return e.arithmetic(j, to, size, after)
	}
	return e.conditional(j, to, size, after)
}

// conditional is what an instruction makes that depends on a condition.
func (e *evaluation) conditional(j int, to x86asm.Reg, size int, after set) (uint64, bool) {
	in := &e.flow.code[j]
	name := in.Op.String()
	switch {
	case len(name) > 4 && name[:4] == "CMOV":
		holds, known := e.condition(j, name[4:], after)
		if known {
			if holds {
				return e.operand(j, in.Args[1], size, after)
			}
			return e.operand(j, to, size, after)
		}
		a, ok := e.operand(j, in.Args[1], size, after)
		b, also := e.operand(j, to, size, after)
		return a, ok && also && a == b
	case len(name) > 3 && name[:3] == "SET":
		holds, known := e.condition(j, name[3:], after)
		if holds {
			return 1, known
		}
		return 0, known
	}
	return 0, false
}

// operands are the two that an instruction computes with, or one and zero.
func (e *evaluation) operands(j int, first x86asm.Arg, size int, after set) (a, b uint64, ok bool) {
	in := &e.flow.code[j]
	second := in.Args[1]
	if in.Args[2] != nil {
		first, second = in.Args[1], in.Args[2]
	}
	if a, ok = e.operand(j, first, size, after); !ok || second == nil {
		return a, 0, ok
	}
	b, ok = e.operand(j, second, size, after)
	return a, b, ok
}

// arithmetic is what an instruction makes of its operands: two, or the last two of three.
func (e *evaluation) arithmetic(j int, to x86asm.Arg, size int, after set) (uint64, bool) {
	in := &e.flow.code[j]
	a, b, ok := e.operands(j, to, size, after)
	if imm, is := in.Args[1].(x86asm.Imm); is && in.Args[2] == nil && (in.Op == x86asm.OR && imm == -1 ||
		in.Op == x86asm.AND && imm == 0) {
		return uint64(imm), true // whatever the other one is
	}
	if !ok {
		return 0, false
	}
	width := uint(8 * size)
	shift := b & 31
	if size == 8 {
		shift = b & 63
	}
	if size < 4 && shift >= uint64(width) {
		return 0, false
	}
	if width < 64 {
		a &= 1<<width - 1
	}
	switch in.Op {
	case x86asm.ADD:
		a += b
	case x86asm.SUB:
		a -= b
	case x86asm.AND:
		a &= b
	case x86asm.OR:
		a |= b
	case x86asm.XOR:
		a ^= b
	case x86asm.IMUL:
		a *= b
	case x86asm.SHL:
		a <<= shift
	case x86asm.SHR:
		a >>= shift
	case x86asm.SAR:
		a = uint64(int64(a<<(64-width)) >> (64 - width) >> shift)
	case x86asm.NEG:
		a = -a
	case x86asm.NOT:
		a = ^a
	case x86asm.INC:
		a++
	case x86asm.DEC:
		a--
	}
	return a, true
}

// implied is what an instruction has put into a register that it does not name.
func (e *evaluation) implied(j int, register uint64, after set) (uint64, bool) {
	in := &e.flow.code[j]
	switch in.Op {
	case x86asm.CDQE:
		v, ok := e.register(j, 0, 4, after)
		return uint64(int64(int32(v))), ok && register == 0
	case x86asm.CDQ:
		v, ok := e.register(j, 0, 4, after)
		return uint64(uint32(int32(v) >> 31)), ok && register == 1
	case x86asm.CQO:
		v, ok := e.register(j, 0, 8, after)
		return uint64(int64(v) >> 63), ok && register == 1
	case x86asm.IDIV:
		return e.quotient(j, register, after)
	}
	return 0, false
}

// quotient is what a division has left in rax and rdx, of numbers that one register can hold.
func (e *evaluation) quotient(j int, register uint64, after set) (uint64, bool) {
	in := &e.flow.code[j]
	size := in.MemBytes
	if r, ok := in.Args[0].(x86asm.Reg); ok {
		_, size, _ = amd64.Number(r)
	}
	if size != 4 && size != 8 {
		return 0, false
	}
	low, known := e.register(j, 0, size, after)
	high, also := e.register(j, 1, size, after)
	by, ok := e.operand(j, in.Args[0], size, after)
	if !known || !also || !ok {
		return 0, false
	}
	a, b := int64(low), int64(by)
	extended := high == uint64(a>>63)
	if size == 4 {
		a, b = int64(int32(low)), int64(int32(by))
		extended = uint32(high) == uint32(a>>63)
	}
	if !extended || b == 0 || b == -1 {
		return 0, false
	}
	v := uint64(a / b)
	if register == 1 {
		v = uint64(a % b)
	}
	if size == 4 {
		v = uint64(uint32(v))
	}
	return v, true
}

// narrow is the second argument of an instruction that widens it, and how many bytes that has.
func (e *evaluation) narrow(j int, after set) (v uint64, bytes int, ok bool) {
	in := &e.flow.code[j]
	bytes = in.MemBytes
	if from, is := in.Args[1].(x86asm.Reg); is {
		if _, bytes, ok = amd64.Number(from); !ok {
			return 0, 0, false
		}
	}
	v, ok = e.operand(j, in.Args[1], bytes, after)
	return v, bytes, ok && bytes > 0
}

// operand is an argument of an instruction, of so many bytes.
func (e *evaluation) operand(j int, a x86asm.Arg, size int, after set) (uint64, bool) {
	switch a := a.(type) {
	case x86asm.Imm:
		return uint64(a), true
	case x86asm.Reg:
		register, bytes, ok := amd64.Number(a)
		if !ok {
			return 0, false
		}
		if amd64.High(a) {
			v, ok := e.register(j, register, 2, after)
			return v >> 8 & 0xff, ok
		}
		v, ok := e.register(j, register, bytes, after)
		if bytes < 8 {
			v &= 1<<(8*bytes) - 1
		}
		return v, ok
	case x86asm.Mem:
		at, ok := e.address(j, a, after)
		if !ok || size < 1 || size > 8 || !e.unchanged(at, uint64(size), after) {
			return 0, false
		}
		return e.load(at, size)
	}
	return 0, false
}

func (s *Site) load(at uint64, size int) (uint64, bool) {
	var b [8]byte
	if _, err := s.Memory.ReadAt(b[:size], int64(at)); err != nil {
		return 0, false
	}
	return binary.LittleEndian.Uint64(b[:]), true
}

func (s *Site) word(at uint64) (uint64, bool) { return s.load(at, 8) }

// address is where an argument in memory is.
func (e *evaluation) address(j int, m x86asm.Mem, after set) (uint64, bool) {
	if m.Segment != 0 && m.Segment != x86asm.DS {
		return 0, false
	}
	at := uint64(m.Disp)
	add := func(r x86asm.Reg, times uint64) bool {
		switch {
		case r == 0:
			return true
		case r == x86asm.RIP:
			at += e.flow.code[j].Where + uint64(e.flow.code[j].Len)
			return true
		}
		register, bytes, ok := amd64.Number(r)
		if !ok || bytes != 8 {
			return false
		}
		v, ok := e.register(j, register, 8, after)
		at += v * times
		return ok
	}
	return at, add(m.Base, 1) && add(m.Index, uint64(m.Scale))
}
