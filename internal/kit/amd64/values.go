package amd64

import "golang.org/x/arch/x86/x86asm"

// value is what is known of a value in a loop.
type value uint8

const (
	loaded   value = 1 << iota // it is from memory that the loop does not change, at an address that stays
	kept                       // it is from a word of the stack that the loop does not change
	changing                   // it depends on what the loop did before, or is not known
)

// place is where a value is: a register, the flags, or a word of the function's own part of the stack.
type place int

// Places other than these are words of the stack, by their distance.
const (
	nowhere place = iota
	firstRegister
	firstVector = firstRegister + 16
	conditions  = firstVector + 16
	firstWord   = conditions + 1<<20
)

// values are those of all places.
type values struct {
	of      map[place]value
	written map[place]bool
	read1st map[place]bool  // a place was read before it was written
	counts  bool            // the loop changes some place from one time to the next
	points  map[place]place // the word of the stack whose address a place has
}

// where is the place of an argument; nowhere if that is not followed.
func where(a x86asm.Arg) place {
	switch a := a.(type) {
	case x86asm.Reg:
		if n, _, ok := Number(a); ok {
			return firstRegister + place(n)
		}
		if a >= x86asm.X0 && a <= x86asm.X15 {
			return firstVector + place(a-x86asm.X0)
		}
	case x86asm.Mem:
		if a.Index != 0 || a.Segment != 0 || a.Disp <= -1<<18 || a.Disp >= 1<<18 {
			return nowhere
		}
		switch {
		case a.Base == x86asm.RSP:
			return firstWord + place(a.Disp)*2
		case a.Base == x86asm.RBP && a.Disp < 0: // what is above is the caller's, or rbp is no frame pointer
			return firstWord + place(a.Disp)*2 + 1
		}
	}
	return nowhere
}

func (l *values) get(p place) value {
	if p == nowhere {
		return 0
	}
	if !l.written[p] {
		if l.read1st == nil {
			l.read1st = make(map[place]bool)
		}
		l.read1st[p] = true
	}
	return l.of[p]
}

func (l *values) set(p place, v value) {
	if p == nowhere {
		return
	}
	if l.of == nil {
		l.of, l.written = make(map[place]value), make(map[place]bool)
	}
	l.of[p], l.written[p] = v, true
	delete(l.points, p)
}

// point notes that a place has the address of a word of the stack.
func (l *values) point(p, word place) {
	if p == nowhere || word < firstWord-1<<19 {
		return
	}
	if l.points == nil {
		l.points = make(map[place]place)
	}
	l.points[p] = word
}

// where is the place of an argument, also of one whose address is in a register.
func (l *values) where(a x86asm.Arg) place {
	if m, is := a.(x86asm.Mem); is && m.Disp == 0 && m.Index == 0 && m.Segment == 0 && m.Base != x86asm.RSP {
		if p, known := l.points[where(m.Base)]; known {
			return p
		}
	}
	return where(a)
}

// read is the value of an argument.
func (l *values) read(a x86asm.Arg) value {
	if _, memory := a.(x86asm.Mem); !memory {
		return l.get(where(a))
	}
	if p := l.where(a); p != nowhere {
		if v := l.get(p); v != 0 || l.written[p] {
			return v
		}
		return kept
	}
	return loaded | l.address(a)
}

// address is the value of the registers in an address.
func (l *values) address(a x86asm.Arg) value {
	m, is := a.(x86asm.Mem)
	if !is {
		return 0
	}
	v := value(0)
	for _, r := range []x86asm.Reg{m.Base, m.Index} {
		if r != 0 && r != x86asm.RIP {
			v |= l.get(where(r)) & changing
		}
	}
	return v
}

// waited says whether the flags depend on memory that others may change. A word of the stack may be nothing but a
// value that did not fit into a register, unless the loop looks at nothing else.
func (l *values) waited() bool {
	v := l.get(conditions)
	return v&changing == 0 && (v&loaded != 0 || v&kept != 0 && !l.counts)
}

// again are the values at the begin of the loop if it was run before: a place that is written in it, after it was read,
// has another value each time.
func (l *values) again() values {
	next := values{of: make(map[place]value), written: make(map[place]bool)}
	for p := range l.read1st {
		if l.written[p] {
			next.of[p], next.counts = changing, true
		}
	}
	return next
}

// onlyTests says whether an instruction changes nothing but flags.
func onlyTests(op x86asm.Op) bool {
	switch op {
	case x86asm.CMP, x86asm.TEST, x86asm.BT, x86asm.UCOMISD, x86asm.UCOMISS, x86asm.COMISD, x86asm.COMISS:
		return true
	}
	return false
}

// moves says whether an instruction copies its second argument to its first one.
func moves(op x86asm.Op) bool {
	switch op {
	case x86asm.MOV, x86asm.MOVZX, x86asm.MOVSX, x86asm.MOVSXD, x86asm.MOVD, x86asm.MOVQ, x86asm.MOVSD_XMM,
		x86asm.MOVSS, x86asm.MOVAPD, x86asm.MOVAPS:
		return true
	}
	return false
}

// setsConditions says whether the flags tell of an instruction's result.
func setsConditions(op x86asm.Op) bool {
	switch op {
	case x86asm.ADD, x86asm.SUB, x86asm.AND, x86asm.OR, x86asm.XOR, x86asm.INC, x86asm.DEC, x86asm.NEG, x86asm.SHL,
		x86asm.SHR, x86asm.SAR:
		return true
	}
	return onlyTests(op)
}
