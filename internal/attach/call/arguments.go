package call

import (
	"path/filepath"
	"strings"

	"unknot/internal/attach/callsite"
	"unknot/internal/attach/thread"
	"unknot/internal/vocab/mpi"
)

// arguments are what a call was given, by the parameters of its function.
func (f *Finder) arguments(p *thread.Process, seen *thread.Seen, c *Call) []callsite.Value {
	n := len(c.Function.Params)
	site := callsite.Of(f.Resolver, p, seen, c.Caller)
	entry := f.entry(p, seen, c.Caller, site, c.Function)
	list := site.Arguments(n, entry)
	if site != nil {
		if site.Written = f.written(c.Function, site, list); len(site.Written) > 0 {
			list = site.Arguments(n, entry)
		}
	}
	if c.Program == c.Caller {
		return list
	}
	own := callsite.Of(f.Resolver, p, seen, c.Program)
	if own == nil {
		return list
	}
	if site != nil {
		own.Written = site.Written
	}
	module, _ := p.Maps.Locate(seen.Stack[c.Program-1].PC)
	mpich := !strings.HasPrefix(filepath.Base(module), "libmpi_") // whose layer for Fortran is called libmpi_mpifh
	for i, at := range own.Arguments(n, f.entry(p, seen, c.Program, own, c.Function)) {
		param := &c.Function.Params[i]
		switch {
		case isInt(param) && !c.Function.Large(), mpich && param.Kind == mpi.KHandle && !list[i].Known:
			if v := own.At(at, 4); v.Known {
				list[i] = v
			}
		}
	}
	return list
}

// entry is where the code of a function of MPI begins that a caller in the stack is in: the function above, or the one
// that is called and has called that as the last thing.
func (f *Finder) entry(p *thread.Process, seen *thread.Seen, caller int, s *callsite.Site, fn *mpi.Func) uint64 {
	pc := seen.Stack[caller-1].PC
	if caller > 1 {
		pc--
	}
	from, _, _ := f.Resolver.Function(p.Maps, pc)
	if to, known := s.Target(); known && to != from {
		if called, _ := f.named(p, to, false); called == fn {
			return to
		}
	}
	return from
}

// isInt says whether a parameter is an int in C and an INTEGER in Fortran.
func isInt(p *mpi.Param) bool {
	switch p.Role {
	case mpi.RPeer, mpi.RTag, mpi.RRoot, mpi.RCount, mpi.RRecvCount, mpi.RSource, mpi.RRecvTag, mpi.RAssert, mpi.RLockType:
		return p.Kind == mpi.KInt
	}
	return false
}

// unbounded is how much memory a buffer has of which the size is not known.
const unbounded = 1 << 20

// written are the parts of the memory that a call may write before it returns: messages that have come in part.
func (f *Finder) written(fn *mpi.Func, s *callsite.Site, list []callsite.Value) (ranges []callsite.Range) {
	for _, b := range fn.Buffers() {
		if b.Access == mpi.Reads || !list[b.At].Known || list[b.At].Bits == 0 {
			continue
		}
		from, size := list[b.At].Bits, uint64(unbounded)
		if b.Count >= 0 && !b.Counts && !b.Types && b.Each == mpi.ByParam && list[b.Count].Known {
			if n, _ := list[b.Count].Int(); b.Type < 0 {
				size = uint64(max(n, 0))
			} else if each, known := extent(s, list[b.Type]); known {
				size = uint64(max(n, 0)) * each
			}
		}
		ranges = append(ranges, callsite.Range{From: from, To: from + size})
	}
	return ranges
}

// extent is how many bytes elements of a datatype have, each; false if that is not known.
func extent(s *callsite.Site, datatype callsite.Value) (uint64, bool) {
	if !datatype.Known {
		return 0, false
	}
	const predefined = 0x4c // of MPICH's handles, which have the size in the second byte
	if uint32(datatype.Bits)>>24 == predefined {
		return datatype.Bits >> 8 & 0xff, true
	}
	// Open MPI's handle points to a structure (opal_datatype_t): a header of 16 bytes, flags, an identifier, a mask; the
	// size; where elements really begin and end; the lower and the upper bound.
	const sane = 1 << 30
	var words [5]uint64
	for i := range words {
		v := s.At(callsite.Value{Bits: datatype.Bits + 24 + 8*uint64(i), Known: true}, 8)
		if !v.Known || v.Bits > sane {
			return 0, false
		}
		words[i] = v.Bits
	}
	size, end, upper := words[0], words[2], words[4]
	return max(end, upper), words[1] == 0 && words[3] == 0 && size > 0 && upper >= size
}
