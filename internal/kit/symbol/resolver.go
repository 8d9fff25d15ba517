// Package symbol turns addresses of a running program into positions in its source.
//
// It takes in the memory maps of processes and return addresses that the probe recorded, and gives out finding.Frames:
// inlined frames expanded, names as the user wrote them. The source of truth is DWARF 4 or 5 in the module or in its
// separate debug file, then the symbol table, then nothing but the module and the offset. What is read was made by
// others and may be damaged, so that every path into a file ends at one boundary (module.frames), which never panics.
package symbol

import (
	"slices"
	"sync"
	"unique"

	"unknot/internal/vocab/finding"
)

// Resolver finds the source positions of addresses. Modules and positions are shared between all processes of a node.
// It is safe for concurrent use.
type Resolver struct {
	debugRoots []string // where distributions keep separate debug files
	owners     Owners
	most       int // how many modules may be held open

	mu        sync.RWMutex
	held      int
	modules   map[unique.Handle[moduleID]]*module
	positions map[position][]finding.Frame
}

// position is a Key and the way of looking at it: a call at the end of a function returns to another one.
type position struct {
	Key
	isReturn bool
}

// New returns a Resolver that looks for separate debug files where Debian and others put them.
func New() *Resolver {
	return &Resolver{
		debugRoots: []string{"/usr/lib/debug"},
		most:       mostHeld(),
		modules:    map[unique.Handle[moduleID]]*module{},
		positions:  map[position][]finding.Frame{},
	}
}

// Own says whose code is. It is said before any other question.
func (r *Resolver) Own(o Owners) { r.owners = o }

// Hold opens the modules of m that are not open yet, one descriptor a module, so that deleting or replacing a file
// later does not matter, where the limit of open files leaves room for that. It reads no debug information.
func (r *Resolver) Hold(m *Maps) {
	for i := range m.ranges {
		if m.ranges[i].file {
			r.module(m.pid, &m.ranges[i])
		}
	}
}

// Close gives back the descriptors of all modules. A later question opens what it needs again.
func (r *Resolver) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, mod := range r.modules {
		mod.close()
	}
	clear(r.modules)
	r.held = 0
}

// module returns the open module of a mapping, or nil if it has no file that can be opened.
func (r *Resolver) module(pid int, at *mapping) *module {
	r.mu.RLock()
	mod := r.modules[at.module]
	r.mu.RUnlock()
	if mod != nil || !at.file {
		return mod
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if mod := r.modules[at.module]; mod != nil {
		return mod
	}
	f := openMapped(pid, at)
	if f == nil {
		// Another rank may still have a way to the file, so the failure is not remembered.
		return nil
	}
	mod = &module{path: at.path, debugRoots: r.debugRoots}
	if r.held < r.most {
		r.held++
		mod.file, mod.content = f, f
	} else {
		f.Close()
		mod.content = &reopened{pid, *at}
	}
	r.modules[at.module] = mod
	return mod
}

// Frames returns the frames at pc, innermost first: functions inlined there, then the function itself. With isReturn,
// pc is a return address and the call before it is meant. There is always at least one frame; without debug
// information it has Function (if a symbol covers pc), Module, and Offset, which counts from the symbol, or else is the
// address within the module as addr2line takes it. The caller may keep and change the slice.
func (r *Resolver) Frames(m *Maps, pc uint64, isReturn bool) []finding.Frame {
	at := m.find(pc)
	if at == nil && isReturn {
		// A call that never returns may be the last instruction of a mapping.
		at = m.find(pc - 1)
	}
	if at == nil {
		return []finding.Frame{{Module: "[unmapped]", Offset: pc}}
	}
	if !at.file {
		return []finding.Frame{{Module: at.path, Offset: pc - at.start}}
	}
	offset := pc - at.start + at.offset
	key := position{Key{at.module, offset}, isReturn}
	r.mu.RLock()
	frames, known := r.positions[key]
	r.mu.RUnlock()
	if known {
		return slices.Clone(frames)
	}
	mod := r.module(m.pid, at)
	if mod == nil {
		return []finding.Frame{{Module: at.path, Offset: offset}}
	}
	frames = mod.frames(offset, isReturn)
	library := r.owners.LibraryOf(at.path)
	for i := range frames {
		if frames[i].Library = library; library == "" {
			frames[i].Library = r.owners.LibraryOf(frames[i].File)
		}
	}
	r.mu.Lock()
	r.positions[key] = frames
	r.mu.Unlock()
	return slices.Clone(frames)
}

// HasDebug reports whether the code at pc was compiled with debug information that can be found, so that a report can
// ask for -g if it was not.
func (r *Resolver) HasDebug(m *Maps, pc uint64) bool {
	at := m.find(pc)
	if at == nil || !at.file {
		return false
	}
	mod := r.module(m.pid, at)
	return mod != nil && mod.hasDebug(pc-at.start+at.offset)
}

// Written is the first of the positions of an address, or of a call stack, that is in the user's own code: what the
// compiler puts into a function from the headers of the system (a destructor that frees) is passed over, as are
// libraries, if there is anything else. Without frames there is no call site.
func Written(frames []finding.Frame) finding.Frame {
	if i := FirstOwn(frames); i >= 0 {
		return frames[i]
	}
	if len(frames) == 0 {
		return finding.Frame{}
	}
	return frames[0]
}

// FirstOwn is the place of that position, -1 if none is in the user's own code. Where some of it has lines, what has
// none is passed over only if it is a library's.
func FirstOwn(frames []finding.Frame) int {
	return slices.IndexFunc(frames, func(f finding.Frame) bool {
		return f.Library == "" &&
			(f.File != "" || f.Function != "")
	})
}

// Own says whether a position is in a source of the user's own code.
func Own(f finding.Frame) bool {
	return f.Library == "" && f.File != ""
}
