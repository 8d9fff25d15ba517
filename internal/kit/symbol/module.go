package symbol

import (
	"debug/elf"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"

	"unknot/internal/vocab/finding"
)

// module is one ELF file that code runs from. What is in it is read when the first address asks for it.
type module struct {
	path       string
	file       *os.File    // nil if it is not held open
	content    io.ReaderAt // of the file
	debugRoots []string

	mu      sync.Mutex // held while reading: debug/dwarf fills its tables as it goes
	read    depth
	image   *elf.File
	debug   *debugInfo // nil without debug information
	symbols symbolTable

	variables variables
	own       ownOrder

	calls  *callFrames    // nil before a stack was read that goes through it
	python *pythonSymbols // nil before it was asked for
}

// openMapped opens the file behind a mapping of a process: the kernel's own link to it where permitted (it works for
// deleted and replaced files and across containers), or the path if it still leads to the same inode.
func openMapped(pid int, at *mapping) *os.File {
	inode := at.module.Value().inode
	for _, name := range []string{
		fmt.Sprintf("/proc/%d/map_files/%x-%x", pid, at.start, at.end),
		at.path,
		fmt.Sprintf("/proc/%d/root%s", pid, at.path),
		fmt.Sprintf("/proc/%d/exe", pid),
	} {
		// Without O_NONBLOCK a named pipe that took the place of a library would stop the agent.
		f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
		if err != nil {
			continue
		}
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			if st, ok := info.Sys().(*syscall.Stat_t); ok && st.Ino == inode {
				return f
			}
		}
		f.Close()
	}
	return nil
}

func (mod *module) close() {
	mod.mu.Lock()
	defer mod.mu.Unlock()
	if mod.file != nil {
		mod.file.Close()
	}
}

// depth is how much of a module is read: libraries come with hundreds of megabytes of debug information, and a program
// waits for its agent.
type depth uint8

const (
	nothing   depth = iota
	headers         // where its parts are in memory
	names           // symbols and variables
	debugging       // lines, inlined functions and types
)

// load reads what is needed of the module, each part once. Anything that cannot be read is treated as not there.
func (mod *module) load(to depth) {
	for mod.read < to {
		mod.read++
		switch mod.read {
		case headers:
			mod.image, _ = elf.NewFile(mod.content)
		case names:
			mod.from(func(files []*elf.File) { mod.symbols, mod.variables = readSymbols(files), readVariables(files) })
		case debugging:
			mod.from(func(files []*elf.File) { mod.debug = openDebug(files[len(files)-1]) })
		}
	}
}

// from gives the module's file and, behind it, the one that has its debug information if it has none itself.
func (mod *module) from(use func(files []*elf.File)) {
	if mod.image == nil {
		return
	}
	files := []*elf.File{mod.image}
	if !hasDebugSections(mod.image) {
		if extra := findDebugFile(mod.image, mod.path, mod.debugRoots); extra != nil {
			defer extra.Close()
			files = append(files, extra.File)
		}
	}
	use(files)
}

// address converts an offset in the file to the address that the ELF file itself uses.
func (mod *module) address(offset uint64) (uint64, bool) {
	if mod.image == nil {
		return 0, false
	}
	for _, p := range mod.image.Progs {
		if p.Type == elf.PT_LOAD && p.Flags&elf.PF_X != 0 && offset >= p.Off && offset-p.Off < p.Filesz {
			return offset - p.Off + p.Vaddr, true
		}
	}
	return 0, false
}

// guarded runs f with so much of the module read. It is the one place where the panics of readers of damaged files end;
// the module is then left without debug information, as what else is in it cannot be trusted either.
func (mod *module) guarded(to depth, f func()) {
	mod.mu.Lock()
	defer mod.mu.Unlock()
	defer func() {
		if recover() != nil {
			mod.debug, mod.read = nil, debugging
		}
	}()
	mod.load(to)
	f()
}

// frames returns the frames at a file offset, at least one.
func (mod *module) frames(offset uint64, isReturn bool) []finding.Frame {
	frames := []finding.Frame{{Module: mod.path, Offset: offset}}
	mod.guarded(names, func() {
		pc, ok := mod.address(offset)
		if !ok {
			return
		}
		frames[0].Offset = pc
		look := pc
		if isReturn {
			look--
		}
		sym, haveSym := mod.symbols.find(look)
		if haveSym {
			frames[0].Function, frames[0].Offset = mod.symbols.userName(sym), pc-sym.addr
		}
		if ofCLibrary(mod.path) {
			return
		}
		mod.load(debugging)
		if mod.debug == nil {
			return
		}
		if found := mod.debug.frames(look); len(found) > 0 {
			outer := &found[len(found)-1]
			// GCC gives lambdas and functions of unnamed namespaces no linkage name; the symbol has the full one.
			if outer.Function == "" || strings.HasPrefix(sym.name, "_Z") {
				outer.Function = frames[0].Function
			}
			frames = found
			if isReturn {
				mod.calledAt(frames, pc)
			}
		}
	})
	return frames
}

func (mod *module) hasDebug(offset uint64) bool {
	has := false
	mod.guarded(debugging, func() {
		pc, ok := mod.address(offset)
		// The address may be the end of the last function that has debug information.
		has = ok && mod.debug != nil && (mod.debug.unitAt(pc) != nil || mod.debug.unitAt(pc-1) != nil)
	})
	return has
}
