package symbol

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"slices"
	"sort"
	"strings"
	"unique"

	"unknot/internal/kit/procstat"
)

// Maps is a snapshot of the executable mappings of one process. It never changes after ReadMaps, so any number of
// goroutines may use it.
type Maps struct {
	pid    int
	ranges []mapping // ascending, disjoint
}

// moduleID names a module for all processes of one node: by device and inode, because one path may have had two
// contents during a run, and by path, because memory without a file has only that.
type moduleID struct {
	dev   string
	inode uint64
	path  string
	pid   int // 0 unless the memory belongs to one process only
}

type mapping struct {
	start, end uint64
	offset     uint64 // of start in the file
	module     unique.Handle[moduleID]
	path       string // as a user would write it: without the kernel's " (deleted)"
	file       bool   // backed by a file
}

// Key is a code position without the randomness of load addresses: equal for the same position of the same file in
// all ranks of a node. It is comparable and cheap to hash.
type Key struct {
	module unique.Handle[moduleID]
	offset uint64
}

// ReadMaps takes a snapshot of process pid. It opens no module; Resolver.Hold does, for those who want to be safe from
// a file that is deleted while the job runs.
func ReadMaps(pid int) (*Maps, error) {
	name := fmt.Sprintf("/proc/%d/maps", pid)
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("memory map of process %d: %w", pid, err)
	}
	m := parseMaps(pid, text)
	if len(m.ranges) == 0 {
		return nil, fmt.Errorf("memory map of process %d: no executable memory in %s\nhint: the process has ended", pid,
			name)
	}
	return m, nil
}

// Modules are the files that have code in the process, in the order of their addresses.
func (m *Maps) Modules() (paths []string) {
	for i := range m.ranges {
		if r := &m.ranges[i]; r.file && !slices.Contains(paths, r.path) {
			paths = append(paths, r.path)
		}
	}
	return paths
}

// Locate returns the module that has the code at pc, and pc's place in its file; "" if nothing is mapped there. It
// reads no file.
func (m *Maps) Locate(pc uint64) (module string, offset uint64) {
	if at := m.find(pc); at != nil {
		return at.path, pc - at.start + at.offset
	}
	return "", 0
}

// ParseMaps reads the text of a memory map that process pid took itself, see proc(5).
func ParseMaps(pid int, text string) *Maps { return parseMaps(pid, []byte(text)) }

// parseMaps reads the text of /proc/PID/maps, proc(5). Lines that it cannot read are left out.
func parseMaps(pid int, text []byte) *Maps {
	m := &Maps{pid: pid}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if r, ok := parseMapping(pid, lines.Text()); ok {
			m.ranges = append(m.ranges, r)
		}
	}
	sort.Slice(m.ranges, func(i, j int) bool { return m.ranges[i].start < m.ranges[j].start })
	return m
}

// parseMapping reads one line; false unless it is of executable memory.
func parseMapping(pid int, line string) (mapping, bool) {
	at, ok := procstat.ReadMapping(line)
	if !ok || !strings.Contains(at.Rights, "x") {
		return mapping{}, false
	}
	// The kernel writes a newline in a path as an octal escape, and escapes nothing else.
	path := strings.TrimSuffix(strings.ReplaceAll(at.Path, `\012`, "\n"), " (deleted)")
	r := mapping{start: at.From, end: at.To, offset: at.Offset, path: path, file: at.Inode != 0}
	id := moduleID{dev: at.Device, inode: at.Inode, path: path}
	if !r.file {
		r.offset = 0
		if path == "" {
			r.path, id.path = "[anon]", "[anon]"
		}
		if path != "[vdso]" && path != "[vsyscall]" {
			// Generated code: what lies at an address in one process says nothing about another.
			id.pid, r.offset = pid, at.From
		}
	}
	r.module = unique.Make(id)
	return r, true
}

// find returns the mapping that holds pc, or nil.
func (m *Maps) find(pc uint64) *mapping {
	if m == nil {
		return nil
	}
	i := sort.Search(len(m.ranges), func(i int) bool { return m.ranges[i].end > pc })
	if i == len(m.ranges) || m.ranges[i].start > pc {
		return nil
	}
	return &m.ranges[i]
}

// PID is the process that the snapshot is of.
func (m *Maps) PID() int { return m.pid }

// Has reports whether pc was in executable memory when the snapshot was taken. If not, a library may have been loaded
// since, and a new snapshot will tell.
func (m *Maps) Has(pc uint64) bool { return m.find(pc) != nil }

// Key returns the position of pc, and false if the snapshot does not have it.
func (m *Maps) Key(pc uint64) (Key, bool) {
	r := m.find(pc)
	if r == nil {
		return Key{}, false
	}
	return Key{module: r.module, offset: pc - r.start + r.offset}, true
}

// Lowest is where the first file begins that a process has mapped, the program's own unless it is linked to another
// place; 0 if that is not known.
func (m *Maps) Lowest() uint64 {
	if m == nil {
		return 0
	}
	for _, r := range m.ranges {
		if r.file && r.start >= r.offset {
			return r.start - r.offset
		}
	}
	return 0
}
