package callsite

import (
	"golang.org/x/arch/x86/x86asm"

	"unknot/internal/kit/amd64"
)

// Compilers that see both a function and its caller may leave values in registers over the call which the ABI does
// not preserve, but which the function does not change (gcc's -fipa-ra). So the code of functions that are called
// directly is read, with what they call.

// registers is a set of general registers, by their DWARF numbers.
type registers uint16

const every registers = 0xffff

func (r registers) has(number uint64) bool { return number > 15 || r>>number&1 != 0 }

const (
	mostEach   = 2 << 10 // bytes of code, of a function or a part of one that is read
	mostCalled = 16      // so many of them are read for one call
	mostParts  = 256     // and for all calls of a function
)

// others are the functions that a function calls.
type others struct {
	code  func(at uint64) (Part, bool) // the code around an address; nil if no other function is read
	known map[uint64]registers         // that a function may change, by its address
	parts map[uint64]effects           // by where the code begins
}

// effects are what some code does itself: the registers that it may change, and the addresses outside of it that it
// calls, or to which it jumps. They are not known if ok is false.
type effects struct {
	changes registers
	leaves  []uint64
	ok      bool
}

func newOthers(code func(at uint64) (Part, bool)) *others {
	return &others{code, make(map[uint64]registers), make(map[uint64]effects)}
}

// change are the registers that a function may change which begins at an address, every one if that is not known.
func (o *others) change(at uint64) registers {
	found, known := o.known[at]
	if !known {
		found = o.read(at)
		o.known[at] = found
	}
	return found
}

func (o *others) read(at uint64) (found registers) {
	if o.code == nil {
		return every
	}
	read := make(map[uint64]bool)
	for work := []uint64{at}; len(work) > 0; work = work[1:] {
		part, ok := o.code(work[0])
		if read[part.From] {
			continue
		}
		if !ok || len(part.Code) > mostEach || len(read) == mostCalled {
			return every
		}
		read[part.From] = true
		e, known := o.parts[part.From]
		if !known && len(o.parts) < mostParts {
			e = part.effects()
			o.parts[part.From] = e
		}
		if !e.ok {
			return every
		}
		found |= e.changes
		work = append(work, e.leaves...)
	}
	return found
}

// effects are those of some code.
func (p Part) effects() (e effects) {
	list, ok := amd64.Decode(p.Code, p.From)
	if !ok {
		return e
	}
	for i := range list {
		in := &list[i]
		switch {
		case in.Op == x86asm.RET, in.Op == x86asm.UD2, in.Op == x86asm.HLT:
			continue
		case in.Op == x86asm.CALL, amd64.Jumps(in.Op):
			to, direct := in.Target()
			if !direct {
				return e
			}
			if !p.has(to) || in.Op == x86asm.CALL {
				e.leaves = append(e.leaves, to)
			}
			if in.Op == x86asm.CALL {
				continue
			}
		}
		for number := range uint64(16) {
			if number != stackPointer && effectOn(in, number) != none {
				e.changes |= 1 << number
			}
		}
	}
	e.ok = true
	return e
}
