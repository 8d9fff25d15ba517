package symbol

import (
	"debug/elf"
	"slices"
	"strings"

	"unknot/internal/kit/amd64"
)

// ownOrder is where the code of a program orders threads itself.
type ownOrder struct {
	looked bool
	at     uint64 // as the ELF file has it
	some   bool
}

// Waits finds code of the program by which its threads may order themselves without calling a function for it: a loop
// that waits for a variable, or a jump that depends on an atomic operation. at is the place, 0 if the program cannot be
// read, so that it may have such code. Of processors other than AMD64 it is false.
func (r *Resolver) Waits(m *Maps) (at uint64, some bool) {
	for i := range m.ranges {
		in := &m.ranges[i]
		mod := r.module(m.pid, in)
		if mod == nil {
			continue
		}
		is := false
		mod.guarded(headers, func() {
			is = mod.image != nil && isProgram(mod.image)
			if is {
				mod.findOwnOrder()
			}
		})
		if !is {
			continue
		}
		bias, ok := biasOf(mod.image, in)
		if !ok || !mod.own.looked {
			return 0, true
		}
		return mod.own.at + bias, mod.own.some
	}
	return 0, true
}

// isProgram says whether a file is an executable, not a library.
func isProgram(image *elf.File) bool {
	flags, _ := image.DynValue(elf.DT_FLAGS_1)
	return image.Type == elf.ET_EXEC || len(flags) > 0 && elf.DynFlag1(flags[0])&elf.DF_1_PIE != 0
}

// findOwnOrder looks through the module's code, once.
func (mod *module) findOwnOrder() {
	if mod.own.looked {
		return
	}
	if mod.image.Machine != elf.EM_X86_64 {
		mod.own.looked = true
		return
	}
	text := mod.image.Section(".text")
	if text == nil {
		return
	}
	mod.load(names)
	linked := linkedNames(mod.image)
	code := sectionData(text)
	t := amd64.Text{From: text.Addr, Code: code,
		Linked: func(word uint64) string { return linked[word] },
		Name: func(at uint64) string {
			if s, ok := mod.symbols.find(at); ok {
				return s.name
			}
			return linked[mod.stub(at)]
		}}
	t.Waits(func(at uint64) bool {
		if mod.counts(at) {
			return true
		}
		mod.own.at, mod.own.some = at, true
		return false
	})
	mod.own.looked = true
}

// stub is the word of the linker's table through which code of the linker jumps; 0 if there is no such code.
func (mod *module) stub(at uint64) uint64 {
	for _, s := range mod.image.Sections {
		if s.Flags&elf.SHF_EXECINSTR == 0 || at < s.Addr || at-s.Addr >= s.Size {
			continue
		}
		code := make([]byte, min(16, s.Size-(at-s.Addr)))
		if _, err := s.ReadAt(code, int64(at-s.Addr)); err != nil {
			return 0
		}
		return amd64.Through(code, at)
	}
	return 0
}

// counts says whether an instruction is of a shared pointer's count of its owners, which orders nothing but the end of
// what it points to.
func (mod *module) counts(at uint64) bool {
	of := func(name string) bool {
		return slices.ContainsFunc([]string{"_Sp_counted", "__shared_count", "__weak_count", "__exchange_and_add"},
			func(part string) bool { return strings.Contains(name, part) })
	}
	if s, ok := mod.symbols.find(at); ok && of(s.name) {
		return true
	}
	mod.load(debugging)
	if mod.debug == nil {
		return false
	}
	for _, f := range mod.debug.frames(at) {
		if of(f.Function) {
			return true
		}
	}
	return false
}

// linkedNames are the functions of libraries to which the words of the linker's table lead.
func linkedNames(image *elf.File) map[uint64]string {
	symbols, err := image.DynamicSymbols()
	if err != nil {
		return nil
	}
	names := make(map[uint64]string)
	for _, s := range image.Sections {
		if s.Type != elf.SHT_RELA || s.Flags&elf.SHF_ALLOC == 0 {
			continue
		}
		const size = 24 // of an Elf64_Rela
		for data := sectionData(s); len(data) >= size; data = data[size:] {
			n := image.ByteOrder.Uint64(data[8:]) >> 32 // the symbol; 0, which DynamicSymbols leaves out, is none
			if n > 0 && n <= uint64(len(symbols)) {
				names[image.ByteOrder.Uint64(data)] = symbols[n-1].Name
			}
		}
	}
	return names
}
