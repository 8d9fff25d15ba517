package symbol

import (
	"bytes"
	"debug/dwarf"
	"debug/elf"
	"encoding/binary"
	"regexp"
	"slices"
	"strings"

	"unknot/internal/vocab/finding"
)

// gfortran gives the call of a procedure with an explicit interface no line if nothing is computed for its arguments, as
// in "call MPI_Wait(request, status, ierr)" with Open MPI's module mpi. The assembler's table then has the line at
// which the procedure is declared. Where that is so, the line is the one between those of the instructions before and
// after whose text calls what the instruction calls. If others mention that, too, nothing is changed.

// mostBetween bounds the lines that are looked through.
const mostBetween = 2 * maxContext

// calledAt corrects the line of the call before pc, in the innermost of some frames.
func (mod *module) calledAt(frames []finding.Frame, pc uint64) {
	f := &frames[0]
	from, to, displaced := mod.debug.displaced(pc-1, f.Line)
	if !displaced {
		return
	}
	if name := mod.callee(pc); name != "" {
		if line := callIn(f.File, from, to, name); line > 0 {
			f.Line = line
		}
	}
}

// displaced says whether an instruction of a Fortran procedure has the line of its declaration, though it does not begin
// it; and the lines of the instructions around it.
func (d *debugInfo) displaced(pc uint64, line int) (from, to int, ok bool) {
	u := d.unitAt(pc)
	if u == nil || !isFortran(u.root) {
		return 0, 0, false
	}
	chain := u.scopes(d, pc)
	if len(chain) == 0 || d.declaredAt(chain[len(chain)-1]) != line {
		return 0, 0, false
	}
	inlined := chain[len(chain)-1].Tag == dwarf.TagInlinedSubroutine
	return u.lines.around(pc, line, !inlined)
}

// declaredAt is the line at which a function is declared, 0 if that is not known.
func (d *debugInfo) declaredAt(e *dwarf.Entry) int {
	s := scope{d: d}
	for range 4 {
		if line, ok := e.Val(dwarf.AttrDeclLine).(int64); ok {
			return int(line)
		}
		if e = s.declaration(e); e == nil {
			break
		}
	}
	return 0
}

// around are the lines of the rows before and after that of pc that have another line of the procedure declared at one;
// false if the latter is missing. Those before that line, and those after the latter, are of other procedures, which may
// be inlined, or of what is run before in a loop. If no row comes before, the procedure's own line does; also if the
// procedure is not alone, but inlined in another one.
func (t *lineTable) around(pc uint64, line int, alone bool) (from, to int, ok bool) {
	i, ok := t.at.find(pc)
	if !ok {
		return 0, 0, false
	}
	rows := t.rows[t.sequences[i].first:t.sequences[i].end]
	next := slices.IndexFunc(rows, func(r lineRow) bool { return r.addr > pc && r.line > line })
	if next < 0 {
		return 0, 0, false
	}
	from, to = line, rows[next].line
	for _, row := range rows[:next] {
		if alone && row.addr <= pc && row.line > line && row.line <= to {
			from = row.line
		}
	}
	return from, to, to-from <= mostBetween
}

// callee is the name of what the call before an address calls in another module, by the table through which such calls
// go; "" if that is not known.
func (mod *module) callee(back uint64) string {
	if mod.image.Machine != elf.EM_X86_64 {
		return ""
	}
	call := mod.bytesAt(back-5, 5)
	if call == nil || call[0] != 0xe8 {
		return ""
	}
	relative := func(end uint64, b []byte) uint64 { return end + uint64(int64(int32(binary.LittleEndian.Uint32(b)))) }
	stub := relative(back, call[1:])
	text := mod.bytesAt(stub, 16)
	i := bytes.Index(text, []byte("\xff\x25")) // jmp *there(%rip)
	if i < 0 || i > 5 {
		return ""
	}
	return mod.linked(relative(stub+uint64(i)+6, text[i+2:]))
}

// bytesAt are bytes of the module's code, nil if they are not there.
func (mod *module) bytesAt(address uint64, n int) []byte {
	for _, p := range mod.image.Progs {
		if p.Type == elf.PT_LOAD && p.Flags&elf.PF_X != 0 && address >= p.Vaddr && address+uint64(n) <= p.Vaddr+p.Filesz {
			text := make([]byte, n)
			if _, err := p.ReadAt(text, int64(address-p.Vaddr)); err == nil {
				return text
			}
		}
	}
	return nil
}

// linked is the name of the function whose address the dynamic linker puts there.
func (mod *module) linked(there uint64) string {
	names, err := mod.image.DynamicSymbols()
	if err != nil {
		return ""
	}
	for _, s := range mod.image.Sections {
		if s.Type != elf.SHT_RELA {
			continue
		}
		data := sectionData(s)
		for ; len(data) >= 24; data = data[24:] {
			if binary.LittleEndian.Uint64(data) != there {
				continue
			}
			if n := binary.LittleEndian.Uint64(data[8:]) >> 32; n > 0 && n <= uint64(len(names)) {
				return names[n-1].Name
			}
		}
	}
	return ""
}

// callIn is the line of a file that calls a procedure, by its linker's name, among some that no other one mentions it in;
// 0 if there is none.
func callIn(file string, from, to int, name string) int {
	name = regexp.QuoteMeta(strings.TrimSuffix(strings.TrimRight(strings.ToLower(name), "_"), "_f08"))
	// Behind ! is a comment, as is a line of the fixed form that begins with C or an asterisk.
	calls, err := regexp.Compile(`(?i)^(?:[^c*!'"][^!'"]*[\s;)])?call\s+` + name + `\b`)
	if err != nil {
		return 0
	}
	mentions := regexp.MustCompile(`(?i)\b` + name + `\b`)
	middle := (from + to) / 2
	text, err := Excerpt(file, middle, to-middle)
	if err != nil {
		return 0
	}
	line, often, first := 0, 0, 0
	for _, l := range text {
		if l.N < from || l.N > to {
			continue
		}
		if first == 0 && often == 1 && endsProcedure.MatchString(l.Text) {
			first = line // what follows is of other procedures
		}
		if !mentions.MatchString(l.Text) {
			continue
		}
		if often++; calls.MatchString(l.Text) {
			line = l.N
		}
	}
	if often != 1 {
		return first
	}
	return line
}

// endsProcedure is a line behind the statements of a procedure.
var endsProcedure = regexp.MustCompile(`(?i)^\s*(?:contains|end(?:\s*(?:subroutine|function|procedure|program)\b.*)?)\s*$`)
