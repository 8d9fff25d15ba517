// Package amd64 reads the machine code of AMD64 processors, without running it.
package amd64

import (
	"bytes"
	"strings"

	"golang.org/x/arch/x86/x86asm"
)

// Number is the DWARF number of a register and how many of its bytes are meant; false if it is no general one.
func Number(r x86asm.Reg) (register uint64, size int, ok bool) {
	// x86asm has rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi; the order of DWARF is another one.
	ordered := [...]uint64{0, 2, 1, 3, 7, 6, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15}
	of := func(first x86asm.Reg, size int) (uint64, int, bool) { return ordered[r-first], size, true }
	switch {
	case r >= x86asm.RAX && r <= x86asm.R15:
		return of(x86asm.RAX, 8)
	case r >= x86asm.EAX && r <= x86asm.R15L:
		return of(x86asm.EAX, 4)
	case r >= x86asm.AX && r <= x86asm.R15W:
		return of(x86asm.AX, 2)
	case r >= x86asm.AL && r <= x86asm.BL:
		return of(x86asm.AL, 1)
	case r >= x86asm.AH && r <= x86asm.BH:
		return of(x86asm.AH, 1)
	case r >= x86asm.SPB && r <= x86asm.R15B:
		return ordered[r-x86asm.SPB+4], 1, true
	}
	return 0, 0, false
}

// High says whether a register is the second byte of another one.
func High(r x86asm.Reg) bool { return r >= x86asm.AH && r <= x86asm.BH }

// Instruction is one with its address. Of those of AVX only what they may change is known.
type Instruction struct {
	x86asm.Inst
	Where   uint64
	Vector  bool
	Stores  bool // it may write memory
	Stack   bool // if so, at an address from rsp or rbp
	Flags   bool // it may change flags
	General bool // it may change general registers
	Entered bool // it is endbr64, to which jumps through registers lead
}

// Decode reads the instructions of some code; false if one is not known.
func Decode(text []byte, from uint64) (list []Instruction, ok bool) {
	for at := 0; at < len(text); {
		in, err := DecodeOne(text[at:])
		if err != nil || in.Len == 0 {
			return nil, false
		}
		in.Where = from + uint64(at)
		list = append(list, in)
		at += in.Len
	}
	return list, true
}

// DecodeOne reads an instruction.
func DecodeOne(text []byte) (Instruction, error) {
	switch {
	case bytes.HasPrefix(text, []byte("\xf3\x0f\x1e\xfa")): // endbr64
		return Instruction{Inst: x86asm.Inst{Op: x86asm.NOP, Len: 4}, Entered: true}, nil
	case text[0] == 0xc4, text[0] == 0xc5, text[0] == 0x62:
		return decodeVector(text)
	case len(text) > 1 && text[0] == 0x3e && text[1] >= 0x41 && text[1] != 0x66: // notrack, before a jump
		if in, err := x86asm.Decode(text[1:], 64); err == nil && in.Op == x86asm.JMP {
			in.Len++
			return Instruction{Inst: in}, nil
		}
	}
	in, err := x86asm.Decode(text, 64)
	return Instruction{Inst: in}, err
}

// Jumps says whether an instruction may go on elsewhere in the function.
func Jumps(op x86asm.Op) bool {
	name := op.String()
	return name[0] == 'J' || strings.HasPrefix(name, "LOOP")
}

// Target is where a jump or a call leads that names the place.
func (in *Instruction) Target() (to uint64, direct bool) {
	rel, direct := in.Args[0].(x86asm.Rel)
	return in.Where + uint64(in.Len) + uint64(int64(rel)), direct
}

// Through is the word of memory through which a piece of code at an address jumps at once, as the linker's does to
// functions of libraries; 0 if it does something else.
func Through(code []byte, at uint64) uint64 {
	for range 2 {
		if len(code) == 0 {
			return 0
		}
		in, err := DecodeOne(code)
		if err != nil {
			return 0
		}
		at += uint64(in.Len)
		if m, is := in.Args[0].(x86asm.Mem); in.Op == x86asm.JMP && is && m.Base == x86asm.RIP && m.Index == 0 {
			return at + uint64(m.Disp)
		}
		if !in.Entered {
			return 0
		}
		code = code[in.Len:]
	}
	return 0
}
