package callsite

import (
	"math/bits"
	"slices"

	"golang.org/x/arch/x86/x86asm"

	"unknot/internal/kit/amd64"
)

// flow is a function as the graph of its instructions.
type flow struct {
	code   []instruction
	index  map[uint64]int // of the instruction at an address
	before [][]int        // the instructions from which one is reached
	after  [][]int        // those that may come next
	call   int            // the one that has not returned
	sp     []depth
	leads  set             // those that may come before the call
	stores set             // those that may write memory
	change map[uint64]set  // those that may change a register
	tables map[uint64]bool // addresses that the code names
	framed bool            // rbp is the pointer of the function's frame
	others *others         // functions that it calls
}

// depth is the stack pointer before an instruction, from the one at the call.
type depth struct {
	offset int64
	known  bool
}

// newFlow reads a function; nil if that is not possible.
func newFlow(s *Site) *flow {
	f := &flow{index: make(map[uint64]int), call: -1, change: make(map[uint64]set), others: newOthers(s.Code)}
	ends := make(map[int]bool) // the last instructions of parts
	for _, part := range s.Parts {
		list, ok := amd64.Decode(part.Code, part.From)
		if !ok {
			return nil
		}
		for _, in := range list {
			if in.Where+uint64(in.Len) == s.Return && in.Op == x86asm.CALL {
				f.call = len(f.code)
			}
			f.index[in.Where] = len(f.code)
			f.code = append(f.code, in)
		}
		ends[len(f.code)-1] = true
	}
	if f.call < 0 {
		return nil
	}
	f.before, f.after = make([][]int, len(f.code)), make([][]int, len(f.code))
	for i := range f.code {
		to, ok := f.jumpsTo(s, i)
		if !ok {
			return nil
		}
		for _, at := range to {
			if n, inside := f.index[at]; inside {
				f.link(i, n)
			}
		}
		if f.continues(i) && !ends[i] {
			f.link(i, i+1)
		}
	}
	f.unpad()
	f.framed = f.hasFrame()
	f.stores = newSet(len(f.code))
	for i := range f.code {
		if mayStore(&f.code[i]) {
			f.stores.add(i)
		}
	}
	f.leads = f.reach(f.call, f.before, nil)
	f.depths()
	return f
}

// unpad takes away the steps from instructions that nothing leads to and that do nothing: they fill up the space before
// the target of a jump.
func (f *flow) unpad() {
	for i := 1; i < len(f.code); i++ {
		if in := &f.code[i]; in.Op == x86asm.NOP && !in.Vector && !in.Entered && len(f.before[i]) == 0 {
			for _, n := range f.after[i] {
				f.before[n] = slices.DeleteFunc(f.before[n], func(m int) bool { return m == i })
			}
			f.after[i] = nil
		}
	}
}

func (f *flow) link(i, n int) {
	for _, m := range f.after[i] {
		if m == n {
			return
		}
	}
	f.after[i] = append(f.after[i], n)
	f.before[n] = append(f.before[n], i)
}

// continues says whether the next instruction may be the one behind.
func (f *flow) continues(i int) bool {
	switch f.code[i].Op {
	case x86asm.JMP, x86asm.RET, x86asm.UD2, x86asm.HLT, x86asm.LRET, x86asm.IRETQ:
		return false
	}
	return true
}

// jumpsTo is where an instruction may jump; false if that cannot be said.
func (f *flow) jumpsTo(s *Site, i int) (to []uint64, ok bool) {
	in := &f.code[i]
	if !amd64.Jumps(in.Op) {
		return nil, true
	}
	switch a := in.Args[0].(type) {
	case x86asm.Rel:
		return []uint64{in.Where + uint64(in.Len) + uint64(int64(a))}, true
	case x86asm.Mem:
		if a.Base == x86asm.RIP {
			return nil, true // through the table of linked functions, as the last thing
		}
	}
	if to = f.jumpTables(s, i); len(to) > 0 {
		return to, true
	}
	return nil, f.leaves(i) // another function that is called as the last thing
}

// leaves says whether the function has given its part of the stack back directly before an instruction.
func (f *flow) leaves(i int) bool {
	const near = 12
	for j := i - 1; j >= 0 && j >= i-near; j-- {
		in := &f.code[j]
		first, _ := in.Args[0].(x86asm.Reg)
		switch {
		case in.Op == x86asm.POP, in.Op == x86asm.LEAVE, in.Op == x86asm.ADD && first == x86asm.RSP:
			return true
		case amd64.Jumps(in.Op), in.Op == x86asm.CALL, in.Op == x86asm.RET:
			return false
		}
	}
	return false
}

// reach are the instructions that are reached from one, which itself counts only if it is; of those in within, if that
// is not nil.
func (f *flow) reach(from int, next [][]int, within set) set {
	found := newSet(len(f.code))
	work := []int{from}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		for _, n := range next[i] {
			if !found.has(n) && (within == nil || within.has(n)) {
				found.add(n)
				work = append(work, n)
			}
		}
	}
	return found
}

// depths finds the stack pointer before the instructions that lead to the call.
func (f *flow) depths() {
	f.sp = make([]depth, len(f.code))
	f.sp[f.call] = depth{0, true}
	conflict := newSet(len(f.code))
	work := []int{f.call}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		for _, n := range f.before[i] {
			change, ok := stackChange(&f.code[n])
			if !ok {
				conflict.add(n)
				continue
			}
			d := depth{f.sp[i].offset - change, true}
			switch {
			case !f.sp[n].known:
				f.sp[n] = d
				work = append(work, n)
			case f.sp[n] != d:
				conflict.add(n)
			}
		}
	}
	for i := range f.code { // whatever comes before those is not known either
		if conflict.has(i) {
			f.sp[i].known = false
			before := f.reach(i, f.before, nil)
			for k := range f.code {
				if before.has(k) {
					f.sp[k].known = false
				}
			}
		}
	}
}

// stackChange is what an instruction adds to the stack pointer.
func stackChange(in *instruction) (int64, bool) {
	first, _ := in.Args[0].(x86asm.Reg)
	amount, constant := in.Args[1].(x86asm.Imm)
	switch {
	case in.Op == x86asm.PUSH:
		return -8, in.Prefix[0]&0xff != 0x66
	case in.Op == x86asm.POP && first != x86asm.RSP:
		return 8, in.Prefix[0]&0xff != 0x66
	case in.Op == x86asm.SUB && first == x86asm.RSP && constant:
		return -int64(amount), true
	case in.Op == x86asm.ADD && first == x86asm.RSP && constant:
		return int64(amount), true
	case in.Op == x86asm.LEA && first == x86asm.RSP:
		m, _ := in.Args[1].(x86asm.Mem)
		return m.Disp, m.Base == x86asm.RSP && m.Index == 0
	case in.Op == x86asm.CALL: // it returns with what it found
		return 0, true
	}
	return 0, effectOn(in, stackPointer) == none
}

// changes are the instructions that may change a register.
func (f *flow) changes(register uint64) set {
	found, ok := f.change[register]
	if !ok {
		found = newSet(len(f.code))
		for i := range f.code {
			if effectOn(&f.code[i], register) != none && !f.leftBy(i, register) {
				found.add(i)
			}
		}
		f.change[register] = found
	}
	return found
}

// leftBy says whether an instruction calls a function that leaves a register as it is, though it need not.
func (f *flow) leftBy(i int, register uint64) bool {
	in := &f.code[i]
	to, direct := in.Target()
	return in.Op == x86asm.CALL && direct && !f.others.change(to).has(register)
}

// set is a set of instructions.
type set []uint64

func newSet(n int) set { return make(set, (n+63)/64) }

func (s set) add(i int) { s[i/64] |= 1 << (i % 64) }

func (s set) has(i int) bool { return s[i/64]>>(i%64)&1 != 0 }

// with is the union of sets.
func (s set) with(other set) set {
	all := append(set(nil), s...)
	for i, word := range other {
		all[i] |= word
	}
	return all
}

func (s set) meets(other set) bool {
	for i, word := range other {
		if s[i]&word != 0 {
			return true
		}
	}
	return false
}

// both are the members that two sets share.
func (s set) both(other set) (list []int) {
	for i, word := range other {
		for word &= s[i]; word != 0; word &= word - 1 {
			list = append(list, 64*i+bits.TrailingZeros64(word))
		}
	}
	return list
}
