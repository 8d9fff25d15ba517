package judge

import (
	"unknot/internal/model/race"
	"unknot/internal/shmem/layout"
)

// follow does what a record says.
func (j *job) follow(t int, r *layout.Record) {
	p := &j.pes[t]
	p.followed++
	j.now = t
	if r.Kind != layout.Own && r.Kind != layout.External {
		p.last = r.Site
	}
	if r.Kind != layout.Wrong && int(r.Owner) >= len(j.pes) {
		j.strange++
		return
	}
	if !after(r) || p.told == 0 || p.told <= r.Value {
		j.learn(t) // else all that the PE may have learned came while it was in the call
	}
	j.glances(t, r)
	switch r.Kind {
	case layout.Read, layout.Write, layout.AtomicRead, layout.Atomic:
		j.access(t, r)
	case layout.Quiet:
		j.quiet(t, r.Value)
	case layout.Fence:
		j.fence(t, r.Value)
	case layout.Enter:
		p.ending = p.ending || layout.Collective(r.Flags) == layout.FinalizeCall
		j.enter(t, r)
	case layout.Leave:
		j.leave(t)
	case layout.Waits:
		w := *r
		p.waits = &w
	case layout.Sees:
		p.waits = nil
		j.sees(t, r)
	case layout.Locking:
		w := *r
		p.waits = &w
	case layout.Locked:
		j.locked(t, r)
	case layout.Unlock:
		j.unlock(t, r)
	case layout.Alloc:
		j.allocated(r)
	case layout.Free:
		j.freed(t, r)
	case layout.Wrong:
		j.mistaken(t, r)
	case layout.Direct:
		j.reaches(t, r)
		return // it comes between what the PE accesses itself
	case layout.Own:
		j.own(t, r)
		return
	case layout.External:
		p.external = true
		return
	case layout.Threads:
		p.level = r.Size
	case layout.End:
		p.ended, p.end, p.waits = true, r.Site, nil
	default:
		j.strange++
	}
	j.settles(t)
	p.since, p.near, p.orders = j.detector.Now(race.Task(t)), p.near[:0], 0
}

// after says whether an access was recorded when its call was over.
func after(r *layout.Record) bool {
	switch r.Kind {
	case layout.Read, layout.AtomicRead, layout.Write:
		return r.Flags&(layout.Pending|layout.Part) == 0 && r.Value > 0
	}
	return false
}

// holder is who has a lock.
type holder struct {
	pe   int
	site uint32
}

// lockTable is who holds which lock, and where the program takes any.
type lockTable struct {
	locks   map[uint64]holder
	locking map[race.Site]bool // sites that take a lock
}

// locked has a PE take a lock, which may not be freed before or at the same time.
func (j *job) locked(t int, r *layout.Record) {
	j.pes[t].waits = nil
	j.pes[t].learned++
	j.locks[r.Offset] = holder{t, r.Site}
	j.detector.Lock(race.Thread(t), race.Lock(r.Offset))
	j.locking[race.Site(r.Site)] = true
	j.detector.Access(race.Thread(t), race.Access{Owner: race.Owner(r.Owner), Start: r.Offset, Size: 1, Kind: race.Read,
		Site: race.Site(r.Site)})
}

func (j *job) unlock(t int, r *layout.Record) {
	if j.locks[r.Offset].pe == t {
		delete(j.locks, r.Offset)
	}
	j.detector.Unlock(race.Thread(t), race.Lock(r.Offset))
}

// found notes who has come later in a race: the PE whose record is followed; and of one with what a put reads, whether
// the PE has heard of others since, as these may have said that the put has come.
func (j *job) found(r *race.Race) {
	key := sites{r.First.Site, r.Second.Site}
	j.later[key] = j.now
	if r.First.Thread == r.Second.Thread {
		for _, x := range []*race.Party{&r.First, &r.Second} {
			if x.Task && x.Kind == race.Read && j.lent[x.Line] != j.pes[x.Thread].learned {
				j.answered[key] = true
			}
		}
	}
}
