// Package place says where the calls of ranks are in the program, by symbols, call stacks and scripts, and what their
// arguments are called. It reads what is known of a rank, and changes nothing.
package place

import (
	"slices"

	"unknot/internal/agent/kernel"
	"unknot/internal/check"
	"unknot/internal/check/written"
	"unknot/internal/kit/symbol"
	"unknot/internal/model/objects"
	"unknot/internal/observe/decode"
	"unknot/internal/observe/ring"
	"unknot/internal/say/explain"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// Places says where the calls of ranks are, and what their arguments are called. It is used by one goroutine.
type Places struct {
	table   *mpi.T
	symbols Symbols
	owners  *symbol.Owners
	// declarations is what arguments point to, by place; nil until a check asks.
	declarations map[declaredKey]check.Written
}

// New says it of programs of which symbols knows the addresses, and owners whose code is whose.
func New(table *mpi.T, symbols Symbols, owners *symbol.Owners) Places {
	return Places{table: table, symbols: symbols, owners: owners}
}

// Process is what it has to know of a rank and its process.
type Process struct {
	World   op.Rank
	PID     int
	Objects *objects.Rank
	Maps    *symbol.Maps              // nil until the process has said them
	Python  map[uint64][]decode.Frame // call stacks of scripts, by site
	Callers map[uint64][]uint64       // return addresses, by number
	Stamped uint64                    // the stamp of the last record, all bits of it
}

// Moment is the place of a record among those of its rank, from the low bits that the record has.
func (r *Process) Moment(stamp uint32) uint64 { return r.Stamped - uint64(uint32(r.Stamped)-stamp) }

// Place describes a call without its thread's state.
func (a *Places) Place(r *Process, f *mpi.Func, site uint64, words []uint64, stamp uint32) finding.Place {
	p := finding.Place{Rank: int(r.World), PID: r.PID, Host: kernel.Hostname(), Moment: r.Moment(stamp),
		WaitsFor: []int{}}
	stack := a.Trail(r, site)
	if f != nil && f.Class == mpi.Finalize && r.OfInterpreter(site) {
		stack = nil // called at the end of the script
	}
	if p.Frame = symbol.Written(stack); r.KnowsCallers(site) {
		p.Stack = stack
	}
	if f != nil {
		p.Call = f.Name
		if f.Class == mpi.Finalize && r.Objects.Sessions {
			p.Call = explain.SessionFinalize
		}
		p.SetArgs(a.Args(r, f, words, stamp))
		if site&ring.PythonSite != 0 && len(stack) > 0 {
			if method := written.Method(stack[0].File, stack[0].Line, f.Name); method != "" {
				p.SetArgs(InMethod(p.ArgWords(), method))
			}
		}
	}
	return p
}

// Frame is the position of a call site in the user's own code, or else its innermost one.
func (a *Places) Frame(r *Process, site uint64) finding.Frame {
	return symbol.Written(a.Trail(r, site))
}

// Trail is what is known of the call stack of a call site, innermost first.
func (a *Places) Trail(r *Process, site uint64) []finding.Frame {
	frames := a.Frames(r, site)
	n := ring.Callers(site)
	if n == 0 || r.Maps == nil {
		return frames
	}
	for _, pc := range r.Callers[n] {
		frames = append(frames, a.symbols.Frames(r.Maps, pc, true)...)
	}
	return symbol.UpToMain(frames)
}

// Frames are the positions of a call site itself, or of Python the whole stack.
func (a *Places) Frames(r *Process, site uint64) []finding.Frame {
	if site&ring.PythonSite != 0 {
		var out []finding.Frame
		for _, f := range r.Python[site] {
			file := a.symbols.Source(f.File)
			out = append(out, finding.Frame{Function: f.Function, File: file, Line: f.Line,
				Library: a.owners.LibraryOf(file)})
		}
		return out
	}
	if site == 0 || r.Maps == nil {
		return nil
	}
	return a.symbols.Frames(r.Maps, ring.Address(site), true)
}

// Named are the frames of a call stack.
func (a *Places) Named(r *Process, pcs []uint64) []finding.Frame {
	var out []finding.Frame
	for i, pc := range pcs {
		frames := a.symbols.Frames(r.Maps, pc, true)
		if i == 0 && len(frames) > 0 && frames[0].Function == "" {
			continue // the signal's own frame
		}
		out = append(out, frames...)
	}
	return out
}

// KnowsCallers says whether the trail of a site is its whole call stack.
func (r *Process) KnowsCallers(site uint64) bool {
	return site&ring.PythonSite != 0 && len(r.Python[site]) > 0 || ring.Callers(site) != 0
}

// OfInterpreter says whether a call of a script is the interpreter's own.
func (r *Process) OfInterpreter(site uint64) bool {
	return len(r.Python) > 0 && site&ring.PythonSite == 0
}

// Begun are the places where a rank has begun the sessions that it has not finalised.
func (a *Places) Begun(r *Process) (out []finding.Frame) {
	var sites []uint64
	for o := range r.Objects.All(mpi.OSession) {
		if !o.Predefined && o.Made.Func != nil {
			sites = append(sites, o.Made.Site)
		}
	}
	slices.Sort(sites)
	for _, site := range slices.Compact(sites) {
		if at := a.Frame(r, site); at != (finding.Frame{}) {
			out = append(out, at)
		}
	}
	return out
}

// Elsewhere describes calls and accesses of other ranks that belong to a report; whereIs says where those are of ranks
// that have not.
func (a *Places) Elsewhere(list []check.Elsewhere, whereIs func(rank int, site uint64) string) []finding.Note {
	var out []finding.Note
	for i := range list {
		e := &list[i]
		at := e.At
		if at == "" {
			at = whereIs(e.Rank, e.Site)
		}
		out = append(out, explain.Elsewhere(e, at))
	}
	return out
}
