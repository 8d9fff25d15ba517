package calls

import (
	"unknot/internal/observe/ring"
	"unknot/internal/vocab/mpi"
)

// Visits counts how often a thread has made the call of each place in the program, for reports: the call of a loop that
// hangs is named with the iteration.
type Visits struct {
	recent [1 << recentPlaces]visit // by place, so that most calls need no look into the map
	all    map[uint64]*uint64
}

// visit is the count of a place.
type visit struct {
	site uint64
	n    *uint64
}

// recentPlaces is the logarithm of how many places are found at once.
const recentPlaces = 6

// maxPlaces bounds the places of a thread that are counted.
const maxPlaces = 1 << 16

// VisitedAt is the key of a place: in Python a line of a script may make several calls of MPI.
func VisitedAt(f *mpi.Func, site uint64) uint64 {
	site = ring.Place(site)
	if f == nil {
		return site
	}
	return site ^ uint64(f.ID)<<48
}

// Add takes in calls of a place.
func (v *Visits) Add(site, calls uint64) {
	r := &v.recent[site*0x9e3779b97f4a7c15>>(64-recentPlaces)]
	if r.site != site || r.n == nil {
		*r = visit{site, v.of(site)}
	}
	*r.n += calls
}

// of is where the calls of a place are counted: of one too many, nowhere.
func (v *Visits) of(site uint64) *uint64 {
	n := v.all[site]
	if n != nil {
		return n
	}
	n = new(uint64)
	if v.all == nil {
		v.all = make(map[uint64]*uint64)
	}
	if len(v.all) < maxPlaces {
		v.all[site] = n
	}
	return n
}

// Nth says which one of its place the call is that a thread has made last; 0 if that is not known. Of calls that may be
// left out where they repeat at once, polls and those that echo, only the sum is known.
func (t *Thread) Nth() int {
	if t.Func == nil || IsPoll(t.Func) || t.Polls.Active() {
		return 0
	}
	switch t.Func.Class {
	case mpi.Rma, mpi.Rrma, mpi.WinFlush:
		return 0
	}
	if n := t.Visits.all[VisitedAt(t.Func, t.Site)]; n != nil {
		return int(*n)
	}
	return 0
}
