package judge

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"unsafe"

	"unknot/internal/kit/symbol"
	"unknot/internal/observe/rendezvous"
	"unknot/internal/say/explain/shmem"
	"unknot/internal/shmem/layout"
)

// program is what is known of the text of a job's program: its sites, and how the memory of its processes is laid out.
type program struct {
	session string
	table   []byte // the file of the job
	bad     error  // why that cannot be read
	places  map[uint32]*shmem.Site
	layouts map[int]*memory
	resolve *symbol.Resolver
}

// memory is how that of a process is laid out.
type memory struct {
	text string
	maps *symbol.Maps
	data *symbol.Data // once it was asked for
}

func newProgram(session string, job uint64) *program {
	p := &program{session: session, places: make(map[uint32]*shmem.Site), layouts: make(map[int]*memory),
		resolve: symbol.New()}
	path := filepath.Join(session, fmt.Sprintf("%s%x", layout.JobPrefix, job))
	p.table, p.bad = readTable(path)
	return p
}

func (p *program) close() { p.resolve.Close() }

// readTable reads the file of a job. It may be none that this version knows.
func readTable(path string) ([]byte, error) {
	const size = int64(unsafe.Sizeof(layout.Job{}))
	fi, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if fi.Size() != size {
		return nil, fmt.Errorf("%s: it has %d bytes, expected %d; hint: run the program with this version of "+
			"unknot alone", path, fi.Size(), size)
	}
	table, err := os.ReadFile(path)
	if err != nil || int64(len(table)) != size {
		return nil, err
	}
	const magic = 1<<48 - 1
	switch mark := (*layout.Job)(unsafe.Pointer(&table[0])).Mark; {
	case mark&magic != layout.JobMark&magic:
		return nil, fmt.Errorf("%s: it is no file of an OpenSHMEM job", path)
	case mark != layout.JobMark:
		return nil, fmt.Errorf("%s: it was written by another version of unknot", path)
	}
	return table, nil
}

// site is the place with a number. One that is not known has no frames.
func (p *program) site(n uint32) *shmem.Site {
	s := p.places[n]
	if s != nil {
		return s
	}
	s = shmem.Unknown()
	p.places[n] = s
	if n == 0 || n > layout.MostSites || p.table == nil {
		return s
	}
	e := &(*layout.Job)(unsafe.Pointer(&p.table[0])).Sites[n-1]
	if e.Done == 0 {
		return s
	}
	name, _, _ := bytes.Cut(e.Name[:], []byte{0})
	s.Call = string(name)
	if m := p.memory(int(e.PID)); m != nil {
		s.Frames = p.resolve.Frames(m.maps, e.PC, true)
		if module, offset := m.maps.Locate(e.PC); module != "" {
			s.Number = rendezvous.Site(module, offset)
		}
	}
	return s
}

// memory is that of a process, nil if it has not said.
func (p *program) memory(pid int) *memory {
	m, known := p.layouts[pid]
	if known {
		return m
	}
	if text, err := os.ReadFile(filepath.Join(p.session, fmt.Sprintf("%s%d", layout.MapsPrefix, pid))); err == nil {
		m = &memory{text: string(text), maps: symbol.ParseMaps(pid, string(text))}
	}
	p.layouts[pid] = m
	return m
}
