package symbol

import (
	"debug/dwarf"
	"debug/elf"
	"encoding/binary"
	"path/filepath"

	"unknot/internal/vocab/finding"
)

// debugInfo is the DWARF of one module. Opening it reads one entry a compilation unit, to know which unit has which
// addresses; functions and lines of a unit are read when an address in it is asked for.
type debugInfo struct {
	data  *dwarf.Data
	order binary.ByteOrder
	line  []byte // .debug_line
	units []*unit
	index spans // units by address
	size  int   // of .debug_info
	// structs are the struct types by size; nil until somebody asks for one.
	structs map[int64][]structType
}

// openDebug returns the debug information of a file, or nil if there is none that can be read.
func openDebug(f *elf.File) *debugInfo {
	section := func(name string) []byte { return dwarfSection(f, name) }
	info, line := section("info"), section("line")
	if len(info) == 0 {
		return nil
	}
	data, err := dwarf.New(section("abbrev"), nil, nil, info, line, nil, section("ranges"), section("str"))
	if err != nil {
		return nil
	}
	for _, name := range []string{"addr", "line_str", "str_offsets", "rnglists"} {
		if content := section(name); content != nil {
			if data.AddSection(".debug_"+name, content) != nil {
				return nil
			}
		}
	}
	d := &debugInfo{data: data, order: f.ByteOrder, line: line, size: len(info)}
	r := data.Reader()
	for _, h := range unitHeaders(info, f.ByteOrder) {
		r.Seek(h.root)
		root, err := r.Next()
		if err != nil || root == nil || (root.Tag != dwarf.TagCompileUnit && root.Tag != dwarf.TagSkeletonUnit) {
			continue
		}
		ranges, err := data.Ranges(root)
		if err != nil {
			continue
		}
		d.index.add(ranges, len(d.units))
		d.units = append(d.units, &unit{root: root, end: h.end})
	}
	return d
}

// header says where a unit's root entry is, and where the unit ends.
type header struct{ root, end dwarf.Offset }

// unitHeaders walks the headers of .debug_info (DWARF 5, section 7.5.1), up to the first that cannot be true. Units of
// types only and partial units have no code and are left out or, if old, recognised by their root.
func unitHeaders(info []byte, order binary.ByteOrder) []header {
	var list []header
	for at := uint64(0); at+11 <= uint64(len(info)); {
		b := info[at:]
		length, head, width := uint64(order.Uint32(b)), uint64(4), uint64(4)
		if length == 0xffffffff {
			if len(b) < 24 {
				break
			}
			length, head, width = order.Uint64(b[4:]), 12, 8
		}
		if length > uint64(len(b))-head {
			break
		}
		size, plain := head+2+width+1, length >= 3+width // version, abbreviation offset, address size
		if plain && order.Uint16(b[head:]) >= 5 {
			const compile, partial, skeleton = 1, 3, 4
			switch b[head+2] {
			case compile, partial:
				size++
			case skeleton:
				size += 1 + 8
			default:
				plain = false
			}
		}
		if plain {
			list = append(list, header{dwarf.Offset(at + size), dwarf.Offset(at + head + length)})
		}
		at += head + length
	}
	return list
}

// unitAt returns the unit that has code at pc, or nil.
func (d *debugInfo) unitAt(pc uint64) *unit {
	i, ok := d.index.find(pc)
	if !ok {
		return nil
	}
	return d.units[i]
}

// frames returns the frames at pc, innermost first, or none if there is no debug information for pc. The name of the
// outermost may be empty where only lines are known.
func (d *debugInfo) frames(pc uint64) []finding.Frame {
	u := d.unitAt(pc)
	if u == nil {
		return nil
	}
	u.readLines(d)
	file, line, ok := u.lines.find(pc)
	if !ok {
		return nil
	}
	var frames []finding.Frame
	chain := u.scopes(d, pc)
	for i := len(chain) - 1; i > 0; i-- {
		frames = append(frames, finding.Frame{Function: d.name(chain[i]), File: file, Line: line, Inlined: true})
		// The call is written in the next frame's body.
		index, _ := chain[i].Val(dwarf.AttrCallFile).(int64)
		number, _ := chain[i].Val(dwarf.AttrCallLine).(int64)
		file, line = u.lines.file(index), int(number)
	}
	outer := finding.Frame{File: file, Line: line}
	if len(chain) > 0 {
		outer.Function = d.name(chain[0])
	}
	return append(frames, outer)
}

// attrMIPSLinkageName is what GCC used before DWARF 4 had DW_AT_linkage_name.
const attrMIPSLinkageName dwarf.Attr = 0x2007

// name follows a function entry to where its names stand: an inlined or cloned copy refers to the abstract function,
// and that may refer to the declaration in a class. Supplementary files (.gnu_debugaltlink) are not followed; a name
// in one stays empty.
func (d *debugInfo) name(e *dwarf.Entry) string {
	var name, linkage string
	mainProgram := false
	r := d.data.Reader()
	for range 16 { // a damaged file may refer in circles
		if s, ok := e.Val(dwarf.AttrName).(string); ok && name == "" {
			name = s
		}
		for _, attr := range []dwarf.Attr{dwarf.AttrLinkageName, attrMIPSLinkageName} {
			if s, ok := e.Val(attr).(string); ok && linkage == "" {
				linkage = s
			}
		}
		if flag, ok := e.Val(dwarf.AttrMainSubprogram).(bool); ok && flag {
			mainProgram = true
		}
		next, ok := e.Val(dwarf.AttrAbstractOrigin).(dwarf.Offset)
		if !ok {
			next, ok = e.Val(dwarf.AttrSpecification).(dwarf.Offset)
		}
		if !ok {
			break
		}
		r.Seek(next)
		var err error
		if e, err = r.Next(); err != nil || e == nil {
			break
		}
	}
	return debugName(name, linkage, mainProgram)
}

// absolute completes a file name by the directory of compilation.
func absolute(dir, name string) string {
	if name == "" || filepath.IsAbs(name) || dir == "" {
		return cleaned(name)
	}
	return cleaned(filepath.Join(dir, name))
}

func cleaned(name string) string {
	if name == "" {
		return ""
	}
	return filepath.Clean(name)
}
