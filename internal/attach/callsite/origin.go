package callsite

import (
	"golang.org/x/arch/x86/x86asm"

	"unknot/internal/kit/amd64"
)

// origin asks whether values are what a register held when the function began, moved between registers and put aside on
// the stack.
type origin struct {
	e        *evaluation
	register uint64
	bytes    int // so many of them are
	asked    map[[2]uint64]bool
}

// is says whether a register has that before an instruction.
func (o *origin) is(i int, register uint64) bool {
	key := [2]uint64{uint64(i), register}
	if o.asked[key] {
		return true // around a loop nothing else is added
	}
	o.asked[key] = true
	d := o.e.reaching(i, register, nil)
	if d.lost || d.entry && register != o.register || len(d.from) == 0 && !d.entry {
		return false
	}
	for _, j := range d.from {
		if !o.moved(j, register) {
			return false
		}
	}
	return true
}

// moved says whether an instruction has moved that to a register.
func (o *origin) moved(j int, register uint64) bool {
	in := &o.e.flow.code[j]
	if effectOn(in, register) != writes || in.Op != x86asm.MOV && in.Op != x86asm.MOVSXD {
		return false
	}
	switch from := in.Args[1].(type) {
	case x86asm.Reg:
		n, size, ok := amd64.Number(from)
		o.bytes = min(o.bytes, size)
		return ok && size >= 4 && o.is(j, n)
	case x86asm.Mem:
		at, known := o.e.address(j, from, o.e.flow.leads)
		size := in.MemBytes
		o.bytes = min(o.bytes, size)
		return known && size >= 4 && o.e.flow.ofStack(from) && at >= o.e.SP && at < o.e.Frame &&
			!o.e.escapes(at, uint64(size), at-nearby) && o.putAside(j, at, uint64(size))
	}
	return false
}

// putAside says whether what an instruction reads on the stack was stored there, on all paths, as what is asked for.
func (o *origin) putAside(j int, at, size uint64) bool {
	f := o.e.flow
	seen := newSet(len(f.code))
	work := []int{j}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if len(f.before[n]) == 0 {
			return false
		}
		for _, k := range f.before[n] {
			if seen.has(k) {
				continue
			}
			seen.add(k)
			in := &f.code[k]
			if m, is := in.Args[0].(x86asm.Mem); !f.stores.has(k) || in.Op == x86asm.CALL || is && !f.ofStack(m) {
				work = append(work, k)
				continue
			}
			to, bytes, known := o.e.store(k, f.leads)
			switch {
			case !known:
				return false
			case to >= at+size || to+bytes <= at:
				work = append(work, k)
				continue
			}
			from, is := in.Args[1].(x86asm.Reg)
			n, _, ok := amd64.Number(from)
			if !is || !ok || in.Op != x86asm.MOV || to != at || bytes < size || !o.is(k, n) {
				return false
			}
		}
	}
	return true
}
