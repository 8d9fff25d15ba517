package callsite

import (
	"encoding/binary"

	"golang.org/x/arch/x86/x86asm"
)

// mostEntries is the longest jump table that is read.
const mostEntries = 1 << 12

// jumpTables are the addresses to which an instruction may jump by a table: all that any table which the function names
// has. They are more than those of its own table, if the function has several; a table ends where an entry is none of
// the function's instructions.
func (f *flow) jumpTables(s *Site, i int) (to []uint64) {
	if f.tables == nil {
		f.tables = named(f.code)
	}
	for at := range f.tables {
		to = append(to, f.entries(s, at, 4)...)
		to = append(to, f.entries(s, at, 8)...)
	}
	return to
}

// named are the addresses that instructions name: tables of a function are among them.
func named(code []instruction) map[uint64]bool {
	found := make(map[uint64]bool)
	for i := range code {
		in := &code[i]
		for _, a := range in.Args {
			switch a := a.(type) {
			case x86asm.Mem:
				if a.Base == x86asm.RIP {
					found[in.Where+uint64(in.Len)+uint64(a.Disp)] = true
				} else if a.Base == 0 && a.Index != 0 {
					found[uint64(a.Disp)] = true
				}
			case x86asm.Imm:
				if in.Op == x86asm.MOV && a > 1<<12 {
					found[uint64(a)] = true
				}
			}
		}
	}
	return found
}

// entries are the addresses that a table has: of four bytes each, from the table, or of eight bytes.
func (f *flow) entries(s *Site, table uint64, size int) (to []uint64) {
	buffer := make([]byte, size*64)
	for n := 0; n < mostEntries; n++ {
		part := n % 64 * size
		if part == 0 {
			got, _ := s.Memory.ReadAt(buffer, int64(table)+int64(n*size))
			clear(buffer[got:])
		}
		at := table + uint64(int64(int32(binary.LittleEndian.Uint32(buffer[part:]))))
		if size == 8 {
			at = binary.LittleEndian.Uint64(buffer[part:])
		}
		if _, inside := f.index[at]; !inside {
			return to
		}
		to = append(to, at)
	}
	return to
}
