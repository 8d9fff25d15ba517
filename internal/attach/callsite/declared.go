package callsite

import (
	"encoding/binary"
	"slices"

	"unknot/internal/kit/symbol"
)

// The operations of DWARF (DWARF 5, 7.7.1) in which compilers write what a call passes.
const (
	opAddr      = 0x03
	opConst1u   = 0x08 // up to opConst8s, with a size and a sign each
	opConst8s   = 0x0f
	opConstU    = 0x10
	opConstS    = 0x11
	opAnd       = 0x1a
	opMinus     = 0x1c
	opMul       = 0x1e
	opNeg       = 0x1f
	opNot       = 0x20
	opOr        = 0x21
	opPlus      = 0x22
	opPlusU     = 0x23
	opShl       = 0x24
	opShr       = 0x25
	opShra      = 0x26
	opXor       = 0x27
	opLit0      = 0x30
	opLit31     = 0x4f
	opReg0      = 0x50
	opReg31     = 0x6f
	opBreg0     = 0x70
	opBreg31    = 0x8f
	opCFA       = 0x9c
	opStack     = 0x9f
	opEntry     = 0xa3
	opEntryGNU  = 0xf3
	mostEntered = 16 // functions whose arguments are those of their callers
)

// declared is what the debug information says that a call passes in a register, as far as it says so in terms that
// still hold: constants, and registers that the function called must preserve. Memory may have changed since.
func (s *Site) declared(register uint64, times int) (uint64, bool) {
	if s.Declared == nil || times == 0 {
		return 0, false
	}
	all := s.Declared()
	i := slices.IndexFunc(all, func(p symbol.Passed) bool { return p.Register == register })
	if i < 0 {
		return 0, false
	}
	x := &expression{site: s, bias: all[i].Bias, rest: all[i].Expression, times: times}
	for len(x.rest) > 0 && !x.failed {
		x.step()
	}
	if x.failed || len(x.stack) != 1 {
		return 0, false
	}
	return x.stack[0], true
}

// expression is one that is evaluated.
type expression struct {
	site   *Site
	bias   uint64
	rest   []byte
	stack  []uint64
	times  int
	failed bool
}

func (x *expression) step() {
	op := x.take(1)[0]
	switch {
	case op == opAddr:
		x.push(binary.LittleEndian.Uint64(x.take(8))+x.bias, true)
	case op >= opConst1u && op <= opConst8s:
		size := 1 << ((op - opConst1u) / 2)
		var b [8]byte
		copy(b[:], x.take(size))
		shift := 64 - 8*size
		v := binary.LittleEndian.Uint64(b[:]) << shift
		if (op-opConst1u)%2 == 1 {
			x.push(uint64(int64(v)>>shift), true)
		} else {
			x.push(v>>shift, true)
		}
	case op == opConstU:
		x.push(x.number(false), true)
	case op == opConstS:
		x.push(x.number(true), true)
	case op >= opLit0 && op <= opLit31:
		x.push(uint64(op-opLit0), true)
	case op >= opBreg0 && op <= opBreg31:
		v, known := x.site.Register(uint64(op - opBreg0))
		x.push(v+x.number(true), known && preserved(uint64(op-opBreg0)))
	case op == opCFA:
		x.push(x.site.Frame, x.site.Frame != 0)
	case op == opPlusU:
		x.push(x.pop()+x.number(false), true)
	case op == opNeg:
		x.push(-x.pop(), true)
	case op == opNot:
		x.push(^x.pop(), true)
	case op == opEntry, op == opEntryGNU:
		x.entry(x.take(int(min(x.number(false), uint64(len(x.rest))))))
	case op == opStack && len(x.rest) == 0:
	default:
		b, a := x.pop(), x.pop()
		x.push(combined(op, a, b))
	}
}

// entry is what a register held when the function that calls was called itself.
func (x *expression) entry(of []byte) {
	if len(of) != 1 || of[0] < opReg0 || of[0] > opReg31 {
		x.failed = true
		return
	}
	up := x.site.Caller()
	if up == nil || !up.calls(x.site.Begin) {
		x.failed = true
		return
	}
	x.push(up.declared(uint64(of[0]-opReg0), x.times-1))
}

func combined(op byte, a, b uint64) (uint64, bool) {
	switch op {
	case opAnd:
		return a & b, true
	case opMinus:
		return a - b, true
	case opMul:
		return a * b, true
	case opOr:
		return a | b, true
	case opPlus:
		return a + b, true
	case opShl:
		return a << b, true
	case opShr:
		return a >> b, true
	case opShra:
		return uint64(int64(a) >> b), true
	case opXor:
		return a ^ b, true
	}
	return 0, false
}

func (x *expression) push(v uint64, known bool) {
	x.stack = append(x.stack, v)
	x.failed = x.failed || !known
}

func (x *expression) pop() (v uint64) {
	if len(x.stack) == 0 {
		x.failed = true
		return 0
	}
	v = x.stack[len(x.stack)-1]
	x.stack = x.stack[:len(x.stack)-1]
	return v
}

// take is so many bytes, zeros if they are not there.
func (x *expression) take(n int) []byte {
	if n > len(x.rest) {
		x.failed, x.rest = true, nil
		return make([]byte, n)
	}
	b := x.rest[:n]
	x.rest = x.rest[n:]
	return b
}

// number is one of variable length (LEB128).
func (x *expression) number(signed bool) (v uint64) {
	for shift := 0; ; shift += 7 {
		b := x.take(1)[0]
		if shift < 64 {
			v |= uint64(b&0x7f) << shift
		}
		if b&0x80 == 0 {
			if signed && b&0x40 != 0 && shift+7 < 64 {
				v |= ^uint64(0) << (shift + 7)
			}
			return v
		}
	}
}
