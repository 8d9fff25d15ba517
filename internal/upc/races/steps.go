package races

import (
	"slices"

	"unknot/internal/model/race"
	"unknot/internal/upc/layout"
)

// step is a step of synchronisation that a thread has made.
type step struct {
	seq    uint64 // orders the steps of all threads as they were followed
	time   uint32 // of the thread, or of the task that begins: accesses of this time are after the step
	kind   uint8  // of its record
	site   uint32
	number uint64 // of a barrier, from 0
	again  int    // how often it was made once more, with nothing between
}

// pastSteps is how many steps of a thread are remembered. An access that a later one races with may be older: then what
// was around it is not known.
const pastSteps = 1024

// past are the last steps of a thread, oldest first.
type past struct {
	steps []step
	lost  bool // there were others before
}

func (p *past) add(s step) {
	if n := len(p.steps); n > 0 {
		if last := &p.steps[n-1]; last.kind == s.kind && last.site == s.site && s.kind == layout.RecordStrictRead {
			last.time, last.seq = s.time, s.seq
			last.again++
			return
		}
	}
	if len(p.steps) == 2*pastSteps {
		p.steps = append(p.steps[:0], p.steps[pastSteps:]...)
		p.lost = true
	}
	p.steps = append(p.steps, s)
}

// isStep says whether a record is a step that people follow a program by.
func isStep(kind uint8) bool {
	switch kind {
	case layout.RecordNotify, layout.RecordWait, layout.RecordLock, layout.RecordUnlock, layout.RecordStrictRead,
		layout.RecordStrictWrite,
		layout.RecordBegin, layout.RecordJoin:
		return true
	}
	return false
}

// stepped notes the step of a record that was followed, if it is one.
func (j *job) stepped(t int, r *layout.Record) {
	if !isStep(r.Kind) {
		return
	}
	j.followed++
	s := step{seq: j.followed, time: j.detector.Now(race.Task(t)), kind: r.Kind, site: r.Site, number: r.Offset}
	j.threads[t].past.add(s)
	if task, ok := j.threads[t].tasks[r.Value]; ok && r.Kind == layout.RecordBegin {
		s.time = j.detector.Now(task)
		j.begun[task] = s
	}
	j.threads[t].afterwards(s)
}

// side is what a thread of a race did around its access.
type side struct {
	thread int
	before []step // the last of them began the time of the access
	after  []step
	// from and to are the barriers, or halves of them, between which the access is.
	from, to *step
	site     uint32 // of the access
	task     bool   // it runs beside the thread
	seq      uint64 // of the last step before it
	open     int    // how many steps more are looked at
}

// around are both sides of a race.
type around struct{ first, second side }

// How many steps of each side are kept.
const (
	stepsBefore = 3
	stepsAfter  = 2
)

// found notes what was around the accesses of a race.
func (j *job) found(r *race.Race) {
	key := sites{r.First.Site, r.Second.Site}
	if old := j.around[key]; old != nil {
		old.first.open, old.second.open = 0, 0
	}
	a := &around{j.side(&r.First), j.side(&r.Second)}
	j.around[key] = a
	for _, s := range []*side{&a.first, &a.second} {
		th := &j.threads[s.thread]
		th.open = append(th.open, s)
	}
}

// sites are those of a race's accesses, which stand for it.
type sites struct{ a, b race.Site }

func (j *job) side(p *race.Party) side {
	s := side{thread: int(p.Thread), task: p.Task, site: uint32(p.Site), open: pastSteps}
	past := &j.threads[p.Thread].past
	n := len(past.steps)
	known := true
	if p.Task {
		begun := j.begun[p.Line]
		known = begun.time <= p.Time // else it is another task by now
		for n > 0 && past.steps[n-1].seq > begun.seq {
			n--
		}
	} else {
		for n > 0 && past.steps[n-1].time > p.Time {
			n--
		}
	}
	if !known || n == 0 && past.lost { // what was around it is not remembered
		s.open = 0
		return s
	}
	if n > 0 {
		s.seq = past.steps[n-1].seq
		if s.itself(&past.steps[n-1]) {
			n--
		}
	}
	from := max(0, n-stepsBefore)
	if from > 0 && past.steps[from].ends(&past.steps[from-1]) {
		from--
	}
	s.before = append(s.before, past.steps[from:n]...)
	for i := n - 1; i >= 0 && s.from == nil; i-- {
		if isBarrier(past.steps[i].kind) {
			s.from = &step{}
			*s.from = past.steps[i]
		}
	}
	for _, next := range past.steps[n:] {
		s.take(next)
	}
	return s
}

// itself says whether a step is the access, which is a strict one, or begins it.
func (s *side) itself(x *step) bool {
	return x.site == s.site && (x.kind == layout.RecordStrictRead || x.kind == layout.RecordStrictWrite ||
		x.kind == layout.RecordBegin)
}

// ends says whether a step is the second half of a barrier whose first half is the step before.
func (x *step) ends(before *step) bool {
	return x.kind == layout.RecordWait && before.kind == layout.RecordNotify && x.number == before.number &&
		x.site == before.site
}

// take adds a step that came after the access, if it is one of the next, or the barrier.
func (s *side) take(next step) {
	if s.open == 0 {
		return
	}
	s.open--
	if s.open == pastSteps-1 && s.itself(&next) {
		return
	}
	n := len(s.after)
	half := n > 0 && next.ends(&s.after[n-1])
	if n < stepsAfter || half {
		s.after = append(s.after, next)
	}
	if s.to == nil && isBarrier(next.kind) {
		s.to = &next
	}
	if s.to != nil && n >= stepsAfter {
		s.open = 0
	}
}

// afterwards adds a step to what came after the accesses of its thread that race.
func (th *thread) afterwards(next step) {
	th.open = slices.DeleteFunc(th.open, func(s *side) bool {
		s.take(next)
		return s.open == 0
	})
}

func isBarrier(kind uint8) bool { return kind == layout.RecordNotify || kind == layout.RecordWait }
