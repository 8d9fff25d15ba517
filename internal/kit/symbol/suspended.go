package symbol

import (
	"debug/elf"
	"encoding/binary"
	"io"
	"os"
	"strconv"
)

// The call stack of a thread that waits in the kernel, read from outside: nothing runs in the process, so that no call
// of its is cut short. Of the thread's registers only two are known. Those that a function saves for its caller are
// found as the walk goes up; where a frame needs one that nobody has saved, its return address is looked for (sought).

// mostFrames bounds a call stack, as the probe does.
const mostFrames = 64

// machine is what a walk needs to know of a processor: its registers by their DWARF numbers.
type machine struct {
	stack, frame uint64 // the stack pointer, and the register that functions may keep their frame's address in
	mask         uint64 // the bits of an address: others may hold a signature
	pc           uint64 // the number by which expressions name the instruction, 0 if there is none
	preserves    uint64 // a bit for each register that a function must preserve
}

func machineOf(m elf.Machine) (machine, bool) {
	switch m {
	case elf.EM_X86_64:
		return machine{stack: 7, frame: 6, mask: 1<<64 - 1, pc: 16, preserves: 0xf0c8}, true // rbx, rbp, rsp, r12 to r15
	case elf.EM_AARCH64:
		return machine{stack: 31, frame: 29, mask: 1<<48 - 1, preserves: 0xfff80000}, true // x19 to x30, sp
	}
	return machine{}, false
}

// walk is one up a stack.
type walk struct {
	r         *Resolver
	maps      *Maps
	memory    io.ReaderAt
	registers Registers
	machine   *machine // of the module that the function is in
	searched  int      // how often a frame was searched for (sought)
}

// Suspended is the call stack of a thread at that instruction, with that stack pointer, that waits in the kernel: the
// instruction and the return addresses, as far as they can be read. The caller asks afterwards whether the thread is
// still there.
func (r *Resolver) Suspended(m *Maps, pc, sp uint64) []uint64 {
	memory, err := os.Open("/proc/" + strconv.Itoa(m.pid) + "/mem")
	if err != nil {
		return nil
	}
	defer memory.Close()
	return r.walk(m, memory, pc, sp)
}

func (r *Resolver) walk(m *Maps, memory io.ReaderAt, pc, sp uint64) []uint64 {
	var stack []uint64
	for _, a := range r.Activations(m, memory, Activation{PC: pc, SP: sp}) {
		stack = append(stack, a.PC)
	}
	return stack
}

// code is a place in a module, with the module's tables.
type code struct {
	tables  *callFrames
	fn      *callFrame
	bias    uint64 // of the process's addresses over those of the file
	machine machine
}

// codeAt is what is known of the function at an address of the process.
func (w *walk) codeAt(pc uint64) (at code, ok bool) {
	where := w.maps.find(pc)
	if where == nil {
		return at, false
	}
	mod := w.r.module(w.maps.pid, where)
	if mod == nil {
		return at, false
	}
	mod.guarded(headers, func() {
		if mod.image == nil {
			return
		}
		address, in := mod.address(pc - where.start + where.offset)
		if !in {
			return
		}
		if mod.calls == nil {
			mod.calls = readCallFrames(mod.image)
		}
		at.tables, at.bias = mod.calls, pc-address
		at.machine, in = machineOf(mod.image.Machine)
		at.fn = mod.calls.find(address)
		ok = in && at.fn != nil
	})
	return at, ok
}

// up goes from a function to its caller: 0 if there is none, or it cannot be found. signal says that the function was
// begun by a signal.
func (w *walk) up(pc uint64, sp *uint64) (next uint64, signal bool) {
	at, ok := w.codeAt(pc)
	if !ok {
		return 0, false
	}
	w.machine = &at.machine
	w.registers.set(at.machine.stack, *sp)
	if at.machine.pc != 0 {
		w.registers.set(at.machine.pc, pc)
	}
	now, ok := at.tables.at(at.fn, pc-at.bias)
	if !ok {
		return 0, false
	}
	frame, ok := w.value(&now.frame, 0, false, at.tables.order)
	if !ok {
		if frame, ok = w.sought(&at, &now, *sp); !ok {
			return 0, false
		}
		w.searched++
	}
	if frame < *sp && !at.fn.common.signal {
		return 0, false
	}
	own := *w // with the function's registers, whatever has been found of its caller's
	for i := range now.rules {
		rule := &now.rules[i]
		if rule.kind == ruleSame {
			continue
		}
		w.registers.Values[i], w.registers.Known[i] = own.value(rule, frame, true, at.tables.order)
	}
	if now.rules[at.machine.stack].kind == ruleSame {
		w.registers.set(at.machine.stack, frame)
	}
	*sp = w.registers.Values[at.machine.stack]
	returns := at.fn.common.returns
	back, known := w.registers.Value(returns)
	if !known || now.rules[returns].kind == ruleUndefined {
		return 0, false
	}
	return back & at.machine.mask, at.fn.common.signal
}

// value is what a rule gives, with the frame's address where that is known.
func (w *walk) value(rule *rule, frame uint64, framed bool, order binary.ByteOrder) (uint64, bool) {
	switch rule.kind {
	case ruleAt:
		return w.word(frame+uint64(rule.offset), order)
	case ruleIs:
		if framed {
			return frame + uint64(rule.offset), true
		}
		v, ok := w.registers.Value(rule.register)
		return v + uint64(rule.offset), ok
	case ruleCopied:
		return w.registers.Value(rule.register)
	case ruleComputed:
		return w.compute(rule.expression, frame, framed, order)
	case ruleComputedAt:
		at, ok := w.compute(rule.expression, frame, framed, order)
		if !ok {
			return 0, false
		}
		return w.word(at, order)
	}
	return 0, false
}

func (w *walk) word(at uint64, order binary.ByteOrder) (uint64, bool) {
	var b [8]byte
	if _, err := w.memory.ReadAt(b[:], int64(at)); err != nil {
		return 0, false
	}
	return order.Uint64(b[:]), true
}

// compute runs an expression (DWARF 5, 2.5) of the few operations that compilers use in such tables.
func (w *walk) compute(expression []byte, frame uint64, framed bool, order binary.ByteOrder) (uint64, bool) {
	c := &reading{order: order, at: expression}
	var stack []uint64
	if framed {
		stack = append(stack, frame)
	}
	for len(c.at) > 0 {
		op := byte(c.number(1))
		switch {
		case op >= 0x30 && op <= 0x4f: // a small number
			stack = append(stack, uint64(op-0x30))
		case op >= 0x70 && op <= 0x8f: // a register and an offset
			v, ok := w.registers.Value(uint64(op - 0x70))
			if !ok {
				return 0, false
			}
			stack = append(stack, v+uint64(c.signed()))
		case op == 0x06 && len(stack) > 0: // the word there
			v, ok := w.word(stack[len(stack)-1], order)
			if !ok {
				return 0, false
			}
			stack[len(stack)-1] = v
		case op == 0x23 && len(stack) > 0:
			stack[len(stack)-1] += c.unsigned()
		case len(stack) > 1:
			v, ok := combined(op, stack[len(stack)-2], stack[len(stack)-1])
			if !ok {
				return 0, false
			}
			stack = append(stack[:len(stack)-2], v)
		default:
			return 0, false
		}
	}
	if c.failed || len(stack) == 0 {
		return 0, false
	}
	return stack[len(stack)-1], true
}

// combined is what an operation makes of two values. Linkers use these in the table for linked functions (.plt), where
// the place of the return address follows from that of the instruction.
func combined(op byte, a, b uint64) (v uint64, ok bool) {
	switch op {
	case 0x1a: // and
		return a & b, true
	case 0x22: // plus
		return a + b, true
	case 0x24: // shl
		return a << b, true
	case 0x2a: // ge
		if int64(a) >= int64(b) {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}
