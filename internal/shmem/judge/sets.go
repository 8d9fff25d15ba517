package judge

import (
	"unknot/internal/model/race"
	"unknot/internal/shmem/layout"
)

// compareSets compares a PE's entry of a call with the calls that others are in at the same place of the program, with
// other active sets. If both are members of both, and neither has reached the other one's call, each waits for the
// other: nobody leaves such a call before all members have entered it. Calls at two places are reported as a deadlock.
func (j *job) compareSets(t int, r *layout.Record) {
	if !waitsForAll(r) || j.pes[t].level >= threadsCall {
		return
	}
	mine := j.pes[t].in
	for u := range j.pes {
		in := j.pes[u].in
		if in == nil || in.set == mine.set || in.record.Site != r.Site || in.record.Stride != r.Stride ||
			!waitsForAll(&in.record) || j.pes[u].level >= threadsCall {
			continue
		}
		if !layout.Set(in.record.Value).Has(t) || !layout.Set(r.Value).Has(u) ||
			in.set.entered[t] >= in.record.Offset || mine.set.entered[u] >= r.Offset {
			continue
		}
		d := j.differs(in.record, u, t, r)
		d.sets = true
		for _, c := range []*call{in.call, mine.call} {
			if c.differ != nil && c.differ != d {
				c.differ.told = true // it follows from this one
			}
			c.differ = d
		}
	}
}

// waitsForAll says whether no member of the set of a call leaves it before all have entered it.
func waitsForAll(r *layout.Record) bool {
	switch layout.Collective(r.Flags) {
	case layout.Barrier, layout.Sync:
		return true
	case layout.Collect, layout.FCollect, layout.Reduce, layout.AllToAll, layout.AllToAllS:
		return r.Count > 0
	}
	return false
}

// fromSets says whether a race is between two calls whose active sets differ, which says why.
func (c *collectives) fromSets(r *race.Race) bool {
	key := sites{min(r.First.Site, r.Second.Site), max(r.First.Site, r.Second.Site)}
	d := c.disagree[key]
	return d != nil && d.sets && r.First.Kind == race.Accumulate && r.Second.Kind == race.Accumulate
}
