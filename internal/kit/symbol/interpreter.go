package symbol

import (
	"debug/elf"
	"encoding/binary"
	"io"
	"path/filepath"
	"strconv"
	"strings"
)

// interpreter is CPython in a process.
type interpreter struct {
	*remote
	layout  pythonLayout
	runtime uint64 // where its state is
	types   pythonTypes
}

// pythonTypes are where the types of objects are that are read: what is of another type is not what it was taken for.
type pythonTypes struct{ code, text, bytes uint64 }

// pythonSymbols are the addresses of what CPython exports, as its file has them.
type pythonSymbols struct {
	types            pythonTypes
	runtime, version uint64 // 0 if there is none
}

// remote is memory of a process. After what cannot be read it gives zeros, and has failed.
type remote struct {
	io.ReaderAt
	order  binary.ByteOrder
	failed bool
}

func (m *remote) bytes(at, n uint64) []byte {
	b := make([]byte, n)
	if m.failed || at == 0 || int64(at) < 0 {
		m.failed = true
		return b
	}
	if _, err := m.ReadAt(b, int64(at)); err != nil {
		m.failed = true
		clear(b)
	}
	return b
}

func (m *remote) word(at uint64) uint64 { return m.order.Uint64(m.bytes(at, 8)) }

// interpreter finds CPython in a process: nil if there is none, or one whose structs are not known.
func (r *Resolver) interpreter(m *Maps, memory io.ReaderAt) *interpreter {
	for i := range m.ranges {
		at := &m.ranges[i]
		if !at.file || i > 0 && !OfPython(at.path) {
			continue // the first is the program, which may have it in it
		}
		mod := r.module(m.pid, at)
		if mod == nil {
			continue
		}
		var found *interpreter
		mod.guarded(headers, func() { found = mod.interpreter(at, memory) })
		if found != nil {
			return found
		}
	}
	return nil
}

// interpreter is the one whose code this module is, mapped at a place.
func (mod *module) interpreter(at *mapping, memory io.ReaderAt) *interpreter {
	if mod.image == nil || mod.image.Class != elf.ELFCLASS64 {
		return nil
	}
	if mod.python == nil {
		mod.python = readPythonSymbols(mod.image)
	}
	bias, ok := biasOf(mod.image, at)
	if !ok || mod.python.runtime == 0 || mod.python.types.code == 0 || mod.python.types.text == 0 ||
		mod.python.types.bytes == 0 {
		return nil
	}
	p := &interpreter{remote: &remote{ReaderAt: memory, order: mod.image.ByteOrder}, runtime: bias + mod.python.runtime}
	p.types = pythonTypes{bias + mod.python.types.code, bias + mod.python.types.text, bias + mod.python.types.bytes}
	version := versionNamed(at.path)
	if mod.python.version != 0 {
		version = p.word(bias + mod.python.version)
	}
	p.layout, ok = pythonLayoutOf(version, p.bytes(p.runtime, pythonTable), p.order)
	if !ok || p.failed {
		return nil
	}
	return p
}

// OfPython says whether a file is the interpreter of Python or its library.
func OfPython(path string) bool {
	name := filepath.Base(path)
	return strings.HasPrefix(name, "python") || strings.HasPrefix(name, "libpython")
}

// versionNamed is the version that the name of a file says, before 3.11 nothing else does: 0 if it says none.
func versionNamed(path string) uint64 {
	_, rest, _ := strings.Cut(filepath.Base(path), "python3.")
	digits := strings.IndexFunc(rest, func(c rune) bool { return c < '0' || c > '9' })
	if digits >= 0 {
		rest = rest[:digits]
	}
	minor, err := strconv.ParseUint(rest, 10, 8)
	if err != nil || minor >= 11 {
		return 0
	}
	return 3<<24 | minor<<16 | 0xf0
}

func readPythonSymbols(image *elf.File) *pythonSymbols {
	s := &pythonSymbols{}
	list, _ := image.DynamicSymbols() // none without a table of them
	for i := range list {
		if list[i].Section == elf.SHN_UNDEF {
			continue
		}
		switch list[i].Name {
		case "_PyRuntime":
			s.runtime = list[i].Value
		case "Py_Version":
			s.version = list[i].Value
		case "PyCode_Type":
			s.types.code = list[i].Value
		case "PyUnicode_Type":
			s.types.text = list[i].Value
		case "PyBytes_Type":
			s.types.bytes = list[i].Value
		}
	}
	return s
}
