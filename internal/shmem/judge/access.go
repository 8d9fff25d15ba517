package judge

import (
	"unknot/internal/model/race"
	"unknot/internal/shmem/layout"
)

// atomicOf stands for the type of an atomic access. Those of one type do not conflict with each other; those of
// different types are not atomic to each other (OpenSHMEM 1.5, Atomicity Guarantees). Integers of one size count as one
// type.
func atomicOf(r *layout.Record) uint32 {
	const real = 1 << 16
	op := uint32(r.Size)
	if r.Flags&layout.Real != 0 {
		op |= real
	}
	return op
}

// Bounds of what an access can be: memory has no more bytes, and elements that are apart are looked at one by one.
const (
	mostBytes    = 1 << 48
	mostElements = 1 << 26
)

// accessOf is what a record says of memory; it is false if there can be no such access.
func accessOf(r *layout.Record) (a race.Access, ok bool) {
	a = race.Access{Owner: race.Owner(r.Owner), Start: r.Offset, Size: uint64(r.Size), Stride: uint64(r.Stride),
		Count: max(r.Count, 1), Site: race.Site(r.Site)}
	switch r.Kind {
	case layout.Read:
		a.Kind = race.Read
	case layout.Write:
		a.Kind = race.Write
	case layout.AtomicRead:
		a.Kind, a.Op = race.AtomicRead, atomicOf(r)
	case layout.Atomic:
		a.Kind, a.Op = race.Atomic, atomicOf(r)
	case layout.Own:
		a.Kind = race.Read
	}
	apart := a.Count > 1 && a.Stride != a.Size
	ok = a.Size > 0 && a.Count <= mostBytes/max(a.Size, a.Stride) && a.Start <= 1<<63-mostBytes &&
		(!apart || a.Stride > a.Size && a.Count <= mostElements)
	return a, ok
}

// piece is the memory of an access that is short and in one piece, as flags are.
func piece(a *race.Access) (s span, ok bool) {
	const most = 64
	if a.Count > 1 && a.Stride != a.Size || a.Size*a.Count > most {
		return span{}, false
	}
	return span{a.Start, a.Start + a.Size*a.Count}, true
}

// mail is what was put into the memory of a PE.
type mail struct {
	// the ticket by which something was put first into its memory since it last learned of that, as it may have; 0 if
	// nothing was
	told   uint64
	fresh  []span
	mailed uint64 // the ticket by which something was put there last
}

func (j *job) access(t int, r *layout.Record) {
	a, ok := accessOf(r)
	if !ok {
		j.strange++
		return
	}
	d, id, p := j.detector, race.Thread(t), &j.pes[t]
	if p.external {
		j.outside[a.Site] = true
	}
	switch {
	case r.Flags&layout.Part != 0 && p.in != nil:
		j.part(t, a)
	case r.Flags&layout.Pending != 0 && r.Flags&layout.Put != 0:
		j.put(t, r.Value, a)
	case r.Flags&layout.Pending != 0:
		j.transfer(t, r.Value, a)
	case r.Flags&layout.Put != 0:
		j.operation(t, r.Value, a)
	default:
		d.Access(id, a)
	}
	switch {
	case r.Kind == layout.AtomicRead:
		j.sees(t, r)
	case r.Kind == layout.Read && int(r.Owner) != t && r.Flags&layout.Pending == 0: // else at the quiet
		j.peeks(t, int(r.Owner))
	}
}

// operation is an atomic operation that is over when the call returns: what was put to the same PE before a fence has
// come there before it.
func (j *job) operation(t int, context uint64, a race.Access) {
	d, id, owner := j.detector, race.Thread(t), int(a.Owner)
	if f := j.pes[t].contexts[context]; f != nil && f.to[owner] != nil {
		d.Learn(race.Task(t), f.to[owner].main)
	}
	j.show(owner, &a, func(k race.Key) { d.Release(id, k) })
	d.Access(id, a)
}

// show has what was before a write be known to those who see what it writes, by keys for its words.
func (j *job) show(owner int, a *race.Access, release func(race.Key)) {
	s, short := piece(a)
	if short {
		for word := s.from / wordBytes; word <= (s.to-1)/wordBytes; word++ {
			release(flag(owner, word))
			j.pes[owner].isPut(word)
		}
		if to := &j.pes[owner]; len(to.fresh) < mostFresh {
			to.fresh = append(to.fresh, s)
		}
	} else {
		release(race.Key{Kind: longKey, A: uint64(owner)})
	}
	release(race.Key{Kind: mailKey, A: uint64(owner)})
	to := &j.pes[owner]
	to.mailed = j.last
	if to.told == 0 {
		to.told = j.last
	}
}

// mostFresh is how many pieces of memory are remembered that were written since a PE's last record.
const mostFresh = 256

// learn has a PE know what it may have read in its own memory since its last record, as not all of its loads are
// recorded.
func (j *job) learn(t int) {
	p := &j.pes[t]
	if p.told == 0 {
		return
	}
	for _, s := range p.fresh {
		j.detector.See(race.Thread(t), race.Owner(t), s.from, s.to, false)
	}
	p.told, p.fresh = 0, p.fresh[:0]
	if k := (race.Key{Kind: mailKey, A: uint64(t)}); p.polled {
		j.detector.Acquire(race.Thread(t), k) // loads by which it waits are not all recorded
	} else {
		j.detector.Suspect(race.Thread(t), k)
	}
}

// peeks has a PE read another one's memory, which may tell what that one has done, as it may have stored something
// there.
func (j *job) peeks(t, owner int) {
	k := race.Key{Kind: peekKey, A: uint64(owner)}
	j.detector.Release(race.Thread(owner), k)
	j.detector.Suspect(race.Thread(t), k)
	if j.pes[owner].polled {
		j.detector.Acquire(race.Thread(t), race.Key{Kind: shownKey, A: uint64(owner)})
	}
}

// sees has a PE know what those had done who have written what it has read.
func (j *job) sees(t int, r *layout.Record) {
	const most = 64
	if r.Size < 1 || r.Size > most || r.Offset > 1<<63 {
		j.strange++
		return
	}
	d, id, owner := j.detector, race.Thread(t), int(r.Owner)
	j.pes[t].learned++
	from, to := r.Offset, r.Offset+uint64(r.Size)
	d.See(id, race.Owner(owner), from, to, true)
	for word := from / wordBytes; word <= (to-1)/wordBytes; word++ {
		d.Acquire(id, flag(owner, word))
		j.awaits(t, owner, word)
	}
	d.Acquire(id, race.Key{Kind: longKey, A: uint64(owner)})
	if owner != t {
		j.peeks(t, owner)
	}
}

// Kinds of keys.
const (
	flagKey  = 1 + iota // a word that was written
	longKey             // a PE's memory that was written in more than a few words at once
	mailKey             // a PE's memory
	peekKey             // what a PE has stored in its own memory
	shownKey            // what it has stored there atomically or as volatile
	// what those have done, before their last call, who reach a PE's memory by loads and stores
	directKey
	collectiveKey // a collective call
	rootKey       // what the root of a broadcast has done before
)

const wordBytes = 8

func flag(owner int, word uint64) race.Key {
	return race.Key{Kind: flagKey, A: uint64(owner), B: word}
}
