package race

import (
	"cmp"
	"slices"
)

// Standing says how a race is known.
type Standing uint8

// A manifest race happened: nothing orders the accesses. A predicted one was prevented by the order in which locks were
// taken, which may be another one.
const (
	Manifest Standing = iota
	Predicted
)

// Party is one side of a race.
type Party struct {
	Thread Thread
	Task   bool // it runs beside the thread
	Site   Site
	Kind   Kind
	Strict bool
	Locks  []Lock // that are held
	// Line and Time say when the access was made: what the thread, or this task of it, had done when Now had this
	// value.
	Line Task
	Time uint32
}

// Race is one that was found, with the first accesses of their sites that race, and the bytes that they have in common.
type Race struct {
	Owner      Owner
	Start, End uint64
	// First is the side with the lower site, or thread.
	First, Second Party
	Standing      Standing
	Count         int // how often accesses of these sites were seen to race, in segments of memory
}

// found are the races, by their sites and standing.
type found struct {
	races map[sites]*Race
}

type sites struct{ a, b Site }

func newFound() found { return found{races: make(map[sites]*Race)} }

// report takes in that an access races with an earlier one.
func (d *Detector) report(a *Access, e *entry, c *clash, from, to uint64) {
	first, second := d.party(&c.with), d.party(e)
	if cmp.Or(cmp.Compare(first.Site, second.Site), cmp.Compare(first.Thread, second.Thread)) > 0 {
		first, second = second, first
	}
	key := sites{first.Site, second.Site}
	r := Race{Owner: a.Owner, Start: from, End: to, First: first, Second: second, Standing: c.standing, Count: 1}
	old := d.found.races[key]
	switch {
	case old == nil:
		d.found.races[key] = &r
	case old.Standing == Predicted && r.Standing == Manifest:
		*old = r
	case old.Standing == r.Standing:
		old.Count++
		if r.compare(old) >= 0 {
			return
		}
		r.Count = old.Count
		*old = r
	default:
		return
	}
	if d.options.Found != nil {
		d.options.Found(&r)
	}
}

// compare orders races by what they are about, so that which one stands for those of its sites does not depend on the
// order in which they were found.
func (r *Race) compare(o *Race) int {
	return cmp.Or(cmp.Compare(r.Owner, o.Owner), cmp.Compare(r.Start, o.Start),
		cmp.Compare(r.First.Thread, o.First.Thread),
		cmp.Compare(r.Second.Thread, o.Second.Thread), cmp.Compare(r.End, o.End))
}

func (d *Detector) party(e *entry) Party {
	l := d.lines[e.line]
	return Party{Thread: l.of, Task: l.task, Site: e.site, Kind: e.kind, Strict: e.strict, Locks: d.held[e.held],
		Line: Task(e.line), Time: e.time}
}

// Races are the races that were found, by their sites.
func (d *Detector) Races() []Race {
	var all []Race
	for _, r := range d.found.races {
		all = append(all, *r)
	}
	slices.SortFunc(all, func(a, b Race) int {
		return cmp.Or(cmp.Compare(a.First.Site, b.First.Site), cmp.Compare(a.Second.Site, b.Second.Site))
	})
	return all
}
