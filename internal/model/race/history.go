package race

import (
	"cmp"
	"slices"
)

// entry is an access as a history has it: all but its addresses.
type entry struct {
	line   int32
	time   uint32
	site   Site
	op     uint32
	held   heldID
	kind   Kind
	strict bool
	sure   bool   // that it was seen
	seer   int32  // the first thread to see what it has written (See), and 1; 0 if none has
	seen   uint32 // and when
	// the time of its line from which on it may have been made (AccessSince); 0 if it was made at its time
	since uint32
	shown bool // those who have learned of that time know of it
}

// compare orders the entries of a history.
func (e *entry) compare(o *entry) int {
	return cmp.Or(cmp.Compare(e.line, o.line), cmp.Compare(e.site, o.site), cmp.Compare(e.time, o.time),
		cmp.Compare(e.kind, o.kind), cmp.Compare(e.op, o.op),
		cmp.Compare(e.held, o.held), cmp.Compare(e.seer, o.seer), cmp.Compare(e.seen, o.seen),
		cmp.Compare(e.since, o.since))
}

// hash is of all of it.
func (e *entry) hash() uint64 {
	h := uint64(e.line)<<32 | uint64(e.time)
	h = (h ^ uint64(e.site)<<32 ^ uint64(e.op)) * 0x9e3779b97f4a7c15
	h ^= h>>29 ^ uint64(e.seer)<<32 ^ uint64(e.seen) ^ uint64(e.since)<<8
	h = (h ^ uint64(e.held)<<16 ^ uint64(e.kind)<<1) * 0xbf58476d1ce4e5b9
	return h ^ h>>32
}

// historyID stands for a history; 0 is the empty one.
type historyID uint32

// histories are all that there are, each once.
type histories struct {
	list   []history
	byHash map[uint64]historyID // the last one with this hash
	bytes  uint64
}

type history struct {
	entries []entry
	hash    uint64
	before  historyID // another one with the same hash
}

func newHistories() histories {
	return histories{list: make([]history, 1), byHash: make(map[uint64]historyID)}
}

const entryBytes, historyBytes = 36, 96

// of is the history with these entries, which are in order. They are copied if it is new.
func (h *histories) of(entries []entry) historyID {
	if len(entries) == 0 {
		return 0
	}
	var sum uint64
	for i := range entries {
		sum = sum*31 + entries[i].hash()
	}
	last := h.byHash[sum]
	for id := last; id != 0; id = h.list[id].before {
		if slices.Equal(h.list[id].entries, entries) {
			return id
		}
	}
	id := historyID(len(h.list))
	h.list = append(h.list, history{slices.Clone(entries), sum, last})
	h.byHash[sum] = id
	h.bytes += historyBytes + entryBytes*uint64(len(entries))
	return id
}

// mostOfLine is how many accesses of one line a history has before some of them stand for others.
const mostOfLine = 6

// step is what an access does to memory with a history: the history after it, and the races.
func (d *Detector) step(before historyID, e *entry, l *line) (after historyID, clashes []clash) {
	slot := &d.memo[(uint32(before)^uint32(e.site)*0x9e37)%memoSize]
	if slot.before == before && slot.era == l.era && slot.entry == *e && slot.valid {
		return slot.after, slot.clashes
	}
	clashes = d.judge(before, e, l)
	after = d.after(before, e, l)
	*slot = transition{before: before, after: after, era: l.era, entry: *e, valid: true, clashes: clashes}
	return after, clashes
}

const memoSize = 256

// transition is a step that was made, for the next segments in the same state.
type transition struct {
	before, after historyID
	era           uint32
	entry         entry
	valid         bool
	clashes       []clash
}

// clash is an entry of a history that an access races with.
type clash struct {
	with     entry
	standing Standing
}

// judge compares an access with those of a history.
func (d *Detector) judge(before historyID, e *entry, l *line) (clashes []clash) {
	for i := range d.histories.list[before].entries {
		o := &d.histories.list[before].entries[i]
		switch {
		case o.line == e.line || !conflict(o, e):
		case e.since > 0 && d.stands(before, e, o) || o.since > 0 && d.stands(before, o, e):
		case !l.knows(e.line, o):
			clashes = d.clash(clashes, o, e, l, Manifest)
		case l.weak == l.known:
		case d.common(o.held, e.held):
			d.follow(l, o)
		case !l.knowsWeakly(e.line, o):
			clashes = d.clash(clashes, o, e, l, Predicted)
		}
	}
	return clashes
}

// clash adds that an access races with one of a history, unless one of the two may have been made when the other line
// knew of it.
func (d *Detector) clash(to []clash, o, e *entry, l *line, standing Standing) []clash {
	switch {
	case o.since > 0 && l.known.at(o.line) >= o.since:
		if o.shown {
			return to
		}
		standing = Predicted
	case e.since > 0 && d.lines[o.line].knew(o.time, e.line, e.since):
		if e.shown {
			return to
		}
		standing = Predicted
	}
	return append(to, clash{*o, standing})
}

// after is the history after an access. Left out are accesses for which the new one stands: whatever races with them
// later races with it too. It does if it comes after them in any order of the critical sections, conflicts with all
// that they conflict with, and holds no lock that they do not hold. Of one line those of other sites are kept for a
// while, as they are other places in the program.
func (d *Detector) after(before historyID, e *entry, l *line) historyID {
	entries := d.scratch[:0]
	own := 0
	for i := range d.histories.list[before].entries {
		o := &d.histories.list[before].entries[i]
		if *o == *e {
			return before
		}
		same := o.line == e.line
		if covers(e, o) && d.within(e.held, o.held) && (same && o.site == e.site || !same && l.knowsWeakly(e.line, o)) {
			continue
		}
		if same {
			own++
		}
		entries = append(entries, *o)
	}
	if own >= mostOfLine {
		if i := slices.IndexFunc(entries, func(o entry) bool {
			return o.line == e.line && covers(e, &o) &&
				d.within(e.held, o.held)
		}); i >= 0 {
			entries = slices.Delete(entries, i, i+1)
		}
	}
	at, _ := slices.BinarySearchFunc(entries, e, func(a entry, b *entry) int { return a.compare(b) })
	entries = slices.Insert(entries, at, *e)
	d.scratch = entries
	return d.histories.of(entries)
}
