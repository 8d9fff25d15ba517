package symbol

import "io"

// Activation is a function that a thread is in, as it is seen from outside.
type Activation struct {
	PC uint64 // the instruction; of a caller, the one to which the call returns
	SP uint64 // the stack pointer there; of a caller, as it is when the call has returned
	// Sought says that its place on the stack was searched for, as what leads to it was not known: it may be a return
	// address of an earlier call.
	Sought    bool
	Registers Registers
}

// Registers are those of a processor by their DWARF numbers, as far as they are known. Of a caller those can be that a
// function must preserve (System V Application Binary Interface, AMD64, 3.2.1; Procedure Call Standard for the Arm
// 64-bit Architecture, 6.1.1).
type Registers struct {
	Values [mostRegisters]uint64
	Known  [mostRegisters]bool
}

// Value is what a register holds; false if that is not known.
func (r *Registers) Value(number uint64) (uint64, bool) {
	if number >= mostRegisters {
		return 0, false
	}
	return r.Values[number], r.Known[number]
}

func (r *Registers) set(number, value uint64) { r.Values[number], r.Known[number] = value, true }

// called forgets the registers that a function need not preserve.
func (r *Registers) called(machine *machine) {
	for number := range r.Known {
		r.Known[number] = r.Known[number] && machine.preserves>>number&1 != 0
	}
}

// Activations are the functions that a thread is in, innermost first, as far as they can be read. Of the innermost one
// PC and SP are given, and its registers as far as they are known.
func (r *Resolver) Activations(m *Maps, memory io.ReaderAt, innermost Activation) []Activation {
	w := &walk{r: r, maps: m, memory: memory, registers: innermost.Registers}
	stack := []Activation{innermost}
	sp := innermost.SP
	look := innermost.PC // the instruction, of a caller that of the call
	for len(stack) < mostFrames {
		sought := w.searched
		next, signal := w.up(look, &sp)
		if next == 0 || !m.Has(next-1) {
			return stack
		}
		if look = next; !signal {
			w.registers.called(w.machine)
			look--
		}
		stack = append(stack, Activation{PC: next, SP: sp, Sought: w.searched != sought, Registers: w.registers})
	}
	return stack
}

// Function is where the code of a function begins and ends in the process, by the tables of its module; false if they
// do not have it.
func (r *Resolver) Function(m *Maps, pc uint64) (from, to uint64, ok bool) {
	w := &walk{r: r, maps: m}
	at, ok := w.codeAt(pc)
	if !ok {
		return 0, 0, false
	}
	return at.fn.from + at.bias, at.fn.to + at.bias, true
}
