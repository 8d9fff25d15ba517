package callsite

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"unknot/internal/attach/thread"
	"unknot/internal/kit/amd64"
	"unknot/internal/kit/procstat"
	"unknot/internal/kit/symbol"
)

// mostCode is the largest function that is read.
const mostCode = 1 << 20

// Of is the call that the function at a place of a thread's stack is in, which is not the innermost one; nil if
// it may not be in it.
func Of(r *symbol.Resolver, p *thread.Process, seen *thread.Seen, i int) *Site {
	k := &stackReader{r: r, p: p, memory: seen.Memory, stack: seen.Stack, sites: make(map[int]*Site)}
	return k.site(i)
}

// stackReader makes the sites of one stack.
type stackReader struct {
	r      *symbol.Resolver
	p      *thread.Process
	memory io.ReaderAt
	stack  []symbol.Activation
	sites  map[int]*Site
	fixed  []Range // the memory that nobody can write
	read   bool
}

// site is the call that a function of the stack is in; nil if it is in none.
func (k *stackReader) site(i int) *Site {
	if i < 1 || i >= len(k.stack) {
		return nil
	}
	if s, made := k.sites[i]; made {
		return s
	}
	a := &k.stack[i]
	s := &Site{Return: a.PC, SP: a.SP, Memory: k.memory, Register: a.Registers.Value, Fixed: k.isFixed}
	k.sites[i] = s
	module, _ := k.p.Maps.Locate(a.PC - 1)
	module = filepath.Base(module)
	s.Keeps = strings.HasPrefix(module, "libmpi") || strings.HasPrefix(module, "mca_pml_")
	s.Code = func(at uint64) (Part, bool) {
		from, code := function(k.r, k.p, at)
		return Part{from, code}, code != nil
	}
	s.Caller = func() *Site { return k.site(i + 1) }
	s.Callee = func() *Site { return k.site(i - 1) }
	s.Declared = sync.OnceValue(func() []symbol.Passed { return k.r.Passed(k.p.Maps, a.PC) })
	s.Begin, _, _ = k.r.Function(k.p.Maps, a.PC-1)
	s.Parts = k.parts(a.PC - 1)
	if a.Sought && !k.verified(s, k.stack[i-1].PC) {
		k.sites[i] = nil
		return nil
	}
	if i+1 < len(k.stack) && (!k.stack[i+1].Sought || k.site(i+1) != nil) {
		s.Frame = k.stack[i+1].SP
	}
	return s
}

// verified says whether a call is of the function that has the code at an address. One whose place on the stack was
// searched for may be an earlier one otherwise.
func (k *stackReader) verified(s *Site, at uint64) bool {
	from, _, ok := k.r.Function(k.p.Maps, at)
	return ok && s.calls(from)
}

// parts are those of the function at an address, that part first.
func (k *stackReader) parts(at uint64) (list []Part) {
	work := []uint64{at}
	for ; len(work) > 0; work = work[1:] {
		if slices.ContainsFunc(list, func(p Part) bool { return p.has(work[0]) }) {
			continue
		}
		from, code := function(k.r, k.p, work[0])
		if code == nil {
			continue
		}
		part := Part{from, code}
		leaves := part.leaves()
		back := func(to uint64) bool {
			return slices.ContainsFunc(list, func(p Part) bool { return p.has(to) && to != p.From })
		}
		if len(list) > 0 && !slices.ContainsFunc(leaves, back) {
			continue // another function, which is called as the last thing, or one that does not return
		}
		list = append(list, part)
		work = append(work, leaves...)
	}
	return list
}

func (p Part) has(at uint64) bool { return at >= p.From && at-p.From < uint64(len(p.Code)) }

// leaves are the addresses outside of some code to which it jumps: other parts of the function, or functions.
func (p Part) leaves() (list []uint64) {
	code, _ := amd64.Decode(p.Code, p.From)
	for i := range code {
		if to, direct := code[i].Target(); direct && amd64.Jumps(code[i].Op) && !p.has(to) {
			list = append(list, to)
		}
	}
	return list
}

// function is the code around an address; nil if it cannot be had.
func function(r *symbol.Resolver, p *thread.Process, at uint64) (from uint64, code []byte) {
	from, to, ok := r.Function(p.Maps, at)
	if !ok || to-from > mostCode {
		return 0, nil
	}
	code = make([]byte, to-from)
	if n, err := p.Memory.ReadAt(code, int64(from)); err != nil && err != io.EOF || n < len(code) {
		return 0, nil
	}
	return from, code
}

// isFixed says whether memory is mapped without the right to write, from a file that is not shared.
func (k *stackReader) isFixed(at, size uint64) bool {
	if !k.read {
		k.read = true
		text, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(k.p.PID), "maps"))
		for line := range strings.SplitSeq(string(text), "\n") {
			if m, ok := procstat.ReadMapping(line); ok && strings.HasPrefix(m.Rights, "r-") && strings.HasSuffix(m.Rights, "p") {
				k.fixed = append(k.fixed, Range{m.From, m.To})
			}
		}
	}
	return slices.ContainsFunc(k.fixed, func(r Range) bool { return at >= r.From && at < r.To && size <= r.To-at })
}
