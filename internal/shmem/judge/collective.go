package judge

import (
	"unknot/internal/model/race"
	"unknot/internal/shmem/layout"
)

// collectives are the collective calls, by their active sets, and how some differ.
type collectives struct {
	sets     map[layout.Set]*set
	calls    uint32 // collective calls that were numbered
	disagree map[sites]*disagreement
}

// set is an active set.
type set struct {
	size    int
	entered map[int]uint64 // by PE: the number of its last call
	calls   map[uint64]*call
}

// call is a collective call that some have entered and not all have left.
type call struct {
	op    uint32 // its number among all
	first layout.Record
	by    int // who has entered first
	left  int
	// differ is how two of its members differ, nil if none do.
	differ *disagreement
}

// inside is the call that a PE is in.
type inside struct {
	record layout.Record // Enter
	set    *set
	call   *call
	own    []span          // of its memory that the call has written
	others map[uint64]bool // offsets that it has written in other PEs' memory
}

// setOf is a set of PEs of this job, nil if there can be no such one.
func (j *job) setOf(v layout.Set) *set {
	s := j.sets[v]
	if s != nil {
		return s
	}
	start, logStride, size := v.Parts()
	const mostStride = 30
	if size < 1 || logStride > mostStride || start+(size-1)<<logStride >= len(j.pes) {
		return nil
	}
	s = &set{size: size, entered: make(map[int]uint64), calls: make(map[uint64]*call)}
	j.sets[v] = s
	return s
}

// enter has a PE enter a collective call. All but a broadcast come after the entries of all; what of it they need is in
// the result.
func (j *job) enter(t int, r *layout.Record) {
	v := layout.Set(r.Value)
	s := j.setOf(v)
	if s == nil || !v.Has(t) {
		j.strange++
		return
	}
	c := s.calls[r.Offset]
	if c == nil {
		j.calls++
		c = &call{op: j.calls, first: *r, by: t}
		s.calls[r.Offset] = c
	} else if r.Offset > 0 {
		j.compare(c, t, r)
	}
	s.entered[t] = r.Offset
	p := &j.pes[t]
	p.in = &inside{record: *r, set: s, call: c}
	p.waits = &p.in.record
	if r.Offset > 0 {
		j.compareSets(t, r)
	}
	j.detector.Release(race.Thread(t), j.pes[t].in.key(t))
}

// key is by what the entry of a PE orders those that leave.
func (in *inside) key(t int) race.Key {
	r := &in.record
	if layout.Collective(r.Flags) == layout.Broadcast {
		return race.Key{Kind: rootKey, A: r.Value, B: r.Offset<<16 | uint64(t)}
	}
	return race.Key{Kind: collectiveKey, A: r.Value, B: r.Offset}
}

// leave has a PE leave the call that it is in. What the call has written in its memory is there then, whoever has
// written it.
func (j *job) leave(t int) {
	p := &j.pes[t]
	in := p.in
	if in == nil {
		return
	}
	p.in, p.waits = nil, nil
	p.learned++
	id := race.Thread(t)
	of := t
	if layout.Collective(in.record.Flags) == layout.Broadcast {
		of = int(in.record.Owner)
	}
	j.detector.Acquire(id, in.key(of))
	if in.set.size == len(j.pes) && layout.Collective(in.record.Flags) != layout.Broadcast {
		p.external = false // what the others had done before is known now
	}
	for _, s := range in.own {
		if !in.others[s.from] {
			j.detector.See(id, race.Owner(t), s.from, s.to, true)
		}
	}
	if in.call.left++; in.call.left == in.set.size {
		delete(in.set.calls, in.record.Offset)
	}
}

// part is an access of the call that a PE is in. Those of one call do not conflict if they write.
func (j *job) part(t int, a race.Access) {
	in := j.pes[t].in
	if a.Kind != race.Read {
		a.Kind, a.Op = race.Accumulate, in.call.op
	}
	switch {
	case int(a.Owner) != t:
		if in.others == nil {
			in.others = make(map[uint64]bool)
		}
		in.others[a.Start] = true
	case a.Kind != race.Read:
		in.own = append(in.own, span{a.Start, a.Start + (a.Count-1)*a.Stride + a.Size})
	}
	j.detector.Access(race.Thread(t), a)
}
