package host

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"unknot/internal/kit/symbol"
	"unknot/internal/observe/ring"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/op"
)

// outsideCall is a call that a process made while MPI was not initialised, or a further initialisation (MPI-4.0, 11.2
// and 11.4).
type outsideCall struct {
	pid  int
	rank op.Rank // -1 before MPI is initialised
	// "before", "after", "again", "beside" another thread's; "freed" of what may be freed after MPI has ended
	when     string
	fn       uint16
	function string // its name, also of one without a row
	site     uint64
	callers  []uint64        // return addresses, innermost first; as far as they are known
	script   []finding.Frame // the call stack in Python
	ended    uint64          // where the process has finalised MPI, 0 if that is not known
	maps     *symbol.Maps    // of the process; nil if they are not known
}

// outside reads what processes have left in a session directory about such calls, in the order of processes and calls.
// What cannot be read is left out: the process may be writing it.
func outside(dir string) []outsideCall {
	names, err := filepath.Glob(filepath.Join(dir, ring.OutsidePrefix+"*"))
	if err != nil {
		return nil
	}
	var list []outsideCall
	for _, name := range names {
		pid, err := strconv.Atoi(strings.TrimPrefix(filepath.Base(name), ring.OutsidePrefix))
		if err != nil {
			continue // the maps of one
		}
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		var maps *symbol.Maps
		if m, err := os.ReadFile(name + ring.MapsSuffix); err == nil {
			maps = symbol.ParseMaps(pid, string(m))
		}
		for line := range strings.Lines(string(text)) {
			if f, ok := scriptFrame(line); ok && len(list) > 0 && list[len(list)-1].pid == pid {
				last := &list[len(list)-1]
				last.script = append(last.script, f)
				continue
			}
			c := outsideCall{pid: pid, maps: maps}
			if n, _ := fmt.Sscanf(line, "%s %d %s 0x%x %d 0x%x", &c.when, &c.fn, &c.function, &c.site, &c.rank,
				&c.ended); n >= 5 {
				c.callers = callersIn(line)
				list = append(list, c)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b outsideCall) int { return a.pid - b.pid })
	return list
}

// scriptFrame is what a line says of the call stack of a script.
func scriptFrame(line string) (finding.Frame, bool) {
	line, whole := strings.CutSuffix(line, "\n")
	fields := strings.SplitN(line, " ", 4)
	if !whole || len(fields) < 4 || fields[0] != "at" {
		return finding.Frame{}, false
	}
	n, err := strconv.Atoi(fields[1])
	return finding.Frame{Function: fields[2], File: fields[3], Line: n}, err == nil
}

// callersIn are the callers at the end of a line, if it is whole.
func callersIn(line string) (pcs []uint64) {
	line, whole := strings.CutSuffix(line, "\n")
	fields := strings.Fields(line)
	if !whole || len(fields) <= 6 {
		return nil
	}
	for _, text := range fields[6:] {
		pc, err := strconv.ParseUint(text, 0, 64)
		if err != nil {
			return nil
		}
		pcs = append(pcs, pc)
	}
	return pcs
}
