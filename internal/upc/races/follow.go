package races

import (
	"unknot/internal/model/race"
	"unknot/internal/upc/layout"
)

// follow does what a record says.
func (j *job) follow(t int, r *layout.Record) {
	d, id := j.detector, race.Thread(t)
	switch r.Kind {
	case layout.RecordRead:
		j.access(t, r, race.Read)
	case layout.RecordWrite:
		j.access(t, r, race.Write)
	case layout.RecordBegin:
		j.threads[t].tasks[r.Value] = d.Begin(id)
	case layout.RecordJoin:
		if task, ok := j.threads[t].tasks[r.Value]; ok {
			d.Join(id, task)
			delete(j.threads[t].tasks, r.Value)
		}
	case layout.RecordShow:
		d.Release(id, atomicOn(r))
	case layout.RecordSee:
		d.Acquire(id, atomicOn(r))
	case layout.RecordStrictRead:
		d.Acquire(id, flag(r))
		d.Access(id, access(r, race.Read, true))
	case layout.RecordStrictWrite:
		d.Access(id, access(r, race.Write, true))
		d.Release(id, flag(r))
	case layout.RecordNotify:
		d.Release(id, barrier(r))
		j.notified[t] = r.Offset + 1
	case layout.RecordWait:
		d.Acquire(id, barrier(r))
	case layout.RecordEnter:
		d.Release(id, entry(r.Offset, t))
		j.entered[t] = r.Offset
	case layout.RecordLeave:
		for s := range j.threads {
			if r.Owner == layout.Everybody || int(r.Owner) == s {
				d.Acquire(id, entry(r.Offset, s))
			}
		}
	case layout.RecordLock:
		d.Lock(id, lock(r))
		j.takes(t, r)
	case layout.RecordUnlock:
		if r.Flags&layout.RecordedPart != 0 {
			d.Unseen(id, lock(r))
		}
		d.Unlock(id, lock(r))
	case layout.RecordAlloc:
		j.allocated(block{place{r.Owner, r.Offset}, r.Count, r.Flags&layout.RecordedAll != 0, r.Site})
	case layout.RecordFree:
		j.free(t, r)
	}
	j.stepped(t, r)
	if takesTicket(r.Kind) {
		j.given = max(j.given, r.Ticket)
	}
}

func takesTicket(kind uint8) bool {
	switch kind {
	case layout.RecordStrictWrite, layout.RecordUnlock, layout.RecordFree, layout.RecordShow:
		return true
	}
	return false
}

// access takes in a relaxed access, of the thread or of one of its tasks.
func (j *job) access(t int, r *layout.Record, kind race.Kind) {
	j.counts.Records++
	j.counts.Accesses += r.Count
	a := access(r, kind, false)
	if r.Flags&layout.RecordedOp != 0 {
		a.Op = j.op(r)
		switch {
		case r.Flags&layout.RecordedAtomic != 0 && kind == race.Read:
			a.Kind = race.AtomicRead
		case r.Flags&layout.RecordedAtomic != 0:
			a.Kind = race.Atomic
		case kind == race.Write:
			a.Kind = race.Accumulate
		}
	}
	if task, ok := j.threads[t].tasks[r.Value]; ok {
		j.detector.AccessTask(task, a)
	} else {
		j.detector.Access(race.Thread(t), a)
	}
}

// op numbers the operations whose accesses do not conflict with each other.
func (j *job) op(r *layout.Record) uint32 {
	key := operation{r.Ticket, r.Flags&layout.RecordedAtomic != 0}
	n, ok := j.ops[key]
	if !ok {
		n = uint32(len(j.ops)) + 1
		j.ops[key] = n
	}
	return n
}

// operation is an atomicity domain, or a call of a collective function.
type operation struct {
	number uint64
	atomic bool
}

// access is what a record says of shared memory.
func access(r *layout.Record, kind race.Kind, strict bool) race.Access {
	return race.Access{Owner: race.Owner(r.Owner), Start: r.Offset, Size: uint64(r.Size), Stride: uint64(r.Stride),
		Count: r.Count, Kind: kind, Strict: strict,
		Site: race.Site(r.Site)}
}

// Kinds of keys.
const (
	barrierKey = 1 + iota
	flagKey
	atomicKey
	entryKey
)

// entry is by what a thread that enters a collective function orders those that get something of it.
func entry(collective uint64, thread int) race.Key {
	return race.Key{Kind: entryKey, A: collective, B: uint64(thread)}
}

// barrier is by what the threads that have notified order those that wait.
func barrier(r *layout.Record) race.Key { return race.Key{Kind: barrierKey, A: r.Offset} }

// flag is by what a strict write orders the strict reads that have read what it has written (UPC 1.3, appendix B.3).
func flag(r *layout.Record) race.Key {
	return race.Key{Kind: flagKey, A: uint64(r.Owner)<<48 | r.Offset, B: r.Value}
}

// atomicOn is by what strict atomic operations on one object order each other.
func atomicOn(r *layout.Record) race.Key {
	return race.Key{Kind: atomicKey, A: uint64(r.Owner)<<48 | r.Offset}
}

// lock is what the detector calls a lock.
func lock(r *layout.Record) race.Lock { return race.Lock(uint64(r.Owner)<<48 | r.Offset) }
