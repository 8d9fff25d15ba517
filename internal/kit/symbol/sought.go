package symbol

import "bytes"

// A function of x86-64 that keeps its frame's address in a register (as all do that are compiled without optimisation)
// has saved its caller's first. If nothing that it called has saved its own, the frame is where the function's first
// instructions have put it, or else where the return address is behind a call of just this function. What is left in a
// frame by calls that are over must not be taken for it.

// mostSought bounds the frames that are looked through.
const mostSought = 1 << 20

// sought is the frame's address of a function; not ok if it is not certain.
func (w *walk) sought(at *code, now *row, sp uint64) (frame uint64, ok bool) {
	by := &now.rules[at.machine.frame]
	if at.machine.frame != 6 || now.frame.kind != ruleIs || now.frame.register != at.machine.frame ||
		now.frame.offset != 16 ||
		by.kind != ruleAt || by.offset != -16 || now.rules[at.fn.common.returns].offset != -8 {
		return 0, false
	}
	begin := at.fn.from + at.bias
	if size, known := w.prologue(at, begin); known {
		if back, there := w.word(sp+size+8, at.tables.order); there && w.maps.Has(back-1) &&
			w.called(at, back, begin, true) {
			return sp + size + 16, true
		}
	}
	const page = 4096
	var block [page]byte
	for from := sp &^ 15; from < sp+mostSought; from += page {
		n, _ := w.memory.ReadAt(block[:], int64(from))
		for i := 0; i+16 <= n; i += 16 {
			back := at.tables.order.Uint64(block[i+8:])
			if w.maps.Has(back-1) && w.called(at, back, begin, false) {
				return from + uint64(i) + 16, true
			}
		}
		if n < page {
			break
		}
	}
	return 0, false
}

// prologue is how far below its frame's address a function has the end of its stack, by its first instructions: not
// known if they do more than save registers and reserve memory.
func (w *walk) prologue(at *code, begin uint64) (size uint64, known bool) {
	var code [40]byte
	if n, _ := w.memory.ReadAt(code[:], int64(begin)); n < len(code) {
		return 0, false
	}
	rest := bytes.TrimPrefix(code[:], []byte("\xf3\x0f\x1e\xfa")) // endbr64
	rest, ok := bytes.CutPrefix(rest, []byte("\x55\x48\x89\xe5")) // push %rbp; mov %rsp,%rbp
	if !ok {
		return 0, false
	}
	for {
		switch {
		case rest[0] == 0x53: // push %rbx
			rest, size = rest[1:], size+8
		case rest[0] == 0x41 && rest[1]&^3 == 0x54: // push %r12 to %r15
			rest, size = rest[2:], size+8
		case rest[0] == 0x48 && rest[1] == 0x83 && rest[2] == 0xec: // sub $byte,%rsp
			return size + uint64(int64(int8(rest[3]))), true
		case rest[0] == 0x48 && rest[1] == 0x81 && rest[2] == 0xec: // sub $long,%rsp
			return size + uint64(at.tables.order.Uint32(rest[3:])), true
		default:
			return size, true
		}
		if len(rest) < 8 {
			return 0, false
		}
	}
}

// called says whether an address is behind a call of the function that begins there, directly or through a table of
// linked functions; or, if that will do, one that only a register says the function of.
func (w *walk) called(at *code, back, begin uint64, indirectly bool) bool {
	var code [7]byte
	if n, _ := w.memory.ReadAt(code[:], int64(back-7)); n < len(code) {
		return false
	}
	relative := func(end uint64, b []byte) uint64 { return end + uint64(int64(int32(at.tables.order.Uint32(b)))) }
	if code[2] == 0xe8 { // call
		to := relative(back, code[3:])
		if to == begin || w.linkedTo(at, to) == begin {
			return true
		}
	}
	if code[1] == 0xff && code[2] == 0x15 { // call *there(%rip)
		if to, ok := w.word(relative(back, code[3:]), at.tables.order); ok && to == begin {
			return true
		}
	}
	for _, length := range []int{2, 3, 4, 6} { // call *%rax, *8(%rax), *8(%rsp), *1024(%rax)
		if i := len(code) - length; code[i] == 0xff && code[i+1]>>3&7 == 2 {
			return indirectly
		}
	}
	return false
}

// linkedTo is where the entry of a table of linked functions leads, 0 for any other.
func (w *walk) linkedTo(at *code, entry uint64) uint64 {
	var code [12]byte
	if n, _ := w.memory.ReadAt(code[:], int64(entry)); n < len(code) {
		return 0
	}
	i := 0
	if string(code[:4]) == "\xf3\x0f\x1e\xfa" { // endbr64
		i = 4
	}
	if code[i] == 0xf2 { // bnd
		i++
	}
	if code[i] != 0xff || code[i+1] != 0x25 || i+6 > len(code) { // jmp *there(%rip)
		return 0
	}
	to, _ := w.word(entry+uint64(i)+6+uint64(int64(int32(at.tables.order.Uint32(code[i+2:])))), at.tables.order)
	return to
}
