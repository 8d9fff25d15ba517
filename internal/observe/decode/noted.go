package decode

import "unknot/internal/observe/ring"

// Noted is something that a process has had to do with others by other ways than MPI's.
type Noted struct {
	Kind ring.NotedKind
	// the file has, since the run was begun; of time and random numbers: they are not those of the machine
	Changed  bool
	Dev, Ino uint64
	Site     uint64
	Func     string // of the C library
	Path     string
}

// ReadNoted reads a DataNoted record.
func ReadNoted(v []uint64) Noted {
	w := words(v)
	return Noted{ring.NotedKind(w.next()), w.next() != 0, w.next(), w.next(), w.next(), w.text(), w.text()}
}
