package races

import (
	"unknot/internal/model/race"
	"unknot/internal/upc/layout"
)

// block is allocated memory.
type block struct {
	place
	bytes uint64 // of each thread that has a part
	all   bool   // all threads have one
	site  uint32
}

// allocated notes a block: what was there before is something else. Of an object that all threads allocate together
// each says so, the first one in time.
func (j *job) allocated(b block) {
	if old, there := j.blocks[b.place]; there && old.bytes == b.bytes && old.all == b.all {
		return
	}
	j.blocks[b.place] = b
	for _, owner := range j.owners(b) {
		j.detector.Forget(owner, b.offset, b.offset+b.bytes)
	}
}

// free takes the return of a block for a write to all of it: whoever uses it has to be done before, and nobody may come
// after. That is remembered until the memory becomes another object.
func (j *job) free(t int, r *layout.Record) {
	b, ok := j.blocks[place{r.Owner, r.Offset}]
	if !ok {
		return
	}
	delete(j.blocks, b.place)
	j.frees[race.Site(r.Site)] = true
	for _, owner := range j.owners(b) {
		j.detector.Access(race.Thread(t), race.Access{Owner: owner, Start: b.offset, Size: b.bytes, Kind: race.Write,
			Site: race.Site(r.Site)})
	}
}

// takes notes that a thread uses a lock, which may not be freed before or at the same time.
func (j *job) takes(t int, r *layout.Record) {
	j.locks[race.Site(r.Site)] = true
	j.detector.Access(race.Thread(t), race.Access{Owner: race.Owner(r.Owner), Start: r.Offset, Size: 1, Kind: race.Read,
		Site: race.Site(r.Site)})
}

// owners are the threads that have a part of a block.
func (j *job) owners(b block) []race.Owner {
	if !b.all {
		return []race.Owner{race.Owner(b.owner)}
	}
	all := make([]race.Owner, len(j.threads))
	for i := range all {
		all[i] = race.Owner(i)
	}
	return all
}
