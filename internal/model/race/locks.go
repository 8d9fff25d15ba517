package race

import (
	"fmt"
	"slices"
	"sort"
)

// Lock names a lock.
type Lock uint64

// heldID stands for a set of locks that are held: an index of Detector.held.
type heldID uint32

// mutex is what is known of a lock.
type mutex struct {
	known, weak *vector // of who has released it last
	// of who has released it last of those of whose critical sections not all accesses were seen; nil if there was none
	unseen *vector
	// sections are the last critical sections of each line, in their order.
	sections map[int32][]section
}

// section is a critical section: when it began and, once it is over, what its line knew in the end.
type section struct {
	begun uint32
	end   *vector
}

// mostSections is how many critical sections of a lock are remembered for each line. For older ones the first of these
// stands, which begins when they did.
const mostSections = 32

// Lock has a thread take a lock that nobody holds.
func (d *Detector) Lock(t Thread, k Lock) {
	d.useLocks()
	l, m := d.lines[t], d.mutexOf(k)
	l.tick()
	if m.known != nil {
		m.known.shared, m.weak.shared = true, true
		l.known, l.weak = joined(l.known, m.known), joined(l.weak, m.weak)
	}
	if m.unseen != nil {
		m.unseen.shared = true
		l.weak = joined(l.weak, m.unseen)
	}
	s := append(m.sections[int32(t)], section{begun: l.now})
	if len(s) > mostSections {
		s[1].begun = s[0].begun
		s = s[1:]
	}
	m.sections[int32(t)] = s
	l.held = d.heldWith(l.held, k)
}

// Unlock has a thread give a lock back.
func (d *Detector) Unlock(t Thread, k Lock) {
	l, m := d.lines[t], d.mutexOf(k)
	if !slices.Contains(d.held[l.held], k) {
		return
	}
	d.orderSections(l, m, int32(t))
	m.known, m.weak = l.known.with(int32(t), l.now), d.withoutTasks(t, l.weak)
	if s := m.sections[int32(t)]; len(s) > 0 {
		s[len(s)-1].end = m.known
	}
	l.held = d.heldWithout(l.held, k)
	l.tick()
}

// Unseen says that not all accesses were seen that a thread has made since it took a lock, which it gives back next:
// they may be in conflict with those of any other critical section of the lock, so the order of these cannot be called
// another one.
func (d *Detector) Unseen(t Thread, k Lock) {
	l, m := d.lines[t], d.mutexOf(k)
	if !slices.Contains(d.held[l.held], k) {
		return
	}
	if m.known != nil {
		m.known.shared = true
		l.weak = joined(l.weak, m.known)
	}
	m.unseen = l.known.with(int32(t), l.now)
}

// withoutTasks is what a thread knows weakly, except for its own tasks: what those have done it has done itself, and a
// lock that it gives back hands on nothing of that.
func (d *Detector) withoutTasks(t Thread, weak *vector) *vector {
	if !slices.ContainsFunc(d.joined[t], func(n int32) bool { return weak.at(n) > 0 }) {
		return weak
	}
	v := weak.clone()
	v.includes = nil
	for _, n := range d.joined[t] {
		if int(n) < len(v.times) {
			v.times[n] = 0
		}
	}
	return v
}

// orderSections has the end of a critical section come after those of earlier ones of the lock of which it knows
// something weakly: the order of the two cannot be another one.
func (d *Detector) orderSections(l *line, m *mutex, self int32) {
	for other, list := range m.sections {
		if other == self {
			continue
		}
		n := sort.Search(len(list), func(i int) bool { return list[i].begun > l.weak.at(other) })
		if n > 0 && list[n-1].end != nil {
			l.weak = joined(l.weak, list[n-1].end)
		}
	}
}

// follow has a line come after the critical sections of its locks in which a conflicting access was made.
func (d *Detector) follow(l *line, e *entry) {
	for _, k := range d.held[l.held] {
		if !slices.Contains(d.held[e.held], k) {
			continue
		}
		list := d.locks[k].sections[e.line]
		n := sort.Search(len(list), func(i int) bool { return list[i].begun > e.time })
		if n > 0 && list[n-1].end != nil {
			l.weak = joined(l.weak, list[n-1].end)
			l.era++
		}
	}
}

// useLocks notes that there are locks: from now on their order is kept apart.
func (d *Detector) useLocks() {
	if d.locks == nil {
		d.locks = make(map[Lock]*mutex)
	}
}

func (d *Detector) mutexOf(k Lock) *mutex {
	d.useLocks()
	m := d.locks[k]
	if m == nil {
		m = &mutex{sections: make(map[int32][]section)}
		d.locks[k] = m
	}
	return m
}

// heldWith is a set with one lock more.
func (d *Detector) heldWith(h heldID, k Lock) heldID {
	set := slices.Clone(d.held[h])
	if at, there := slices.BinarySearch(set, k); !there {
		set = slices.Insert(set, at, k)
	}
	return d.heldOf(set)
}

// heldWithout is a set with one lock less.
func (d *Detector) heldWithout(h heldID, k Lock) heldID {
	return d.heldOf(slices.DeleteFunc(slices.Clone(d.held[h]), func(x Lock) bool { return x == k }))
}

func (d *Detector) heldOf(set []Lock) heldID {
	name := fmt.Sprint(set)
	id, ok := d.heldIDs[name]
	if !ok {
		id = heldID(len(d.held))
		d.held = append(d.held, set)
		d.heldIDs[name] = id
	}
	return id
}

// common says whether two sets have a lock in common, and within whether all of the first are in the second.
func (d *Detector) common(a, b heldID) bool {
	return a != 0 && b != 0 &&
		(a == b || slices.ContainsFunc(d.held[a], func(k Lock) bool { return slices.Contains(d.held[b], k) }))
}

func (d *Detector) within(a, b heldID) bool {
	return a == 0 || a == b || !slices.ContainsFunc(d.held[a],
		func(k Lock) bool { return !slices.Contains(d.held[b], k) })
}
