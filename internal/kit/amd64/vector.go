package amd64

import (
	"errors"

	"golang.org/x/arch/x86/x86asm"
)

// errUnknown is that an instruction is not known.
var errUnknown = errors.New("unknown instruction")

// decodeVector reads how long an instruction of AVX or AVX-512 is, and what it may change (Intel 64 and IA-32
// Architectures Software Developer's Manual, volume 2, 2.3 and 2.7): memory, flags, general registers.
func decodeVector(text []byte) (in Instruction, err error) {
	at, space := 0, byte(1)
	switch {
	case len(text) > 3 && text[0] == 0xc5:
		at = 2
	case len(text) > 4 && text[0] == 0xc4:
		at, space = 3, text[1]&0x1f
	case len(text) > 6 && text[0] == 0x62:
		at, space = 4, text[1]&0x07
	default:
		return in, errUnknown
	}
	opcode := text[at]
	at++
	in.Vector, in.Op = true, x86asm.NOP
	if space == 1 && opcode == 0x77 { // vzeroupper has no operands
		in.Len = at
		return in, nil
	}
	base := text[0] == 0xc5 || text[1]&0x20 != 0 // no other register than the first eight
	in.Stack = base && (text[at]&7 == 4 && at+1 < len(text) && text[at+1]&7 == 4 ||
		text[at]&7 == 5 && text[at]>>6 != 0)
	memory := false
	if at, memory = operandEnd(text, at); at == 0 {
		return in, errUnknown
	}
	if space == 3 || space == 1 && (opcode >= 0x70 && opcode <= 0x73 || opcode == 0xc2 || opcode >= 0xc4 && opcode <= 0xc6) {
		at++
	}
	if at > len(text) || space == 0 || space > 6 || space == 4 {
		return in, errUnknown
	}
	in.Len = at
	in.General = !memory || general(space, opcode)
	in.Flags = space == 1 && (opcode == 0x2e || opcode == 0x2f) || space == 2 && (opcode <= 0x17 && opcode >= 0x0e ||
		opcode >= 0xf2) || space >= 5 || space == 1 && opcode >= 0x90 && opcode <= 0x9f
	in.Stores = memory && !loads(space, opcode)
	return in, nil
}

// operandEnd is where the operands' bytes end, of which one is at at; 0 if they are cut off. memory says that one of
// them is in memory.
func operandEnd(text []byte, at int) (end int, memory bool) {
	if at >= len(text) {
		return 0, false
	}
	form := text[at]
	at++
	mode, place := form>>6, form&7
	if mode == 3 {
		return at, false
	}
	if place == 4 {
		if at >= len(text) {
			return 0, false
		}
		if mode == 0 && text[at]&7 == 5 {
			at += 4
		}
		at++
	} else if mode == 0 && place == 5 {
		at += 4
	}
	switch mode {
	case 1:
		at++
	case 2:
		at += 4
	}
	return at, true
}

// general says whether an instruction may change a general register though one operand is in memory.
func general(space, opcode byte) bool {
	switch space {
	case 1:
		return opcode == 0x2c || opcode == 0x2d // conversions to integers
	case 2, 3:
		return opcode >= 0xf0 // BMI
	}
	return space >= 5
}

// loads says whether an instruction is known to read the operand that is in memory, not to write it.
func loads(space, opcode byte) bool {
	switch space {
	case 1:
		switch opcode {
		case 0x11, 0x13, 0x17, 0x29, 0x2b, 0x7e, 0x7f, 0xd6, 0xe7, 0x91, 0xae:
			return false
		}
		return true
	case 2:
		return opcode >= 0x96 && opcode <= 0xbf || opcode <= 0x0f || opcode == 0x18 || opcode == 0x19 ||
			opcode == 0x1a || opcode == 0x58 || opcode == 0x59 || opcode == 0x5a || opcode >= 0xf0
	}
	return false
}
