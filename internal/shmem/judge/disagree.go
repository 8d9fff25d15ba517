package judge

import (
	"cmp"
	"maps"
	"slices"

	"unknot/internal/model/race"
	"unknot/internal/model/waitfor"
	"unknot/internal/say/explain/shmem"
	"unknot/internal/shmem/layout"
	"unknot/internal/vocab/finding"
)

// disagreement is calls of a collective that differ, at two places of the program.
type disagreement struct {
	count int
	first layout.Record // the call of the PE by
	by    int
	other map[int]layout.Record // by PE: the first call that differs
	sets  bool                  // the active sets differ
	told  bool                  // with the end of the job, or by what it follows from
}

// compare compares a PE's entry of a call with the first one. What follows from different active sets is not reported
// besides.
func (cs *collectives) compare(c *call, t int, r *layout.Record) {
	if difference(&c.first, r) != shmem.Same && (c.differ == nil || !c.differ.sets) {
		c.differ = cs.differs(c.first, c.by, t, r)
	}
}

// differs notes that the call of one PE differs from that of another one, by.
func (c *collectives) differs(first layout.Record, by, t int, r *layout.Record) *disagreement {
	key := sites{race.Site(first.Site), race.Site(r.Site)}
	if key.a > key.b {
		key.a, key.b = key.b, key.a
	}
	d := c.disagree[key]
	if d == nil {
		d = &disagreement{first: first, by: by, other: make(map[int]layout.Record)}
		c.disagree[key] = d
	}
	d.count++
	if _, there := d.other[t]; !there && t != d.by && difference(&d.first, r) != shmem.Same {
		d.other[t] = *r
	}
	return d
}

// difference is in what two calls differ that have to be the same.
func difference(a, b *layout.Record) shmem.Difference {
	kind := layout.Collective(a.Flags)
	switch {
	case a.Flags != b.Flags || a.Stride != b.Stride:
		return shmem.OtherFunction
	case a.Value != b.Value:
		return shmem.OtherSet
	case kind == layout.Broadcast && a.Owner != b.Owner:
		return shmem.OtherRoot
	case kind == layout.AllocateCall && a.Count != b.Count:
		return shmem.OtherBytes
	case kind != layout.Collect && a.Count != b.Count:
		return shmem.OtherCount
	case a.Size != b.Size:
		return shmem.OtherSize
	}
	return shmem.Same
}

// disagreements makes the findings of collectives in which PEs differ.
func (j *job) disagreements(p *program) (all []finding.Finding) {
	keys := slices.SortedFunc(maps.Keys(j.disagree), func(x, y sites) int {
		return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
	for _, key := range keys {
		if d := j.disagree[key]; !d.told {
			x := j.disagreement(p, d)
			all = append(all, x.Finding())
		}
	}
	return all
}

// hangsIn is the disagreement in which some of the PEs hang that wait forever, nil if there is none.
func (j *job) hangsIn(dead []waitfor.Node) *disagreement {
	for _, n := range dead {
		if in := j.pes[n].in; in != nil && in.call.differ != nil {
			return in.call.differ
		}
	}
	return nil
}

// hang makes the finding of PEs that have not left calls in which they differ.
func (j *job) hang(p *program, d *disagreement) finding.Finding {
	d.told = true
	x := j.disagreement(p, d)
	x.Ended = true
	return x.Finding()
}

// disagreement is one as data.
func (j *job) disagreement(p *program, d *disagreement) shmem.Disagreement {
	x := shmem.Disagreement{Count: d.count, PEs: len(j.pes), Sets: d.sets}
	by := maps.Clone(d.other)
	by[d.by] = d.first
	all := slices.Sorted(maps.Keys(by))
	for _, t := range all {
		r := by[t]
		x.Calls = append(x.Calls, shmem.Call{PE: t, Record: r, Site: p.site(r.Site)})
	}
	x.First, x.Other = slices.Index(all, d.by), slices.Index(all, slices.Min(slices.Collect(maps.Keys(d.other))))
	a, b := x.Calls[min(x.First, x.Other)].Record, x.Calls[max(x.First, x.Other)].Record
	x.Differ = difference(&a, &b)
	return x
}
