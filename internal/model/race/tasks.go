package race

// Task is what runs beside the thread that has begun it, such as a non-blocking transfer.
type Task int32

// Begin has a task begin: it comes after what the thread has done so far.
func (d *Detector) Begin(t Thread) Task {
	l := d.lines[t]
	n := d.freeTask(t)
	task := d.lines[n]
	known, weak := l.shown(int32(t), l.now)
	task.keeps = l.keeps
	task.grow(known)
	task.weak = weak
	task.over, task.held = false, l.held
	task.tick()
	l.tick()
	task.caught = l.era
	return Task(n)
}

// shown is what a line knows, and what it knows weakly, both with what it has done itself up to a time.
func (l *line) shown(self int32, upTo uint32) (known, weak *vector) {
	known = l.known.with(self, upTo)
	if l.weak == l.known {
		return known, known
	}
	return known, l.weak.with(self, upTo)
}

// freeTask is a line for a task of a thread. One of the same thread that was joined can be used again, as what it did
// comes before.
func (d *Detector) freeTask(t Thread) int32 {
	if last := len(d.joined[t]) - 1; last >= 0 {
		n := d.joined[t][last]
		d.joined[t] = d.joined[t][:last]
		return n
	}
	d.lines = append(d.lines, &line{of: t, task: true, now: 1})
	return int32(len(d.lines) - 1)
}

// Catch has a task come after what its thread has done by now. What the task has done before stays as unordered with
// that as it is.
func (d *Detector) Catch(k Task) {
	task := d.lines[k]
	l := d.lines[task.of]
	if task.over || task.caught == l.era && !l.used {
		return
	}
	task.take(l.shown(int32(task.of), l.now))
	task.held = l.held
	l.tick()
	task.caught = l.era
}

// Part begins a new part of a task, which comes after the parts before. Those are what others learn of it by Learn and
// Show.
func (d *Detector) Part(k Task) {
	task := d.lines[k]
	task.known, task.weak = task.shown(int32(k), task.now)
	task.tick()
}

// Learn has a task or a thread come after what another task comes after, and after the parts of that before the present
// one.
func (d *Detector) Learn(k, from Task) {
	task, other := d.lines[k], d.lines[from]
	task.take(other.known, other.weak)
	task.tick()
}

// Show lets those who acquire the key later know what a task comes after, and its parts before the present one.
func (d *Detector) Show(k Task, key Key) {
	known, v := d.lines[k].known, d.keys[key]
	switch {
	case v == known:
		return
	case v == nil:
		d.roomForKeys()
		fallthrough
	case known.has(v): // one vector may be that of many keys
		known.shared = true
		d.keys[key] = known
		return
	case v.shared:
		v = v.clone()
	}
	v.add(known)
	d.keys[key] = v
}

// Join has the thread wait for the end of one of its tasks.
func (d *Detector) Join(t Thread, k Task) {
	task := d.lines[k]
	if task.over {
		return
	}
	task.over = true
	l := d.lines[t]
	l.take(task.shown(int32(k), task.now))
	task.tick()
	l.tick()
	d.joined[t] = append(d.joined[t], int32(k))
}
