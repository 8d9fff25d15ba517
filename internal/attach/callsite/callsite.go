// Package callsite finds out what a call was given, from outside of the process that is in it: the instructions before
// the call say where each argument came from, and the registers that a function must preserve, constants and the memory
// that nothing has changed since are still there. What cannot be had so is not known: nothing here is a guess.
//
// The processor is that of AMD64 (System V Application Binary Interface, 3.2.3: six arguments in registers, others on
// the stack).
package callsite

import (
	"encoding/binary"
	"io"
	"slices"

	"golang.org/x/arch/x86/x86asm"
)

// Value is an integer or an address that a call was given.
type Value struct {
	Bits  uint64
	Known bool
}

// Int is the value as the int of C.
func (v Value) Int() (int, bool) { return int(int32(v.Bits)), v.Known }

// Site is a call that has not returned.
type Site struct {
	// Code is that of the function that calls, from its first byte at From; Others is that of its other parts, by where
	// they begin: compilers put what is seldom run elsewhere.
	Code   []byte
	From   uint64
	Others map[uint64][]byte
	Return uint64 // the instruction to which the call returns
	SP     uint64 // the stack pointer when it has
	// Register is what a register holds then, by its DWARF number, if the function must preserve it.
	Register func(number uint64) (uint64, bool)
	Memory   io.ReaderAt // of the process
}

// call is a Site whose code was read.
type call struct {
	*Site
	code  []instruction
	at    int             // of the call in code
	joins map[uint64]bool // to where the function jumps
}

type instruction struct {
	x86asm.Inst
	where uint64
}

// Arguments are the first n integers and addresses that the call was given.
func (s *Site) Arguments(n int) []Value {
	values := make([]Value, n)
	c, ok := s.read()
	if !ok {
		return values
	}
	for i := range values {
		if i < len(inRegisters) {
			values[i].Bits, values[i].Known = c.before(c.at, inRegisters[i])
		} else {
			values[i].Bits, values[i].Known = c.stored(s.SP + 8*uint64(i-len(inRegisters)))
		}
	}
	return values
}

// read reads the function's code; false if an instruction of it is not known, or it jumps to where only a register says.
func (s *Site) read() (*call, bool) {
	c := &call{Site: s, at: -1, joins: make(map[uint64]bool)}
	code, ok := decode(s.Code, s.From)
	if !ok {
		return nil, false
	}
	c.code = code
	for i, in := range code {
		if in.where+uint64(in.Len) == s.Return && in.Op == x86asm.CALL {
			c.at = i
		}
	}
	to, determined := targets(code)
	if !determined {
		return nil, false
	}
	for from, text := range s.Others {
		part, ok := decode(text, from)
		if !ok {
			return nil, false
		}
		more, determined := targets(part)
		if !slices.ContainsFunc(more, s.within) {
			continue // a function that is called as the last thing
		}
		if !determined {
			return nil, false
		}
		to = append(to, more...)
	}
	for _, at := range to {
		c.joins[at] = true
	}
	return c, c.at >= 0
}

// within says whether an address is one of the function's code.
func (s *Site) within(at uint64) bool { return at >= s.From && at-s.From < uint64(len(s.Code)) }

// targets are the addresses to which instructions jump; determined is false if only a register says one of them.
func targets(code []instruction) (list []uint64, determined bool) {
	determined = true
	for _, in := range code {
		if !jumps(in.Op) {
			continue
		}
		switch to := in.Args[0].(type) {
		case x86asm.Rel:
			list = append(list, in.where+uint64(in.Len)+uint64(int64(to)))
		case x86asm.Mem: // through the table of linked functions, as the last thing
			determined = determined && to.Base == x86asm.RIP
		default:
			determined = false
		}
	}
	return list, determined
}

// Leaves are the addresses outside of the function's code to which it jumps: other parts of it, or functions.
func (s *Site) Leaves() []uint64 {
	code, _ := decode(s.Code, s.From)
	list, _ := targets(code)
	return slices.DeleteFunc(list, s.within)
}

// before is what a register holds before an instruction; false if that is not known.
func (c *call) before(i int, register uint64) (uint64, bool) {
	if register == stackPointer {
		return c.stackPointer(i)
	}
	if preserved(register) && !c.changed(register, i) {
		return c.Register(register)
	}
	for j := i - 1; j >= 0; j-- {
		if c.joins[c.code[j+1].where] {
			return 0, false // it may have come from elsewhere
		}
		in := &c.code[j]
		switch effectOn(in, register) {
		case none:
		case writes:
			return c.result(j)
		default:
			return c.implied(j, register)
		}
	}
	return 0, false
}

// changed says whether a register may be changed between an instruction and the call.
func (c *call) changed(register uint64, i int) bool {
	for j := i; j < c.at; j++ {
		if e := effectOn(&c.code[j], register); e == writes || e == unknown && c.code[j].Op != x86asm.CALL {
			return true
		}
	}
	return false
}

// stackPointer is what that is before an instruction.
func (c *call) stackPointer(i int) (uint64, bool) {
	sp := c.SP
	for j := c.at - 1; j >= i; j-- {
		in := &c.code[j]
		amount, constant := in.Args[1].(x86asm.Imm)
		first, _ := in.Args[0].(x86asm.Reg)
		switch {
		case in.Op == x86asm.PUSH:
			sp += 8
		case in.Op == x86asm.POP && first != x86asm.RSP:
			sp -= 8
		case in.Op == x86asm.SUB && first == x86asm.RSP && constant:
			sp += uint64(amount)
		case in.Op == x86asm.ADD && first == x86asm.RSP && constant:
			sp -= uint64(amount)
		case in.Op == x86asm.CALL: // it returns with what it found
		case effectOn(in, stackPointer) != none:
			return 0, false
		}
	}
	return sp, true
}

// result is what an instruction has put into its first argument, a register.
func (c *call) result(j int) (uint64, bool) {
	in := &c.code[j]
	to, _ := in.Args[0].(x86asm.Reg)
	_, size, _ := number(to)
	if size < 4 {
		return 0, false // the rest of the register is what it was
	}
	cut := func(v uint64, ok bool) (uint64, bool) {
		if size == 4 {
			v = uint64(uint32(v))
		}
		return v, ok
	}
	switch in.Op {
	case x86asm.MOV:
		return cut(c.operand(j, in.Args[1], size))
	case x86asm.LEA:
		m, _ := in.Args[1].(x86asm.Mem)
		return cut(c.address(j, m))
	case x86asm.MOVZX:
		return c.operand(j, in.Args[1], in.MemBytes)
	case x86asm.MOVSX, x86asm.MOVSXD:
		v, bytes, ok := c.narrow(j)
		if !ok {
			return 0, false
		}
		shift := 64 - 8*bytes
		return cut(uint64(int64(v<<shift)>>shift), true)
	case x86asm.XOR:
		if in.Args[0] == in.Args[1] {
			return 0, true
		}
		return c.arithmetic(j, to, size)
	case x86asm.ADD, x86asm.SUB, x86asm.AND, x86asm.OR, x86asm.IMUL, x86asm.SHL, x86asm.SHR, x86asm.SAR, x86asm.NEG,
		x86asm.NOT, x86asm.INC, x86asm.DEC:
		return c.arithmetic(j, to, size)
	}
	return 0, false
}

// arithmetic is what an instruction makes of its operands: two, or the last two of three.
func (c *call) arithmetic(j int, to x86asm.Reg, size int) (uint64, bool) {
	in := &c.code[j]
	first, second := x86asm.Arg(to), in.Args[1]
	if in.Args[2] != nil {
		first, second = in.Args[1], in.Args[2]
	}
	a, ok := c.operand(j, first, size)
	b, known := uint64(0), second == nil
	if !known {
		b, known = c.operand(j, second, size)
	}
	if !ok || !known {
		return 0, false
	}
	bits := uint(8 * size)
	shift := b & uint64(bits-1)
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
		a = uint64(int64(a<<(64-bits)) >> (64 - bits) >> shift)
	case x86asm.NEG:
		a = -a
	case x86asm.NOT:
		a = ^a
	case x86asm.INC:
		a++
	case x86asm.DEC:
		a--
	}
	if size == 4 {
		a = uint64(uint32(a))
	}
	return a, true
}

// implied is what an instruction has put into a register that it does not name.
func (c *call) implied(j int, register uint64) (uint64, bool) {
	in := &c.code[j]
	switch in.Op {
	case x86asm.CDQE:
		v, ok := c.before(j, 0)
		return uint64(int64(int32(v))), ok && register == 0
	case x86asm.CDQ:
		v, ok := c.before(j, 0)
		return uint64(uint32(int32(v) >> 31)), ok && register == 1
	case x86asm.CQO:
		v, ok := c.before(j, 0)
		return uint64(int64(v) >> 63), ok && register == 1
	case x86asm.IDIV:
		return c.quotient(j, register)
	}
	return 0, false
}

// quotient is what a division has left in rax and rdx, of numbers that one register can hold.
func (c *call) quotient(j int, register uint64) (uint64, bool) {
	size := c.code[j].MemBytes
	if r, ok := c.code[j].Args[0].(x86asm.Reg); ok {
		_, size, _ = number(r)
	}
	low, known := c.before(j, 0)
	high, also := c.before(j, 1)
	by, ok := c.operand(j, c.code[j].Args[0], size)
	if !known || !also || !ok {
		return 0, false
	}
	a, b := int64(low), int64(by)
	extended := high == uint64(a>>63)
	if size == 4 {
		a, b = int64(int32(low)), int64(int32(by))
		extended = uint32(high) == uint32(a>>63)
	}
	if size != 4 && size != 8 || !extended || b == 0 || b == -1 {
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
func (c *call) narrow(j int) (v uint64, bytes int, ok bool) {
	in := &c.code[j]
	bytes = in.MemBytes
	if from, is := in.Args[1].(x86asm.Reg); is {
		if _, bytes, ok = number(from); !ok {
			return 0, 0, false
		}
	}
	v, ok = c.operand(j, in.Args[1], bytes)
	return v, bytes, ok && bytes > 0
}

// operand is an argument of an instruction, of so many bytes.
func (c *call) operand(j int, a x86asm.Arg, size int) (uint64, bool) {
	switch a := a.(type) {
	case x86asm.Imm:
		return uint64(a), true
	case x86asm.Reg:
		register, bytes, ok := number(a)
		if !ok || high(a) {
			return 0, false
		}
		v, ok := c.before(j, register)
		if bytes < 8 {
			v &= 1<<(8*bytes) - 1
		}
		return v, ok
	case x86asm.Mem:
		at, ok := c.address(j, a)
		if !ok || size < 1 || size > 8 || !c.unchanged(j, at, uint64(size)) {
			return 0, false
		}
		var b [8]byte
		if _, err := c.Memory.ReadAt(b[:size], int64(at)); err != nil {
			return 0, false
		}
		return binary.LittleEndian.Uint64(b[:]), true
	}
	return 0, false
}

// address is where an argument in memory is.
func (c *call) address(j int, m x86asm.Mem) (uint64, bool) {
	if m.Segment != 0 {
		return 0, false
	}
	at := uint64(m.Disp)
	add := func(r x86asm.Reg, times uint64) bool {
		switch {
		case r == 0:
			return true
		case r == x86asm.RIP:
			at += c.code[j].where + uint64(c.code[j].Len)
			return true
		}
		register, bytes, ok := number(r)
		if !ok || bytes != 8 {
			return false
		}
		v, ok := c.before(j, register)
		at += v * times
		return ok
	}
	return at, add(m.Base, 1) && add(m.Index, uint64(m.Scale))
}

// unchanged says whether memory holds what it held at an instruction, as far as the function itself is concerned.
func (c *call) unchanged(j int, at, size uint64) bool {
	const below = 1 << 20 // what the functions that are called have on the stack
	if at < c.SP && at >= c.SP-below {
		return false
	}
	for k := j + 1; k < c.at; k++ {
		to, bytes, stores, known := c.store(k)
		if !known || stores && to < at+size && at < to+bytes {
			return false
		}
	}
	return true
}

// store is where an instruction stores, if it does; known is false if that cannot be said.
func (c *call) store(k int) (to, bytes uint64, stores, known bool) {
	in := &c.code[k]
	if in.Op == x86asm.PUSH {
		sp, ok := c.stackPointer(k)
		return sp - 8, 8, true, ok
	}
	if in.Op == x86asm.CALL {
		return 0, 0, true, false
	}
	m, ok := in.Args[0].(x86asm.Mem)
	if !ok || reads(in.Op) {
		return 0, 0, false, understood(in) || in.Op == x86asm.JMP
	}
	to, ok = c.address(k, m)
	return to, uint64(in.MemBytes), true, ok && in.MemBytes > 0
}

// stored is what the function has put on the stack for the call.
func (c *call) stored(at uint64) (uint64, bool) {
	for k := c.at - 1; k >= 0; k-- {
		if c.joins[c.code[k+1].where] {
			return 0, false
		}
		to, bytes, stores, known := c.store(k)
		switch {
		case !known:
			return 0, false
		case !stores || to >= at+8 || to+bytes <= at:
			continue
		case to != at || bytes < 4:
			return 0, false
		}
		in := &c.code[k]
		if in.Op == x86asm.PUSH {
			return c.operand(k, in.Args[0], 8)
		}
		if in.Op == x86asm.MOV {
			return c.operand(k, in.Args[1], int(bytes))
		}
		return 0, false
	}
	return 0, false
}
