package procstat

import (
	"strconv"
	"strings"
)

// Mapping is a line of /proc/PID/maps (proc(5)): the bytes from From to the one before To.
type Mapping struct {
	From, To uint64
	Rights   string // "r-xp"; the last letter is p for memory of the process alone
	Offset   uint64 // of From in the file
	Device   string
	Inode    uint64 // 0 if no file is behind it
	Path     string // as the kernel writes it
}

// ReadMapping reads such a line; false for any other line.
func ReadMapping(line string) (m Mapping, ok bool) {
	var field [5]string
	for i := range field {
		line = strings.TrimLeft(line, " ")
		field[i], line, _ = strings.Cut(line, " ")
	}
	low, high, _ := strings.Cut(field[0], "-")
	m = Mapping{Rights: field[1], Device: field[3], Path: strings.TrimLeft(line, " ")}
	var errs [4]error
	m.From, errs[0] = strconv.ParseUint(low, 16, 64)
	m.To, errs[1] = strconv.ParseUint(high, 16, 64)
	m.Offset, errs[2] = strconv.ParseUint(field[2], 16, 64)
	m.Inode, errs[3] = strconv.ParseUint(field[4], 10, 64)
	return m, errs == [4]error{} && m.From < m.To
}
