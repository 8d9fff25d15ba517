package callsite

import (
	"strings"

	"golang.org/x/arch/x86/x86asm"

	"unknot/internal/kit/amd64"
)

// flags is the register of conditions, by a number that no other has.
const flags = 100

// The flags that conditions need.
const (
	carry = 1 << iota
	zero
	sign
	overflow
)

// changesFlags says whether an instruction changes flags.
func changesFlags(in *instruction) bool {
	if in.Vector {
		return in.Flags
	}
	switch in.Op {
	case x86asm.MOV, x86asm.MOVZX, x86asm.MOVSX, x86asm.MOVSXD, x86asm.LEA, x86asm.PUSH, x86asm.POP, x86asm.NOP,
		x86asm.NOT, x86asm.CDQ, x86asm.CQO, x86asm.CDQE, x86asm.CWDE, x86asm.CWD, x86asm.CBW, x86asm.XCHG, x86asm.BSWAP,
		x86asm.PAUSE, x86asm.PREFETCHNTA, x86asm.PREFETCHT0, x86asm.PREFETCHT1, x86asm.PREFETCHT2, x86asm.PREFETCHW,
		x86asm.MFENCE, x86asm.LFENCE, x86asm.SFENCE, x86asm.LEAVE:
		return false
	case x86asm.COMISD, x86asm.COMISS, x86asm.UCOMISD, x86asm.UCOMISS, x86asm.PTEST:
		return true
	}
	name := in.Op.String()
	return !amd64.Jumps(in.Op) && !strings.HasPrefix(name, "CMOV") && !strings.HasPrefix(name, "SET") &&
		!wide(in.Args[0]) && !wide(in.Args[1])
}

// flagsOf are the flags that an instruction leaves.
func (e *evaluation) flagsOf(j int, after set) (set uint64, ok bool) {
	in := &e.flow.code[j]
	size := in.MemBytes
	for _, a := range in.Args[:2] {
		if r, is := a.(x86asm.Reg); is {
			_, size, _ = amd64.Number(r)
		}
	}
	if size != 1 && size != 2 && size != 4 && size != 8 {
		return 0, false
	}
	width := uint(8 * size)
	mask := ^uint64(0) >> (64 - width)
	a, b, ok := e.operands(j, in.Args[0], size, after)
	if !ok || in.Args[2] != nil {
		return 0, false
	}
	a, b = a&mask, b&mask
	var v uint64
	switch in.Op {
	case x86asm.CMP, x86asm.SUB:
		v = (a - b) & mask
		if a < b {
			set |= carry
		}
		if (a^b)&(a^v)>>(width-1)&1 != 0 {
			set |= overflow
		}
	case x86asm.TEST, x86asm.AND:
		v = a & b
	case x86asm.OR:
		v = a | b
	case x86asm.XOR:
		v = a ^ b
	case x86asm.ADD:
		v = (a + b) & mask
		if v < a {
			set |= carry
		}
		if ^(a^b)&(a^v)>>(width-1)&1 != 0 {
			set |= overflow
		}
	default:
		return 0, false
	}
	if v == 0 {
		set |= zero
	}
	if v>>(width-1)&1 != 0 {
		set |= sign
	}
	return set, true
}

// condition says whether a condition holds before an instruction, by the letters that instructions have for it.
func (e *evaluation) condition(j int, letters string, after set) (holds, known bool) {
	set, known := e.register(j, flags, 1, after)
	is := func(flag uint64) bool { return set&flag != 0 }
	less := is(sign) != is(overflow)
	switch letters {
	case "E":
		holds = is(zero)
	case "NE":
		holds = !is(zero)
	case "B":
		holds = is(carry)
	case "AE":
		holds = !is(carry)
	case "BE":
		holds = is(carry) || is(zero)
	case "A":
		holds = !is(carry) && !is(zero)
	case "L":
		holds = less
	case "GE":
		holds = !less
	case "LE":
		holds = less || is(zero)
	case "G":
		holds = !less && !is(zero)
	case "S":
		holds = is(sign)
	case "NS":
		holds = !is(sign)
	case "O":
		holds = is(overflow)
	case "NO":
		holds = !is(overflow)
	default:
		known = false
	}
	return holds, known
}

// possible says whether a jump may have led from one instruction to another; after has what may be run since.
func (e *evaluation) possible(from, to int, after set) bool {
	in := &e.flow.code[from]
	after = after.with(nil)
	after.add(from)
	target, direct := in.Target()
	if !direct {
		at, known := e.operand(from, in.Args[0], 8, after)
		return !known || at == e.flow.code[to].Where
	}
	holds, known := e.condition(from, in.Op.String()[1:], after)
	if !known {
		return true
	}
	return e.flow.code[to].Where == target == holds
}
