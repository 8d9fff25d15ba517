package race

import (
	"slices"
)

// Bounds from which on something is looked for that is not needed any more.
const (
	leastBytes = 4 << 20
	leastKeys  = 1024
)

// floor is what every line knows that may still do something: accesses up to there race with nothing more.
func (d *Detector) floor() []uint32 {
	floor := make([]uint32, len(d.lines))
	for i, l := range d.lines {
		floor[i] = l.now
	}
	var done []*vector
	for self, l := range d.lines {
		if l.over {
			continue
		}
		if slices.Contains(done, l.weak) {
			continue // except for its own line, which below is right for one of those that share it only
		}
		done = append(done, l.weak)
		for i := range floor {
			if i != self {
				floor[i] = min(floor[i], l.weak.at(int32(i)))
			}
		}
	}
	d.floorOfOwn(floor)
	return floor
}

// floorOfOwn takes in that lines which share what they know do not know more of the one that stood for them.
func (d *Detector) floorOfOwn(floor []uint32) {
	first := make(map[*vector]int)
	for self, l := range d.lines {
		if l.over {
			continue
		}
		if one, ok := first[l.weak]; ok {
			floor[one] = min(floor[one], l.weak.at(int32(one)))
			continue
		}
		first[l.weak] = self
	}
}

// collect forgets the accesses that everybody knows and, if that is not enough, those with the oldest histories.
func (d *Detector) collect() {
	floor := d.floor()
	d.rebuild(func(_ historyID, entries []entry) []entry {
		return slices.DeleteFunc(entries, func(e entry) bool {
			return e.time <= floor[e.line] || e.sure &&
				e.seen <= floor[e.seer-1]
		})
	})
	limit := d.options.Memory
	for limit > 0 && d.bytes() > limit*3/4 && d.segments > 0 {
		before, half := d.segments, historyID(len(d.histories.list)/2)
		d.rebuild(func(id historyID, entries []entry) []entry {
			if id <= half {
				return nil
			}
			return entries
		})
		d.dropped += uint64(before - d.segments)
		if before == d.segments { // all of one history
			d.dropped += uint64(d.segments)
			d.rebuild(func(historyID, []entry) []entry { return nil })
		}
	}
	d.bound = max(2*d.bytes(), leastBytes)
	if limit > 0 {
		d.bound = min(d.bound, limit)
	}
}

// rebuild has keep say what is left of each history.
func (d *Detector) rebuild(keep func(historyID, []entry) []entry) {
	old := d.histories
	d.histories = newHistories()
	clear(d.memo[:])
	next := make([]historyID, len(old.list))
	known := make([]bool, len(old.list))
	d.segments = 0
	for _, s := range d.spaces {
		d.segments += s.rebuild(func(x segment) historyID {
			if !known[x.history] {
				known[x.history] = true
				next[x.history] = d.histories.of(keep(x.history, slices.Clone(old.list[x.history].entries)))
			}
			return next[x.history]
		})
	}
}

// roomForKeys forgets keys by which nobody can learn anything more.
func (d *Detector) roomForKeys() {
	if len(d.keys) < d.most {
		return
	}
	floor := d.floorKnown()
	for k, v := range d.keys {
		if floor.has(v) {
			delete(d.keys, k)
		}
	}
	d.most = max(2*len(d.keys), leastKeys)
}

// floorKnown is what every line knows by happens-before.
func (d *Detector) floorKnown() *vector {
	floor := &vector{times: make([]uint32, len(d.lines))}
	for i := range floor.times {
		floor.times[i] = d.lines[i].now
	}
	for self, l := range d.lines {
		if l.over {
			continue
		}
		for i := range floor.times {
			if i != self {
				floor.times[i] = min(floor.times[i], l.known.at(int32(i)))
			}
		}
	}
	return floor
}
