package symbol

import (
	"debug/dwarf"
	"sort"
)

// lineTable is the decoded line program of one unit.
type lineTable struct {
	read      bool
	dir       string
	files     []*dwarf.LineFile
	rows      []lineRow
	sequences []sequence
	at        spans // sequences by address
}

type lineRow struct {
	addr uint64
	file *dwarf.LineFile
	line int
}

// sequence is a run of rows with ascending addresses; [first, end) are indices of rows.
type sequence struct{ first, end int }

// maxRows bounds the rows of one unit: a damaged table may claim more than it has bytes for good reason.
const maxRows = 1 << 25

// readLines decodes the line program once. A program that breaks off keeps the sequences that were whole.
func (u *unit) readLines(d *debugInfo) {
	t := &u.lines
	if t.read {
		return
	}
	t.read = true
	t.dir, _ = u.root.Val(dwarf.AttrCompDir).(string)
	at, ok := u.root.Val(dwarf.AttrStmtList).(int64)
	if !ok || at < 0 || at >= int64(len(d.line)) || !saneLineHeader(d.line[at:], d.order) {
		return
	}
	r, err := d.data.LineReader(u.root)
	if err != nil || r == nil {
		return
	}
	t.files = r.Files()
	var row dwarf.LineEntry
	first := 0
	for len(t.rows) < maxRows && r.Next(&row) == nil {
		if !row.EndSequence {
			t.rows = append(t.rows, lineRow{row.Address, row.File, row.Line})
			continue
		}
		if first < len(t.rows) {
			t.at.add([][2]uint64{{t.rows[first].addr, row.Address}}, len(t.sequences))
			t.sequences = append(t.sequences, sequence{first, len(t.rows)})
		}
		first = len(t.rows)
	}
}

// find returns the position of pc: the last row that begins at or before it.
func (t *lineTable) find(pc uint64) (file string, line int, ok bool) {
	i, ok := t.at.find(pc)
	if !ok {
		return "", 0, false
	}
	rows := t.rows[t.sequences[i].first:t.sequences[i].end]
	n := sort.Search(len(rows), func(i int) bool { return rows[i].addr > pc })
	if n == 0 || rows[n-1].file == nil {
		return "", 0, false
	}
	return absolute(t.dir, rows[n-1].file.Name), rows[n-1].line, true
}

// file returns the name of file number i, which counts from 1 in DWARF 4 and from 0 in DWARF 5; so does the list.
func (t *lineTable) file(i int64) string {
	if i < 0 || i >= int64(len(t.files)) || t.files[i] == nil {
		return ""
	}
	return absolute(t.dir, t.files[i].Name)
}
