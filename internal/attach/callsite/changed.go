package callsite

import "golang.org/x/arch/x86/x86asm"

// Compilers that see both a function and its caller may leave values in registers over the call which the ABI does not
// preserve, but which the function does not change (gcc's -fipa-ra). So the code of functions that are called directly is
// read, with what they call.

// registers is a set of general registers, by their DWARF numbers.
type registers uint16

const every registers = 0xffff

func (r registers) has(number uint64) bool { return number > 15 || r>>number&1 != 0 }

const (
	mostCalled = 16       // so many functions, or parts of them, are read for one call
	mostEach   = 16 << 10 // bytes of code, of each
)

// changed are the registers that a function may change which begins at an address, every one if that is not known. code
// is the code around an address.
func changed(at uint64, code func(at uint64) (Part, bool)) (found registers) {
	read := make(map[uint64]bool)
	for work := []uint64{at}; len(work) > 0; work = work[1:] {
		part, ok := code(work[0])
		if read[part.From] {
			continue
		}
		if !ok || len(part.Code) > mostEach || len(read) == mostCalled {
			return every
		}
		read[part.From] = true
		own, leaves, ok := part.changed()
		if !ok {
			return every
		}
		found |= own
		work = append(work, leaves...)
	}
	return found
}

// changed are the registers that some code may change itself, and the addresses outside of it that it calls, or to which
// it jumps; false if that cannot be said.
func (p Part) changed() (found registers, leaves []uint64, ok bool) {
	list, ok := decode(p.Code, p.From)
	if !ok {
		return 0, nil, false
	}
	for i := range list {
		in := &list[i]
		switch {
		case in.Op == x86asm.RET, in.Op == x86asm.UD2, in.Op == x86asm.HLT:
			continue
		case in.Op == x86asm.CALL, jumps(in.Op):
			to, direct := in.target()
			if !direct {
				return 0, nil, false
			}
			if !p.has(to) || in.Op == x86asm.CALL {
				leaves = append(leaves, to)
			}
			if in.Op == x86asm.CALL {
				continue
			}
		}
		for number := range uint64(16) {
			if number != stackPointer && effectOn(in, number) != none {
				found |= 1 << number
			}
		}
	}
	return found, leaves, true
}

// target is where a jump or a call leads that names the place.
func (in *instruction) target() (to uint64, direct bool) {
	rel, direct := in.Args[0].(x86asm.Rel)
	return in.where + uint64(in.Len) + uint64(int64(rel)), direct
}
