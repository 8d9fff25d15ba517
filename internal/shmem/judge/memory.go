package judge

import (
	"unknot/internal/model/race"
	"unknot/internal/shmem/layout"
)

// symmetricHeap is the heap that all PEs allocate from alike.
type symmetricHeap struct {
	blocks map[uint64]*block
	frees  map[race.Site]bool // sites that free memory
}

// block is memory of the symmetric heap. All PEs have one at the same offset, and there is never another one there.
type block struct {
	offset, bytes uint64
	site          uint32
}

// allocated notes a block. Each PE says of it; the first one in time counts.
func (h *symmetricHeap) allocated(r *layout.Record) {
	n := r.Offset >> layout.BlockBits
	if h.blocks[n] == nil {
		h.blocks[n] = &block{r.Offset, r.Count, r.Site}
	}
}

// freed takes that a PE gives a block back for a write to all of its part: whoever uses that has to be done before.
func (j *job) freed(t int, r *layout.Record) {
	b := j.blockAt(r.Offset)
	if b == nil || b.bytes == 0 || b.bytes > mostBytes {
		return
	}
	j.frees[race.Site(r.Site)] = true
	j.detector.Access(race.Thread(t), race.Access{Owner: race.Owner(t), Start: b.offset, Size: b.bytes,
		Kind: race.Write, Site: race.Site(r.Site)})
}

// blockAt is the block that has a byte, nil if there is none.
func (h *symmetricHeap) blockAt(offset uint64) *block {
	if offset >= layout.StaticBase {
		return nil
	}
	b := h.blocks[offset>>layout.BlockBits]
	if b == nil || offset < b.offset || offset-b.offset >= max(b.bytes, 1) {
		return nil
	}
	return b
}
