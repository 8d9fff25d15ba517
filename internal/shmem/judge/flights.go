package judge

import "unknot/internal/model/race"

// flights are the transfers of a PE on a context since its last quiet.
type flights struct {
	to     map[int]*flight // by the PE whose memory they write
	others *flight         // of all other memory that is in use until then; nil if none is
	read   map[int]bool    // PEs whose memory is read
}

// flight is the puts and atomic operations to one PE, or other transfers: the tasks that they belong to. Accesses of
// one task are ordered, as far as they touch the same memory, and two that are not have to be in different tasks.
type flight struct {
	main  race.Task
	dirty bool // there are some since the last fence
	more  []extra
}

// extra is another task of a flight, and whether it comes after the last fence by now.
type extra struct {
	task   race.Task
	fenced bool
}

// mostExtra is how many further tasks a flight has. If all have written the same memory, the last one is taken.
const mostExtra = 16

func (j *job) flights(t int, context uint64) *flights {
	p := &j.pes[t]
	f := p.contexts[context]
	if f == nil {
		if p.contexts == nil {
			p.contexts = make(map[uint64]*flights)
		}
		f = &flights{to: make(map[int]*flight)}
		p.contexts[context] = f
	}
	return f
}

// transfer is an access to memory that is in use until the next quiet of a context.
func (j *job) transfer(t int, context uint64, a race.Access) {
	f := j.flights(t, context)
	if f.others == nil {
		f.others = &flight{main: j.detector.Begin(race.Thread(t))}
	}
	if a.Kind == race.Read && int(a.Owner) != t {
		if f.read == nil {
			f.read = make(map[int]bool)
		}
		f.read[int(a.Owner)] = true
	}
	j.detector.Catch(f.others.main)
	task := j.taskFor(t, f.others, a)
	if _, there := j.lent[task]; !there {
		j.lent[task] = j.pes[t].learned
	}
	j.detector.AccessTask(task, a)
}

// put is a put, or an atomic operation that gives nothing: it is over at the next quiet, and others may wait for what
// it writes.
func (j *job) put(t int, context uint64, a race.Access) {
	d, owner, all := j.detector, int(a.Owner), j.flights(t, context)
	f := all.to[owner]
	if f == nil {
		f = &flight{main: d.Begin(race.Thread(t))}
		all.to[owner] = f
	}
	f.dirty = true
	d.Catch(f.main)
	j.show(owner, &a, func(k race.Key) { d.Show(f.main, k) })
	d.AccessTask(j.taskFor(t, f, a), a)
}

// taskFor is a task of a flight that has made no access since the last fence that an access would race with, if that
// can be.
func (j *job) taskFor(t int, f *flight, a race.Access) race.Task {
	d, task := j.detector, f.main
	for n := 0; d.Meets(task, a) && n < mostExtra; n++ {
		if n == len(f.more) {
			f.more = append(f.more, extra{task: d.Begin(race.Thread(t))})
		}
		x := &f.more[n]
		if !x.fenced {
			d.Learn(x.task, f.main)
			x.fenced = true
		}
		task = x.task
		d.Catch(task)
	}
	return task
}

// fence orders what was put to each PE before what follows.
func (j *job) fence(t int, context uint64) {
	d, all := j.detector, j.pes[t].contexts[context]
	if all == nil {
		return
	}
	for _, f := range all.to {
		if !f.dirty {
			continue
		}
		for i := range f.more {
			d.Part(f.more[i].task)
			d.Learn(f.main, f.more[i].task)
			f.more[i].fenced = false
		}
		d.Part(f.main)
		f.dirty = false
	}
}

// quiet has all transfers of a context be over.
func (j *job) quiet(t int, context uint64) {
	d, id, all := j.detector, race.Thread(t), j.pes[t].contexts[context]
	if all == nil {
		return
	}
	over := func(f *flight) {
		for _, x := range f.more {
			delete(j.lent, x.task)
			d.Join(id, x.task)
		}
		delete(j.lent, f.main)
		d.Join(id, f.main)
	}
	for _, f := range all.to {
		over(f)
	}
	if all.others != nil {
		over(all.others)
	}
	for owner := range all.read {
		j.peeks(t, owner)
	}
	delete(j.pes[t].contexts, context)
}

// toItself says whether a PE has put something into its own memory that may not have come yet.
func (p *pe) toItself(self int) bool {
	for _, f := range p.contexts {
		if f.to[self] != nil {
			return true
		}
	}
	return false
}
