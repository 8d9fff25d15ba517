package judge

import (
	"maps"
	"slices"

	"unknot/internal/say/explain/shmem"
	"unknot/internal/shmem/layout"
	"unknot/internal/vocab/finding"
)

// deadlock makes the finding of PEs that wait forever.
func (j *job) deadlock(p *program) finding.Finding {
	g := j.graph()
	in := make(map[int]bool)
	for _, n := range g.Core(nil) {
		in[int(n)] = true
	}
	for t := range maps.Clone(in) {
		for _, o := range j.waitsFor(t) {
			if j.pes[o].over() {
				in[o] = true
			}
		}
	}
	var d shmem.Deadlock
	for _, t := range slices.Sorted(maps.Keys(in)) {
		d.Core = append(d.Core, j.waiting(p, t))
	}
	for _, n := range g.Dead() {
		if !in[int(n)] {
			d.Others = append(d.Others, j.waiting(p, int(n)))
		}
	}
	return d.Finding()
}

// waitsFor are those of whom a PE waits for something.
func (j *job) waitsFor(t int) (all []int) {
	p := &j.pes[t]
	if p.waits == nil {
		return []int{}
	}
	switch p.waits.Kind {
	case layout.Enter:
		return j.missed(p.in)
	case layout.Locking:
		if h, held := j.locks[p.waits.Offset]; held {
			return []int{h.pe}
		}
		return []int{}
	}
	all = []int{}
	for o := range j.pes {
		if o != t && !j.pes[o].over() {
			all = append(all, o)
		}
	}
	return all
}

// waiting is a PE that waits, or has ended.
func (j *job) waiting(p *program, t int) shmem.Waiting {
	e := &j.pes[t]
	w := shmem.Waiting{PE: t, Over: e.over()}
	if w.Over {
		if e.ended {
			w.Site = p.site(e.end)
		}
		if e.byItself() {
			cause := e.cause(p)
			w.Died = &cause
		}
		return w
	}
	w.Site, w.In, w.For = p.site(e.waits.Site), e.waits, j.waitsFor(t)
	switch w.In.Kind {
	case layout.Waits:
		w.Object = j.object(p, w.In.Offset, uint64(w.In.Size))
	case layout.Locking:
		w.Object = j.object(p, w.In.Offset, 0)
		if h, held := j.locks[w.In.Offset]; held {
			w.Taken = p.site(h.site)
		}
	}
	if e.source != nil {
		w.PID = e.source.stream.PID()
	}
	return w
}
