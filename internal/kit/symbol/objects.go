package symbol

import (
	"cmp"
	"debug/elf"
	"slices"
	"sort"
	"strings"
	"unique"
)

// Variable is a variable of a process with a fixed place: a global or static one.
type Variable struct {
	Name     string
	From, To uint64 // To is excluded
}

// Data finds the variables of one process, in the modules that its memory map has. It is for one goroutine.
type Data struct {
	maps     *Maps
	segments []segment // ascending
}

// segment is a part of memory with data of a module.
type segment struct {
	from, to uint64
	bias     uint64 // of the process's addresses over those of the file
	module   *module
	id       unique.Handle[moduleID]
	code     uint64 // where the module's code is mapped
	program  bool   // the module is the program itself, which stays
}

// Data looks where the modules of a process have their data. It reads no symbols yet.
func (r *Resolver) Data(m *Maps) *Data {
	d := &Data{maps: m}
	for i := range m.ranges {
		at := &m.ranges[i]
		mod := r.module(m.pid, at)
		if mod == nil {
			continue
		}
		mod.guarded(headers, func() {
			if mod.image != nil {
				d.add(mod, at)
			}
		})
	}
	slices.SortFunc(d.segments, func(a, b segment) int { return cmp.Compare(a.from, b.from) })
	return d
}

// add takes in the data of a module whose code is mapped at a place.
func (d *Data) add(mod *module, at *mapping) {
	bias, ok := biasOf(mod.image, at)
	if !ok {
		return
	}
	program := isProgram(mod.image)
	for _, p := range mod.image.Progs {
		if p.Type == elf.PT_LOAD && p.Flags&elf.PF_X == 0 && p.Memsz > 0 {
			d.segments = append(d.segments, segment{bias + p.Vaddr, bias + p.Vaddr + p.Memsz, bias, mod, at.module,
				at.start, program})
		}
	}
}

// biasOf is how far a process's addresses are above those of a file, whose code is mapped at a place.
func biasOf(image *elf.File, at *mapping) (bias uint64, ok bool) {
	for _, p := range image.Progs {
		if p.Type == elf.PT_LOAD && p.Flags&elf.PF_X != 0 && p.Off >= at.offset && p.Off-at.offset < 1<<16 {
			return at.start + (p.Off - at.offset) - p.Vaddr, true
		}
	}
	return 0, false
}

// Library gives the file of the shared library that had variables at an address when the memory map was taken, "" if
// none had.
func (d *Data) Library(at uint64) string {
	if s := d.segment(at); s != nil && !s.program {
		return s.module.path
	}
	return ""
}

// segment is the one that has an address, nil if none has.
func (d *Data) segment(at uint64) *segment {
	i := sort.Search(len(d.segments), func(i int) bool { return d.segments[i].to > at })
	if i == len(d.segments) || d.segments[i].from > at {
		return nil
	}
	return &d.segments[i]
}

// Variable gives the variable that is at an address. It is false if the module has none there that says its size, or if
// the module may have been unloaded since the memory map was taken.
func (d *Data) Variable(at uint64) (v Variable, ok bool) {
	s := d.segment(at)
	if s == nil {
		return Variable{}, false
	}
	s.module.guarded(names, func() { v, ok = s.module.variables.find(at - s.bias) })
	v.From, v.To = v.From+s.bias, v.To+s.bias
	return v, ok && (s.program || s.there(d.maps.pid))
}

// there says whether the process still has the module where it was.
func (s *segment) there(pid int) bool {
	now, err := ReadMaps(pid)
	if err != nil {
		return false
	}
	at := now.find(s.code)
	return at != nil && at.module == s.id
}

// variables are those of a module in order of address. What has several names, or lies within something else, is one.
type variables []Variable

// readVariables takes the first full symbol table among the files of a module, or else the dynamic symbols.
func readVariables(files []*elf.File) variables {
	for _, f := range files {
		if list, err := f.Symbols(); err == nil && len(list) > 0 {
			if v := newVariables(list); len(v) > 0 {
				return v
			}
		}
	}
	list, err := files[0].DynamicSymbols()
	if err != nil {
		return nil
	}
	return newVariables(list)
}

func newVariables(list []elf.Symbol) variables {
	var all variables
	for _, s := range list {
		if elf.ST_TYPE(s.Info) != elf.STT_OBJECT || s.Size == 0 || s.Section == elf.SHN_UNDEF ||
			s.Section == elf.SHN_ABS || s.Section == elf.SHN_COMMON || s.Name == "" {
			continue
		}
		all = append(all, Variable{s.Name, s.Value, s.Value + s.Size})
	}
	slices.SortStableFunc(all, func(a, b Variable) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(b.To, a.To), cmp.Compare(a.Name, b.Name))
	})
	out := all[:0]
	for _, v := range all {
		if n := len(out); n > 0 && v.From < out[n-1].To {
			out[n-1].To = max(out[n-1].To, v.To)
			continue
		}
		out = append(out, v)
	}
	return slices.Clip(out)
}

func (l variables) find(at uint64) (Variable, bool) {
	i := sort.Search(len(l), func(i int) bool { return l[i].To > at })
	if i == len(l) || l[i].From > at {
		return Variable{}, false
	}
	v := l[i]
	v.Name = written(v.Name)
	return v, true
}

// written is the name as the program has it: C++ encodes some, compilers number static variables of functions, and
// Fortran's are marked.
func written(name string) string {
	if full, ok := cppName(name); ok {
		return full
	}
	name, _, _ = strings.Cut(name, ".")
	if _, rest, ok := strings.Cut(name, "_MOD_"); ok && strings.HasPrefix(name, "__") {
		return rest
	}
	return name
}
