package judge

import (
	"unknot/internal/model/race"
	"unknot/internal/say/explain/shmem"
	"unknot/internal/vocab/finding"
)

// races makes the findings of races. One between calls whose active sets differ follows from that.
func (j *job) races(p *program) []finding.Finding {
	var all []shmem.Race
	for _, r := range j.detector.Races() {
		if !j.fromSets(&r) {
			all = append(all, j.race(p, &r))
		}
	}
	return shmem.Races(all)
}

// race is one as data.
func (j *job) race(p *program, r *race.Race) shmem.Race {
	key := sites{r.First.Site, r.Second.Site}
	return shmem.Race{Count: r.Count, Owner: int(r.Owner), Start: r.Start, End: r.End,
		Sides:    [2]shmem.Side{j.side(p, &r.First, r.Owner), j.side(p, &r.Second, r.Owner)},
		Object:   j.object(p, r.Start, r.End-r.Start),
		Ordered:  r.Standing == race.Predicted,
		Doubts:   j.doubts,
		Answered: j.answered[key],
		Vague:    j.vague[key.a] || j.vague[key.b],
		Outside:  j.outside[key.a] || j.outside[key.b],
		Later:    j.later[key],
		Locks:    len(j.locking) > 0}
}

// side is that of a party to a race for memory of a PE.
func (j *job) side(p *program, x *race.Party, owner race.Owner) shmem.Side {
	s := shmem.Side{Site: p.site(uint32(x.Site)), PE: int(x.Thread), ByPtr: x.Thread != race.Thread(owner),
		Locked: len(x.Locks) > 0}
	switch {
	case s.Own() && x.Kind == race.Read:
	case s.Own():
		s.Does = shmem.Writes
	case j.frees[x.Site]:
		s.Does = shmem.Frees
	case j.locking[x.Site]:
		s.Does = shmem.TakesLock
	case x.Kind == race.AtomicRead:
		s.Does = shmem.ReadsAtomically
	case x.Kind == race.Atomic:
		s.Does = shmem.ChangesAtomically
	case x.Kind == race.Accumulate:
		s.Does = shmem.Uses
	case x.Kind != race.Read && s.Puts():
		s.Does = shmem.Puts
	case x.Kind != race.Read:
		s.Does = shmem.Writes
	}
	return s
}
