package symbol

import (
	"bytes"
	"debug/elf"
	"strings"
)

// maxSection bounds the size of one decompressed section: a few bytes of a damaged file may claim any size.
const maxSection = 1 << 31

// dwarfSection returns a section ".debug_"+name, or nil. Package elf decompresses both SHF_COMPRESSED sections and the
// older ".zdebug_" ones of GNU.
func dwarfSection(f *elf.File, name string) []byte {
	if s := f.Section(".debug_" + name); s != nil {
		return sectionData(s)
	}
	if s := f.Section(".zdebug_" + name); s != nil {
		return sectionData(s)
	}
	return nil
}

func sectionData(s *elf.Section) []byte {
	if s.Type == elf.SHT_NOBITS || s.Size > maxSection {
		return nil
	}
	data, err := s.Data()
	if err != nil {
		return nil
	}
	return data
}

// hasDebugSections reports whether the file has DWARF of its own.
func hasDebugSections(f *elf.File) bool {
	for _, name := range []string{".debug_info", ".zdebug_info"} {
		if s := f.Section(name); s != nil && s.Type != elf.SHT_NOBITS {
			return true
		}
	}
	return false
}

// buildID returns the content of the GNU build-id note, or nil.
func buildID(f *elf.File) []byte {
	s := f.Section(".note.gnu.build-id")
	if s == nil {
		return nil
	}
	note := sectionData(s)
	// A note is name size, descriptor size, type, then both padded to four bytes; the name here is "GNU\0".
	if len(note) < 16 || f.ByteOrder.Uint32(note) != 4 || string(note[12:16]) != "GNU\x00" {
		return nil
	}
	if n := f.ByteOrder.Uint32(note[4:]); uint64(n) <= uint64(len(note)-16) && n >= 2 {
		return note[16 : 16+n]
	}
	return nil
}

// debugLink returns the file name and the checksum of .gnu_debuglink.
func debugLink(f *elf.File) (name string, crc uint32, ok bool) {
	s := f.Section(".gnu_debuglink")
	if s == nil {
		return "", 0, false
	}
	data := sectionData(s)
	end := bytes.IndexByte(data, 0)
	at := (end + 4) &^ 3
	if end <= 0 || at+4 > len(data) {
		return "", 0, false
	}
	name = string(data[:end])
	return name, f.ByteOrder.Uint32(data[at:]), !strings.Contains(name, "/")
}
