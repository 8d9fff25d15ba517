package race

import "sort"

// moment is what a line knew from a time on.
type moment struct {
	from  uint32
	known *vector
}

// mostPast is how many moments of a line are kept. Before them it is taken to have known what it knew at the first one.
const mostPast = 16

// firstPast is that of a line that knows nothing yet.
func firstPast(keeps bool, start *vector) []moment {
	if !keeps {
		return nil
	}
	return []moment{{0, start}}
}

// keep notes what a line knows from now on.
func (l *line) keep(known *vector) {
	if n := len(l.past) - 1; n >= 0 && l.past[n].from == l.now {
		l.past[n].known = known
		return
	}
	if len(l.past) == mostPast {
		copy(l.past, l.past[1:])
		l.past = l.past[:mostPast-1]
	}
	l.past = append(l.past, moment{l.now, known})
}

// knew says whether a line may have known of another one's time when it had a time itself.
func (l *line) knew(at uint32, other int32, time uint32) bool {
	if len(l.past) == 0 {
		return l.known.at(other) >= time
	}
	n := sort.Search(len(l.past), func(i int) bool { return l.past[i].from > at })
	return l.past[max(n-1, 0)].known.at(other) >= time
}

// AccessSince tells what a thread has done at some time since it had a time (Now): what others have learned of that may
// include it, so that a race with what they did then is predicted; or it does include it, if it is shown, so there is
// none. Of the accesses since that time the first one that races with another stands for those to the same bytes after
// it.
func (d *Detector) AccessSince(t Thread, since uint32, shown bool, a Access) {
	d.since, d.shown = since, shown
	d.access(int32(t), a)
	d.since, d.shown = 0, false
	d.lines[t].now++ // the times of such accesses say which one is the first
}

// stands says whether another access since the same time, before o, stands for it in a race with e.
func (d *Detector) stands(before historyID, o, e *entry) bool {
	for i := range d.histories.list[before].entries {
		if x := &d.histories.list[before].entries[i]; x.line == o.line && x.since == o.since && x.time < o.time &&
			conflict(x, e) {
			return true
		}
	}
	return false
}
