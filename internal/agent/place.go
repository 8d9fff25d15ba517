package agent

import (
	"fmt"
	"slices"

	"unknot/internal/agent/kernel"
	"unknot/internal/check"
	"unknot/internal/check/written"
	"unknot/internal/explain"
	"unknot/internal/finding"
	"unknot/internal/mpi"
	"unknot/internal/op"
	"unknot/internal/ring"
	"unknot/internal/symbol"
)

// places says where calls are, and what their arguments are called.
type places struct {
	table   *mpi.T
	opts    Options
	resolve Symbols
	ranks   map[op.Rank]*rank
	// declarations is what arguments point to, by place; nil until a check asks.
	declarations map[declaredKey]check.Written
	// formats are the elements of arrays of Python by their formats, nil of one that is not known.
	formats map[string]*symbol.Declared
}

// place describes a call without its thread's state.
func (a *places) place(r *rank, f *mpi.Func, site uint64, words []uint64, stamp uint32) finding.Place {
	p := finding.Place{Rank: int(r.world), PID: r.pid, Host: kernel.Hostname(), Moment: r.moment(stamp),
		WaitsFor: []int{}}
	stack := a.trail(r, site)
	if f != nil && f.Class == mpi.Finalize && r.ofInterpreter(site) {
		stack = nil // called at the end of the script
	}
	if p.Frame = symbol.Written(stack); r.knowsCallers(site) {
		p.Stack = stack
	}
	if f != nil {
		p.Call = f.Name
		if f.Class == mpi.Finalize && r.objects.Sessions {
			p.Call = explain.SessionFinalize
		}
		p.SetArgs(a.args(r, f, words, stamp))
		if site&ring.PythonSite != 0 && len(stack) > 0 {
			if method := written.Method(stack[0].File, stack[0].Line, f.Name); method != "" {
				p.SetArgs(inMethod(p.ArgWords(), method))
			}
		}
	}
	return p
}

// frame is the position of a call site in the user's own code, or else its innermost one.
func (a *places) frame(r *rank, site uint64) finding.Frame { return symbol.Written(a.trail(r, site)) }

// trail is what is known of the call stack of a call site, innermost first.
func (a *places) trail(r *rank, site uint64) []finding.Frame {
	frames := a.frames(r, site)
	n := ring.Callers(site)
	if n == 0 || r.maps == nil {
		return frames
	}
	for _, pc := range r.callers[n] {
		frames = append(frames, a.resolve.Frames(r.maps, pc, true)...)
	}
	return symbol.UpToMain(frames)
}

// frames are the positions of a call site itself, or of Python the whole stack.
func (a *places) frames(r *rank, site uint64) []finding.Frame {
	if site&ring.PythonSite != 0 {
		var out []finding.Frame
		for _, f := range r.python[site] {
			out = append(out, finding.Frame{Function: f.Function, File: f.File, Line: f.Line,
				Library: a.opts.Owners.LibraryOf(f.File)})
		}
		return out
	}
	if site == 0 || r.maps == nil {
		return nil
	}
	return a.resolve.Frames(r.maps, ring.Address(site), true)
}

// named are the frames of a call stack.
func (a *places) named(r *rank, pcs []uint64) []finding.Frame {
	var out []finding.Frame
	for i, pc := range pcs {
		frames := a.resolve.Frames(r.maps, pc, true)
		if i == 0 && len(frames) > 0 && frames[0].Function == "" {
			continue // the signal's own frame
		}
		out = append(out, frames...)
	}
	return out
}

// fromSite drops what stands above the call site: the language layers of the MPI library.
func fromSite(frames []finding.Frame, site finding.Frame) []finding.Frame {
	for i, f := range frames {
		if f == site {
			return frames[i:]
		}
	}
	return frames
}

// knowsCallers says whether the trail of a site is its whole call stack.
func (r *rank) knowsCallers(site uint64) bool {
	return site&ring.PythonSite != 0 && len(r.python[site]) > 0 || ring.Callers(site) != 0
}

// ofInterpreter says whether a call of a script is the interpreter's own.
func (r *rank) ofInterpreter(site uint64) bool { return len(r.python) > 0 && site&ring.PythonSite == 0 }

// begun are the places where a rank has begun the sessions that it has not finalised.
func (a *places) begun(r *rank) (out []finding.Frame) {
	var sites []uint64
	for o := range r.objects.All(mpi.OSession) {
		if !o.Predefined && o.Made.Func != nil {
			sites = append(sites, o.Made.Site)
		}
	}
	slices.Sort(sites)
	for _, site := range slices.Compact(sites) {
		if at := a.frame(r, site); at != (finding.Frame{}) {
			out = append(out, at)
		}
	}
	return out
}

// whereIs says where a call or an access of a rank is in the program, "" if it is not one of this agent's.
func (a *places) whereIs(rank int, site uint64) string {
	r := a.ranks[op.Rank(rank)]
	if r == nil {
		return ""
	}
	return a.frame(r, site).Where()
}

// elsewhere describes calls and accesses of other ranks that belong to a report.
func (a *places) elsewhere(list []check.Elsewhere) []finding.Note {
	var out []finding.Note
	for _, e := range list {
		text := e.Text
		if e.Func != nil {
			text = fmt.Sprintf("%s by %s of rank %d", e.Text, e.Func.Name, e.Rank)
		}
		at := e.At
		if at == "" {
			at = a.whereIs(e.Rank, e.Site)
		}
		if at != "" {
			text += " at " + at
		}
		out = append(out, finding.Note{Label: e.Label, Text: text})
	}
	return out
}
