package buffers

import (
	"unknot/internal/check/used"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/datatype"
)

// meet says whether two areas certainly share a byte.
func (m *memory) meet(a, b *used.Area) bool {
	if a.To <= b.From || b.To <= a.From {
		return false
	}
	tries := used.MaxBlocks // pairs of blocks that are looked at
	for _, x := range a.All() {
		from, to := x.Bounds()
		if to <= b.From || b.To <= from {
			continue
		}
		for _, y := range b.All() {
			if m.meetBlocks(x, y) {
				return true
			}
			if tries--; tries == 0 {
				return false
			}
		}
	}
	return false
}

// pair is two blocks of derived datatypes and how far the second begins behind the first.
type pair struct {
	a, b                   *objects.Object
	count, other, distance int64
}

// maxPairs bounds the pairs of which the answer is remembered: programs exchange the same parts of their arrays again
// and again, and irregular types take long to compare.
const maxPairs = 1024

func (m *memory) meetBlocks(x, y used.Block) bool {
	from, to := x.Bounds()
	if f, t := y.Bounds(); to <= f || t <= from {
		return false
	}
	p := pair{x.Type, y.Type, x.Count, y.Count, y.At - x.At}
	if yes, known := m.pairs[p]; known {
		return yes
	}
	yes, sure := x.Type.Type.Overlaps(x.Count, x.At, y.Type.Type, y.Count, y.At)
	if m.pairs == nil || len(m.pairs) == maxPairs {
		m.pairs = make(map[pair]bool)
	}
	m.pairs[p] = yes && sure
	return yes && sure
}

// memory is what pending operations of a rank use.
type memory struct {
	reads, writes intervals
	partitioned   intervals // of which the program may use some partitions, and only the probe knows which
	spare         *Held     // for operations to come
	pairs         map[pair]bool
	byte          *datatype.Type
	reaching      map[place]*reaching // calls whose counts go on behind the ends of their buffers
	rows          map[place]bool      // whether a buffer is a row of an array of Fortran
	touched       []*Held             // those that have touches to tell of
	persistent    map[*Held]bool      // those of persistent requests
}

// place is a parameter at a call site.
type place struct {
	site  uint64
	param int
}
