package callsite

import (
	"slices"
	"strings"

	"golang.org/x/arch/x86/x86asm"

	"unknot/internal/kit/amd64"
)

// instruction is one of the functions that are read.
type instruction = amd64.Instruction

// The DWARF numbers of rbp and rsp.
const (
	framePointer = 6
	stackPointer = 7
)

// inRegisters are the DWARF numbers of rdi, rsi, rdx, rcx, r8 and r9.
var inRegisters = [...]uint64{5, 4, 1, 2, 8, 9}

// preserved says whether a function must give a register back as it was: rbx, rbp and r12 to r15.
func preserved(register uint64) bool {
	return register == 3 || register == 6 || register >= 12 && register <= 15
}

func wide(a x86asm.Arg) bool {
	r, ok := a.(x86asm.Reg)
	return ok && (r >= x86asm.X0 && r <= x86asm.X15 || r >= x86asm.M0 && r <= x86asm.M7)
}

// effect is what an instruction does to a register.
type effect uint8

const (
	unknown effect = iota // it is not known, or what the instruction does not name
	none
	writes // by its first argument
)

// effectOn is what an instruction does to a register.
func effectOn(in *instruction, register uint64) effect {
	switch {
	case in.Op == x86asm.CALL:
		if preserved(register) || register == stackPointer {
			return none
		}
		return unknown
	case register == flags:
		if changesFlags(in) {
			return writes
		}
		return none
	case in.Vector:
		if in.General && register != stackPointer {
			return unknown
		}
		return none
	case amd64.Jumps(in.Op):
		if in.Op.String()[0] == 'L' && register == 2 { // LOOP counts in rcx
			return unknown
		}
		return none
	case !understood(in):
		return unknown
	}
	if changed, ok := implied[in.Op]; ok {
		if slices.Contains(changed, register) {
			return unknown
		}
		if in.Op != x86asm.PUSH && in.Op != x86asm.POP && in.Op != x86asm.XCHG && in.Op != x86asm.XADD &&
			in.Op != x86asm.CMPXCHG {
			return none
		}
	}
	if reads(in.Op) {
		return none
	}
	for i, a := range in.Args {
		r, ok := a.(x86asm.Reg)
		if !ok || i > 0 && in.Op != x86asm.XCHG && in.Op != x86asm.XADD {
			continue
		}
		if to, _, general := amd64.Number(r); general && to == register {
			if i > 0 || in.Op == x86asm.XCHG || in.Op == x86asm.XADD || amd64.High(r) {
				return unknown
			}
			return writes
		}
	}
	return none
}

// implied are the registers that instructions change without naming them.
var implied = map[x86asm.Op][]uint64{
	x86asm.PUSH: {stackPointer}, x86asm.POP: {stackPointer},
	x86asm.CDQ: {1}, x86asm.CQO: {1}, x86asm.CWD: {1}, x86asm.CDQE: {0}, x86asm.CWDE: {0}, x86asm.CBW: {0},
	x86asm.MUL: {0, 1}, x86asm.DIV: {0, 1}, x86asm.IDIV: {0, 1},
	x86asm.XCHG: nil, x86asm.XADD: nil, x86asm.CMPXCHG: {0}, x86asm.CMPXCHG16B: {0, 1}, x86asm.CMPXCHG8B: {0, 1},
	x86asm.STOSB: {2, 5}, x86asm.STOSW: {2, 5}, x86asm.STOSD: {2, 5}, x86asm.STOSQ: {2, 5},
	x86asm.MOVSB: {2, 4, 5}, x86asm.MOVSW: {2, 4, 5}, x86asm.MOVSQ: {2, 4, 5}, x86asm.CPUID: {0, 1, 2, 3},
	x86asm.RDTSC: {0, 1}, x86asm.RDTSCP: {0, 1, 2},
}

// reads says whether an instruction changes nothing but flags.
func reads(op x86asm.Op) bool {
	switch op {
	case x86asm.CMP, x86asm.TEST, x86asm.BT, x86asm.NOP, x86asm.PUSH, x86asm.PAUSE, x86asm.PREFETCHNTA,
		x86asm.PREFETCHT0, x86asm.PREFETCHT1, x86asm.PREFETCHT2, x86asm.PREFETCHW, x86asm.MFENCE, x86asm.LFENCE,
		x86asm.SFENCE:
		return true
	}
	return op.String()[0] == 'J'
}

// understood says whether it is known what an instruction changes: its first argument, or what implied has.
func understood(in *instruction) bool {
	if _, ok := implied[in.Op]; ok || reads(in.Op) || in.Vector {
		return true
	}
	switch in.Op {
	case x86asm.PCMPESTRI, x86asm.PCMPISTRI, x86asm.PCMPESTRM, x86asm.PCMPISTRM, x86asm.MASKMOVDQU, x86asm.MASKMOVQ:
		return false
	case x86asm.MOV, x86asm.MOVZX, x86asm.MOVSX, x86asm.MOVSXD, x86asm.LEA, x86asm.ADD, x86asm.SUB, x86asm.ADC,
		x86asm.SBB, x86asm.AND, x86asm.OR, x86asm.XOR, x86asm.NOT, x86asm.NEG, x86asm.INC, x86asm.DEC, x86asm.SHL,
		x86asm.SHR, x86asm.SAR, x86asm.ROL, x86asm.ROR, x86asm.SHLD, x86asm.SHRD, x86asm.BSF, x86asm.BSR,
		x86asm.BSWAP, x86asm.TZCNT, x86asm.LZCNT, x86asm.POPCNT, x86asm.CVTTSD2SI, x86asm.CVTTSS2SI,
		x86asm.CVTSD2SI, x86asm.CVTSS2SI:
		return true
	case x86asm.IMUL:
		return in.Args[1] != nil // with one argument it changes rax and rdx
	}
	name := in.Op.String()
	return strings.HasPrefix(name, "CMOV") || strings.HasPrefix(name, "SET") || wide(in.Args[0]) || wide(in.Args[1])
}
