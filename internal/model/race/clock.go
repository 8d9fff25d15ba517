package race

import "slices"

// A line is a thread or a task: something whose accesses follow each other. Lines are numbered, threads first. The time
// of a line grows with each of its steps of synchronisation; an access has the time at which it was made.

// vector is what is known of each line: all that it did up to this time. Vectors that somebody else has got are not
// changed any more, so many lines may have one in common, as all have after a barrier.
type vector struct {
	times    []uint32
	includes *vector // one that is known to be in it
	shared   bool
}

// at is how much is known of a line.
func (v *vector) at(line int32) uint32 {
	if v == nil || int(line) >= len(v.times) {
		return 0
	}
	return v.times[line]
}

// clone is a vector that may be changed.
func (v *vector) clone() *vector {
	if v == nil {
		return &vector{}
	}
	return &vector{times: slices.Clone(v.times), includes: v}
}

// set notes what is known of one line.
func (v *vector) set(line int32, time uint32) {
	if n := int(line) + 1 - len(v.times); n > 0 {
		v.times = append(v.times, make([]uint32, n)...)
	}
	v.times[line] = max(v.times[line], time)
}

// add takes in another one.
func (v *vector) add(o *vector) {
	if o == nil || o == v.includes {
		return
	}
	if n := len(o.times) - len(v.times); n > 0 {
		v.times = append(v.times, make([]uint32, n)...)
	}
	for i, t := range o.times {
		v.times[i] = max(v.times[i], t)
	}
	v.includes = o
}

// has says whether another one is in it.
func (v *vector) has(o *vector) bool {
	if o == nil || o == v || v != nil && o == v.includes {
		return true
	}
	for i, t := range o.times {
		if t > v.at(int32(i)) {
			return false
		}
	}
	return true
}

// joined is what is known with both, one of them if that has it all.
func joined(a, b *vector) *vector {
	switch {
	case a.has(b):
		return a
	case b.has(a):
		b.shared = true
		return b
	}
	c := a.clone()
	c.add(b)
	return c
}

// with is a vector that also knows a line up to a time.
func (v *vector) with(line int32, time uint32) *vector {
	if v.at(line) >= time {
		return v
	}
	c := v.clone()
	c.set(line, time)
	return c
}
