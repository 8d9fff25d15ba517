package amd64

import (
	"strings"

	"golang.org/x/arch/x86/x86asm"
)

// Text is code that is searched for places where a thread may wait for another one, or decide by what others did,
// without calling a function for that.
type Text struct {
	From uint64
	Code []byte
	// Name is the function at an address: one of the program, or of a library that is called through the linker's table.
	Name func(at uint64) string
	// Linked is the function that a word of the linker's table leads to, "" if there is none.
	Linked func(word uint64) string
}

// How long a loop may be, in instructions, and how deep the functions that it calls.
const (
	longest = 96
	deepest = 3
)

// Waits gives the addresses of instructions by which a thread orders itself after others, in order, until yield is
// false. These are
//   - jumps out of a loop, or back to its begin, which depend on memory that the loop does not change: as a loop that
//     waits for a variable, a spin lock;
//   - jumps that depend on what an atomic operation found: the last thread that counts down continues.
//
// What else has such code, such as a loop that a compiler left with a condition that never changes, is among them.
func (t *Text) Waits(yield func(at uint64) bool) {
	recent := make([]Instruction, 0, 2*longest)
	for at := 0; at < len(t.Code); {
		in, err := DecodeOne(t.Code[at:])
		if err != nil || in.Len == 0 {
			at++
			recent = recent[:0] // what follows may be no instruction
			continue
		}
		in.Where = t.From + uint64(at)
		at += in.Len
		if len(recent) == cap(recent) {
			recent = append(recent[:0], recent[longest:]...)
		}
		recent = append(recent, in)
		if !Jumps(in.Op) {
			continue
		}
		where, some := t.loop(recent)
		if !some {
			where, some = decides(recent)
		}
		if some && !yield(where) {
			return
		}
	}
}

// loop looks at the loop that the last of some instructions ends, if it does.
func (t *Text) loop(recent []Instruction) (at uint64, some bool) {
	last := len(recent) - 1
	to, direct := recent[last].Target()
	if !direct || to > recent[last].Where {
		return 0, false
	}
	for i := last; i >= 0 && last-i < longest && recent[i].Where >= to; i-- {
		if recent[i].Where == to {
			return t.waits(recent[i:])
		}
	}
	return 0, false
}

// waits says whether the instructions of a loop do nothing but look at memory until that has changed, and where they
// leave it then.
func (t *Text) waits(body []Instruction) (at uint64, some bool) {
	within := ofLoop(body)
	if within == nil {
		return 0, false
	}
	var l values
	for i := range body {
		if within[i] && !t.step(&l, &body[i]) {
			return 0, false
		}
	}
	l = l.again()
	last := &body[len(body)-1]
	for i := range body {
		in := &body[i]
		if !within[i] {
			continue
		}
		if Jumps(in.Op) && in.Op != x86asm.JMP && l.waited() {
			to, _ := in.Target()
			if in == last {
				to = last.Where + uint64(last.Len) // where it does not jump back
			}
			outside := to < body[0].Where || to > last.Where || !within[indexOf(body, to)]
			if outside && !(l.counts && t.leadsInto(to, body[0].Where, last.Where)) {
				return in.Where, true
			}
		}
		t.step(&l, in)
	}
	return 0, false
}

// leadsInto says whether code jumps into a loop: it may be a part of the loop that lies elsewhere.
func (t *Text) leadsInto(at, begin, end uint64) bool {
	for range longest {
		if at < t.From || at-t.From >= uint64(len(t.Code)) {
			return false
		}
		in, err := DecodeOne(t.Code[at-t.From:])
		if err != nil || in.Len == 0 || in.Op == x86asm.RET {
			return false
		}
		in.Where = at
		at += uint64(in.Len)
		to, direct := in.Target()
		if direct && Jumps(in.Op) && to >= begin && to <= end {
			return true
		}
		if in.Op == x86asm.JMP {
			if at = to; !direct {
				return false
			}
		}
	}
	return false
}

// indexOf is which instruction is at an address of the code, or lies before it.
func indexOf(code []Instruction, at uint64) int {
	i := len(code) - 1
	for i > 0 && code[i].Where > at {
		i--
	}
	return i
}

// ofLoop says which instructions are on a way from the first one to the last; nil if none leads there.
func ofLoop(body []Instruction) []bool {
	last := len(body) - 1
	next := make([][]int, len(body))
	for i := range body[:last] {
		in := &body[i]
		if in.Op != x86asm.JMP && in.Op != x86asm.RET {
			next[i] = append(next[i], i+1)
		}
		if to, direct := in.Target(); direct && Jumps(in.Op) && to >= body[0].Where && to <= body[last].Where {
			next[i] = append(next[i], indexOf(body, to))
		}
	}
	reached, leads := make([]bool, len(body)), make([]bool, len(body))
	reached[0], leads[last] = true, true
	for changed := true; changed; {
		changed = false
		for i, to := range next {
			for _, k := range to {
				if reached[i] && !reached[k] {
					reached[k], changed = true, true
				}
				if leads[k] && !leads[i] {
					leads[i], changed = true, true
				}
			}
		}
	}
	if !reached[last] {
		return nil
	}
	for i := range leads {
		leads[i] = leads[i] && reached[i]
	}
	return leads
}

// decides says whether the last of some instructions jumps by what an atomic operation just found: xadd, or one whose
// result counts only by its flags, as lock sub.
func decides(recent []Instruction) (at uint64, some bool) {
	const near = 6
	last := len(recent) - 1
	if recent[last].Op == x86asm.JMP {
		return 0, false
	}
	found, told := nowhere, false // the register with what was found; whether the flags tell of it
	for i := max(last-near, 0); i < last; i++ {
		in := &recent[i]
		_, memory := in.Args[0].(x86asm.Mem)
		atomic := locked(in) && memory
		switch {
		case Jumps(in.Op) || in.Op == x86asm.CALL:
			found, told = nowhere, false
		case atomic && in.Op == x86asm.XADD:
			found = where(in.Args[1])
		case atomic && (setsConditions(in.Op) || in.Op == x86asm.BTS || in.Op == x86asm.BTR):
			told = true
		case in.Op == x86asm.MOV && found != nowhere && where(in.Args[1]) == found:
			found = where(in.Args[0])
		case setsConditions(in.Op):
			told = found != nowhere && (where(in.Args[0]) == found || where(in.Args[1]) == found)
		}
	}
	return recent[last].Where, told
}

func locked(in *Instruction) bool {
	for _, p := range in.Prefix {
		if p&0xff == x86asm.PrefixLOCK&0xff {
			return true
		}
	}
	return false
}

// step takes in what an instruction does to values; false if it does what a loop that only waits does not: it stores,
// or calls what may.
func (t *Text) step(l *values, in *Instruction) bool {
	switch in.Op {
	case x86asm.CALL:
		result, harmless := t.called(in, 0)
		given := value(0)
		for _, r := range []x86asm.Reg{x86asm.RDI, x86asm.RSI, x86asm.RDX, x86asm.RCX, x86asm.R8, x86asm.R9} {
			given |= l.of[where(r)] & changing
		}
		for v := range place(8) {
			given |= l.of[firstVector+v] & changing
		}
		for _, r := range []x86asm.Reg{x86asm.RCX, x86asm.RDX, x86asm.RSI, x86asm.RDI, x86asm.R8, x86asm.R9, x86asm.R10,
			x86asm.R11} {
			l.set(where(r), 0)
		}
		l.set(where(x86asm.RAX), result|given)
		l.set(firstVector, result|given)
		return harmless
	case x86asm.NOP, x86asm.PAUSE, x86asm.MFENCE, x86asm.LFENCE, x86asm.PUSH, x86asm.POP:
		if in.Flags {
			l.set(conditions, changing)
		}
		return !in.Vector || !in.Stores || in.Stack
	case x86asm.CDQE, x86asm.CWDE:
		return true
	case x86asm.CDQ, x86asm.CQO:
		l.set(where(x86asm.RDX), l.get(where(x86asm.RAX)))
		return true
	case x86asm.RET, x86asm.UD2, x86asm.HLT, x86asm.SYSCALL:
		return false
	}
	if Jumps(in.Op) {
		_, direct := in.Target()
		return direct
	}
	a, b := in.Args[0], in.Args[1]
	name := in.Op.String()
	switch {
	case in.Op == x86asm.CMPXCHG:
		rax := where(x86asm.RAX)
		found := l.read(a)
		l.set(conditions, found|l.get(rax))
		l.set(rax, found)
		return true
	case in.Op == x86asm.XCHG || in.Op == x86asm.XADD || locked(in):
		found := l.read(a)
		l.set(where(b), found)
		l.set(conditions, found)
		return true
	case onlyTests(in.Op):
		l.set(conditions, l.read(a)|l.read(b))
	case in.Op == x86asm.LEA:
		l.set(l.where(a), l.address(b))
		l.point(where(a), where(b))
	case strings.HasPrefix(name, "SET"):
		l.set(l.where(a), l.get(conditions))
	case strings.HasPrefix(name, "CMOV"):
		l.set(l.where(a), l.read(a)|l.read(b)|l.get(conditions))
	case moves(in.Op):
		to, points := l.where(a), l.points[l.where(b)]
		l.set(to, l.read(b))
		l.point(to, points)
	case setsConditions(in.Op):
		v := l.read(a) | l.read(b)
		if in.Op == x86asm.XOR && a == b {
			v = 0
		}
		l.set(l.where(a), v)
		l.set(conditions, v)
	default:
		for _, p := range []place{l.where(a), where(x86asm.RAX), where(x86asm.RDX), conditions} {
			l.set(p, changing)
		}
	}
	_, memory := a.(x86asm.Mem)
	return !memory || onlyTests(in.Op) || l.where(a) != nowhere
}

// called says of a function whether it does nothing but sleep, look at memory or use atomic operations, and what its
// result depends on, other than on its arguments.
func (t *Text) called(in *Instruction, depth int) (result value, harmless bool) {
	to, direct := in.Target()
	name := ""
	if m, is := in.Args[0].(x86asm.Mem); is && m.Base == x86asm.RIP && m.Index == 0 {
		name = t.Linked(in.Where + uint64(in.Len) + uint64(m.Disp))
	} else if direct {
		name = t.Name(to)
	}
	if name == "__errno_location" { // what is there, calls change
		return changing, true
	}
	if strings.Contains(name, "atomic") && !strings.HasPrefix(name, "GOMP_") {
		return loaded, true
	}
	for _, part := range []string{"sleep", "yield", "pause", "chrono"} {
		if strings.Contains(name, part) {
			return 0, true
		}
	}
	if !direct || depth == deepest || to < t.From || to-t.From >= uint64(len(t.Code)) {
		return 0, false
	}
	return t.looks(t.Code[to-t.From:], to, depth)
}

// looks is the same of code of the program.
func (t *Text) looks(code []byte, from uint64, depth int) (result value, harmless bool) {
	var l values
	for at, n := 0, 0; at < len(code) && n < longest; n++ {
		in, err := DecodeOne(code[at:])
		if err != nil || in.Len == 0 {
			return 0, false
		}
		in.Where = from + uint64(at)
		at += in.Len
		if in.Op == x86asm.RET {
			return result | (l.of[where(x86asm.RAX)]|l.of[firstVector])&loaded, true
		}
		if in.Op == x86asm.LEAVE {
			continue
		}
		if in.Op == x86asm.CALL {
			of, ok := t.called(&in, depth+1)
			if !ok {
				return 0, false
			}
			result |= of
			continue
		}
		if !t.step(&l, &in) {
			return 0, false
		}
	}
	return 0, false
}
