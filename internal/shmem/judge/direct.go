package judge

import (
	"slices"

	"unknot/internal/model/race"
	"unknot/internal/say/explain/shmem"
	"unknot/internal/shmem/layout"
)

// direct is what loads and stores of other PEs' memory (shmem_ptr) have to do with a PE. What a PE stores so may be a
// flag for another one that waits by shmem_wait_until, or by volatile loads; that it is one is recorded before the
// storing PE's next call, when the other one may have gone on. So who waits in memory that others reach comes after all
// that these had done before their last call, and may know what they have done since.
type direct struct {
	reach  []reach
	comers []int                // PEs that reach its memory, in order
	words  map[uint64]wordState // of its memory, if others reach it
}

// reach is that a PE reaches another one's memory.
type reach struct {
	owner int
	read  uint64 // the ticket up to which the PE may have read what was put there
}

// wordState is what is known of a word of memory that others reach.
type wordState uint8

const (
	wasPut     wordState = 1 << iota // by a call
	wasStored                        // by a PE that reaches it
	wasAwaited                       // by whoever
)

// reaches has a PE have the address of another one's memory.
func (j *job) reaches(t int, r *layout.Record) {
	owner := int(r.Owner)
	if r.Flags&layout.ReachSeen == 0 {
		j.doubt(shmem.Doubt{Why: shmem.DirectAddress})
		return
	}
	o := &j.pes[owner]
	if o.words == nil {
		o.words = make(map[uint64]wordState)
	}
	if at, there := slices.BinarySearch(o.comers, t); !there {
		o.comers = slices.Insert(o.comers, at, t)
		j.pes[t].reach = append(j.pes[t].reach, reach{owner, o.mailed})
	}
}

// reached says whether a PE has the address of another one's memory.
func (j *job) reached(t, owner int) bool {
	_, there := slices.BinarySearch(j.pes[owner].comers, t)
	return there
}

// isPut notes that a word was put.
func (d *direct) isPut(word uint64) {
	if d.words != nil {
		d.words[word] |= wasPut
	}
}

// storesFlag notes what is stored in memory that others reach, and says whether somebody has waited for that: who has
// waited for it knows of it.
func (j *job) storesFlag(owner int, a *race.Access) (awaited bool) {
	o := &j.pes[owner]
	s, short := piece(a)
	if o.words == nil || !short {
		return false
	}
	for word := s.from / wordBytes; word <= (s.to-1)/wordBytes; word++ {
		awaited = awaited || o.words[word]&wasAwaited != 0
		o.words[word] |= wasStored
	}
	return awaited
}

// settles has what a PE has done before a call be known to those who wait for what it stores after it.
func (j *job) settles(t int) {
	p := &j.pes[t]
	for _, to := range p.reach {
		j.detector.Release(race.Thread(t), race.Key{Kind: directKey, A: uint64(to.owner)})
	}
	if p.comers != nil {
		j.detector.Release(race.Thread(t), race.Key{Kind: directKey, A: uint64(t)})
	}
}

// glances has a PE know what it may have read in the memory that it reaches: what was known to have come before what
// was put there.
func (j *job) glances(t int, r *layout.Record) {
	p := &j.pes[t]
	for i := range p.reach {
		to := &p.reach[i]
		mailed := j.pes[to.owner].mailed
		if mailed > to.read && (!after(r) || mailed <= r.Value) {
			to.read = mailed
			j.detector.Suspect(race.Thread(t), race.Key{Kind: mailKey, A: uint64(to.owner)})
		}
	}
}

// awaits has a PE have waited for a word of an owner's memory. If it was put there, that is known otherwise.
func (j *job) awaits(t, owner int, word uint64) {
	o := &j.pes[owner]
	if o.words == nil {
		return
	}
	state := o.words[word]
	o.words[word] |= wasAwaited
	if state&wasPut == 0 || state&wasStored != 0 {
		j.meets(t, owner)
	}
}

// meets has a PE know what those had done before their last calls who reach an owner's memory, and the owner, and have
// it perhaps know what they have done since.
func (j *job) meets(t, owner int) {
	o := &j.pes[owner]
	if owner != t {
		j.peeks(t, owner)
	}
	if o.comers == nil {
		return
	}
	j.detector.Acquire(race.Thread(t), race.Key{Kind: directKey, A: uint64(owner)})
	for _, other := range o.comers {
		if other != t {
			j.peeks(t, other)
		}
	}
}
