package symbol

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"

	"unknot/internal/vocab/finding"
)

// The call stack of a thread that runs a script in Python, read from outside: nothing runs in the process. If the
// thread runs meanwhile, what is read changes. So each object must be of the type that it is taken for, an instruction
// must be in the code of its frame, and only functions are given that have not returned when all is read.

const (
	mostInterpreters = 64
	mostStates       = 1 << 16 // of threads
	mostScript       = 1 << 12 // frames
	mostTries        = 4
)

// scriptFrame is a call of a function.
type scriptFrame struct {
	at, code, instruction uint64
	owner                 byte
}

// Source is where the file of a script is that a process names: there, as processes are on this machine.
func (r *Resolver) Source(file string) string { return file }

// Script is the call stack of a thread in Python, innermost first: none if it is not in Python, or that cannot be read.
// What a thread that runs calls only for a moment may be missing.
func (r *Resolver) Script(m *Maps, tid int) []finding.Frame {
	process := "/proc/" + strconv.Itoa(m.pid)
	memory, err := os.Open(process + "/mem")
	if err != nil {
		return nil
	}
	defer memory.Close()
	p := r.interpreter(m, memory)
	if p == nil {
		return nil
	}
	thread := numberInside(filepath.Join(process, "task", strconv.Itoa(tid)))
	if p.layout.mainThread != 0 {
		if tid != m.pid {
			return nil
		}
		thread = p.word(p.runtime + p.layout.mainThread)
	}
	for range mostTries {
		p.failed = false
		if stack := p.stack(thread); len(stack) > 0 {
			for i := range stack {
				stack[i].Library = r.owners.LibraryOf(stack[i].File)
			}
			return stack
		}
	}
	return nil
}

// numberInside is a thread's number in the innermost namespace, which its process knows.
func numberInside(task string) uint64 {
	status, _ := os.ReadFile(task + "/status") // the thread may have ended
	for line := range bytes.Lines(status) {
		if list, is := bytes.CutPrefix(line, []byte("NSpid:")); is {
			if f := bytes.Fields(list); len(f) > 0 {
				n, _ := strconv.ParseUint(string(f[len(f)-1]), 10, 64) // the kernel writes it
				return n
			}
		}
	}
	n, _ := strconv.ParseUint(filepath.Base(task), 10, 64)
	return n
}

// stack is the call stack of a thread, if all of it can be read.
func (p *interpreter) stack(thread uint64) []finding.Frame {
	before := p.frames(thread)
	places := make([]finding.Frame, min(len(before), mostFrames))
	from := 0 // the innermost that may be true
	for i := range places {
		if before[i].owner >= ownedByC {
			continue
		}
		begun := false
		if places[i], begun = p.place(&before[i]); !begun {
			from = i + 1 // it has called nothing yet: what was read before it has returned
		}
	}
	still := len(before) // how many calls have not returned
	for range mostLooks {
		after := p.frames(thread)
		if p.failed {
			return nil
		}
		still = min(still, lasting(before, after))
	}
	var stack []finding.Frame
	for i := max(from, len(before)-still); i < len(places); i++ {
		if places[i].Line > 0 {
			stack = append(stack, places[i])
		}
	}
	return stack
}

// mostLooks is how often frames are read again: those of a thread that runs may be the same by chance, and not be of one
// moment.
const mostLooks = 4

// lasting is how many of the outermost calls have not returned between two looks.
func lasting(before, after []scriptFrame) (n int) {
	for n < min(len(before), len(after)) {
		a, b := &before[len(before)-1-n], &after[len(after)-1-n]
		if a.at != b.at || a.code != b.code {
			break
		}
		n++
		if a.instruction != b.instruction {
			break // what it had called then has returned
		}
	}
	return n
}

// Owners of frames. Those from ownedByC on are the interpreter's own: such a frame is of no function.
const (
	ownedByGenerator = 1
	ownedByC         = 3
)

// frames are the calls that a thread is in, innermost first.
func (p *interpreter) frames(thread uint64) []scriptFrame {
	state := p.state(thread)
	if state == 0 {
		return nil
	}
	l := &p.layout
	at := p.word(state + l.frame)
	if l.framed && at != 0 {
		at = p.word(at + l.inFrame)
	}
	size := max(l.code, l.instruction, l.previous, l.owner) + 8
	var list []scriptFrame
	for at != 0 && !p.failed {
		if len(list) == mostScript {
			p.failed = true
			break
		}
		b := p.bytes(at, size)
		member := func(at uint64) uint64 { return p.order.Uint64(b[at:]) }
		const tags = 7 // of a reference, which is one of an object in the code's place
		f := scriptFrame{at: at, code: member(l.code) &^ tags, instruction: member(l.instruction)}
		at = member(l.previous)
		generator, freed := false, false
		if l.lines == locationTable {
			f.owner = b[l.owner]
			generator = f.owner == ownedByGenerator
		} else {
			f.instruction &= 1<<32 - 1
			generator, freed = member(l.owner) != 0, member(0) == 0 // it counts its references
		}
		if freed || generator && at == 0 {
			p.failed = true // it has just returned, or yielded
		}
		list = append(list, f)
	}
	return list
}

// state is where the interpreter keeps what it knows of a thread, 0 if it does not know it.
func (p *interpreter) state(thread uint64) uint64 {
	l := &p.layout
	of := p.word(p.runtime + l.interpreters)
	for range mostInterpreters {
		if of == 0 || p.failed {
			return 0
		}
		at := p.word(of + l.threads)
		for n := 0; at != 0 && !p.failed; n++ {
			if p.word(at+l.ofInterpreter) != of || n == mostStates {
				p.failed = true
				return 0
			}
			if p.word(at+l.threadID) == thread {
				return at
			}
			at = p.word(at + l.nextThread)
		}
		of = p.word(of + l.nextInterpreter)
	}
	return 0
}

// place is the position of a frame: without a line if the compiler has given its instruction none. begun is false if
// its function has just been called.
func (p *interpreter) place(f *scriptFrame) (at finding.Frame, begun bool) {
	p.typed(f.code, p.types.code)
	unit, units, begun := p.unit(f)
	if !begun {
		return at, false
	}
	first := int32(p.word(f.code + p.layout.firstLine))
	table := p.bytesOf(p.word(f.code + p.layout.locations))
	if p.failed || unit >= units {
		p.failed = true
		return at, true
	}
	line, ok := lineOf(p.layout.lines, table, int(first), unit, units)
	if !ok || line < 0 {
		p.failed = true
		return at, true
	}
	if at.Line = line; line > 0 {
		at.File, at.Function = p.text(p.word(f.code+p.layout.file)), p.text(p.word(f.code+p.layout.function))
	}
	return at, true
}

// unit is the instruction of a frame by its number, and how many its function has; begun is false if it has made none
// yet.
func (p *interpreter) unit(f *scriptFrame) (unit, units uint64, begun bool) {
	const size = 2 // bytes of an instruction
	l := &p.layout
	if l.lines == locationTable {
		from := f.code + l.text
		p.failed = p.failed || f.instruction < from-size
		return (f.instruction - from) / size, p.word(f.code + l.size), f.instruction != from-size
	}
	text := p.word(f.code + l.text)
	p.typed(text, p.types.bytes)
	unit = f.instruction // a number, which is -1 at first
	if l.lines == stepTable {
		unit /= size
	}
	return unit, p.word(text+l.size) / size, f.instruction != 1<<32-1
}

// typed checks the type of an object.
func (p *interpreter) typed(object, as uint64) {
	if p.word(object+p.layout.kind) != as {
		p.failed = true
	}
}
