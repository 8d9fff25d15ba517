package race

import "slices"

// knows says whether an access is in a vector, which is what line self knows: all that its line did up to it, or that
// it was seen.
func (v *vector) knows(self int32, o *entry) bool {
	return o.line == self || v.at(o.line) >= o.time || o.sure && v.sees(self, o)
}

// sees says whether a vector has the moment at which an access was seen.
func (v *vector) sees(self int32, o *entry) bool {
	seer := o.seer - 1
	return seer >= 0 && (seer == self || v.at(seer) >= o.seen)
}

// See tells that a thread has seen what was written to some bytes. What comes after this moment of the thread comes
// after the writes to these bytes, though not after what else those did who made them. If it is not sure, only Meets
// goes by it. Of an access the first to see it counts, or the first that is sure.
func (d *Detector) See(t Thread, o Owner, start, end uint64, sure bool) {
	s := d.spaces[o]
	if s == nil || start >= end {
		return
	}
	l := d.lines[t]
	d.segments += s.update(start, end, func(before historyID, _, _ uint64) historyID {
		entries := slices.Clone(d.histories.list[before].entries)
		for i := range entries {
			if e := &entries[i]; e.kind.modifies() && (e.seer == 0 || sure && !e.sure) {
				e.seer, e.seen, e.sure = int32(t)+1, l.now, sure
			}
		}
		return d.histories.of(sorted(entries))
	})
	l.tick()
}

func sorted(entries []entry) []entry {
	slices.SortFunc(entries, func(a, b entry) int { return a.compare(&b) })
	return entries
}

// Meets says whether a task has made an access in its present part that would race with another one if that were made
// by one of its tasks that knows as much as this one.
func (d *Detector) Meets(k Task, a Access) bool {
	s := d.spaces[a.Owner]
	if s == nil {
		return false
	}
	l, e := d.lines[k], entry{op: a.Op, kind: a.Kind, strict: a.Strict}
	meets := func(h historyID) bool {
		return slices.ContainsFunc(d.histories.list[h].entries, func(o entry) bool {
			return o.line == int32(k) && o.time > l.known.at(int32(k)) && conflict(&o, &e) &&
				!l.known.sees(int32(k), &o)
		})
	}
	n, size := a.pieces()
	for i := range n {
		start := a.Start + i*a.Stride
		if s.some(start, start+size, meets) {
			return true
		}
	}
	return false
}
