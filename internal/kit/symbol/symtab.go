package symbol

import (
	"cmp"
	"debug/elf"
	"slices"
	"sort"
	"strings"
)

// symbolTable is the code symbols of a module in order of address.
type symbolTable struct {
	list    []codeSymbol
	fortran bool // the module calls gfortran's library, so names may be Fortran's
}

type codeSymbol struct {
	addr, end uint64 // end is excluded
	name      string
	global    bool
}

// readSymbols takes the first full symbol table among the files of a module, or else the dynamic symbols, which even a
// stripped library keeps.
func readSymbols(files []*elf.File) symbolTable {
	for _, f := range files {
		if list, err := f.Symbols(); err == nil && len(list) > 0 {
			if t := newSymbolTable(f, list); len(t.list) > 0 {
				return t
			}
		}
	}
	list, err := files[0].DynamicSymbols()
	if err != nil {
		return symbolTable{}
	}
	return newSymbolTable(files[0], list)
}

func newSymbolTable(f *elf.File, list []elf.Symbol) symbolTable {
	var t symbolTable
	for _, s := range list {
		t.fortran = t.fortran || strings.HasPrefix(s.Name, "_gfortran_")
		kind := elf.ST_TYPE(s.Info)
		if kind != elf.STT_FUNC && kind != elf.STT_GNU_IFUNC && kind != elf.STT_NOTYPE {
			continue
		}
		if s.Name == "" || int(s.Section) >= len(f.Sections) || s.Section == elf.SHN_UNDEF {
			continue
		}
		section := f.Sections[s.Section]
		if section.Flags&elf.SHF_EXECINSTR == 0 {
			continue
		}
		c := codeSymbol{addr: s.Value, end: s.Value + s.Size, name: s.Name,
			global: elf.ST_BIND(s.Info) == elf.STB_GLOBAL}
		if s.Size == 0 {
			// Hand-written assembly often leaves out the size; such code extends to the next symbol at most.
			c.end = section.Addr + section.Size
		}
		t.list = append(t.list, c)
	}
	// Of several names for one address the global one is the one that users know; the rest is for a stable choice.
	slices.SortFunc(t.list, func(a, b codeSymbol) int {
		switch {
		case a.addr != b.addr:
			return cmp.Compare(a.addr, b.addr)
		case a.global != b.global:
			if a.global {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.end, b.end), cmp.Compare(a.name, b.name))
	})
	t.list = slices.CompactFunc(t.list, func(a, b codeSymbol) bool { return a.addr == b.addr })
	return t
}

// find returns the symbol that covers pc. The nearest symbol before it is no answer if it ends earlier: in a stripped
// program that would name a function far away.
func (t *symbolTable) find(pc uint64) (codeSymbol, bool) {
	i := sort.Search(len(t.list), func(i int) bool { return t.list[i].addr > pc })
	if i == 0 || t.list[i-1].end <= pc {
		return codeSymbol{}, false
	}
	return t.list[i-1], true
}

func (t *symbolTable) userName(s codeSymbol) string {
	return symbolName(s.name, t.fortran)
}
