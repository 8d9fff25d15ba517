package race

import "slices"

// line is a thread or a task.
type line struct {
	of    Thread
	task  bool
	now   uint32
	known *vector // by happens-before
	// weak is what is known if the order of critical sections could be another one. It is known itself as long as there are no locks.
	weak *vector
	held heldID
	era  uint32 // counts the changes of what it knows and holds
	over bool   // a task that was joined
}

// knows says whether all that a line did up to a time comes before what l does now.
func (l *line) knows(self, line int32, time uint32) bool {
	return line == self || l.known.at(line) >= time
}

func (l *line) knowsWeakly(self, line int32, time uint32) bool {
	return line == self || l.weak.at(line) >= time
}

// learn takes in what is known elsewhere.
func (l *line) learn(v *vector) {
	same := l.weak == l.known
	l.known = joined(l.known, v)
	if same {
		l.weak = l.known
	} else {
		l.weak = joined(l.weak, v)
	}
	l.era++
}

// Key names something by which threads order each other: a barrier, a message, a flag.
type Key struct {
	Kind uint8
	A, B uint64
}

// Release lets those who acquire the key later know what the thread has done so far.
func (d *Detector) Release(t Thread, k Key) {
	l := d.lines[t]
	v := d.keys[k]
	switch {
	case v == nil:
		d.roomForKeys()
		v = l.known.clone()
	case v.shared:
		v = v.clone()
	}
	v.add(l.known)
	v.set(int32(t), l.now)
	d.keys[k] = v
	l.tick()
}

// tick begins a new time: what the line does now is known to nobody.
func (l *line) tick() {
	l.now++
	l.era++
}

// Acquire has the thread know what those who have released the key had done.
func (d *Detector) Acquire(t Thread, k Key) {
	l := d.lines[t]
	if v := d.keys[k]; v != nil {
		v.shared = true
		l.learn(v)
	}
	l.tick()
}

// Now is the time of a thread or task. Each step of synchronisation begins a new one, so an access belongs to the last step that had begun its time.
func (d *Detector) Now(line Task) uint32 { return d.lines[line].now }

// Task is what goes on beside the thread that has begun it, such as a non-blocking transfer.
type Task int32

// Begin has a task begin: it comes after what the thread has done so far.
func (d *Detector) Begin(t Thread) Task {
	l := d.lines[t]
	n := d.freeTask(t)
	task := d.lines[n]
	task.known = l.known.with(int32(t), l.now)
	task.weak = task.known
	if l.weak != l.known {
		task.weak = l.weak.with(int32(t), l.now)
	}
	task.over, task.held = false, l.held
	task.tick()
	l.tick()
	return Task(n)
}

// freeTask is a line for a task of a thread. One of the same thread that was joined can be used again, as what it did comes before.
func (d *Detector) freeTask(t Thread) int32 {
	for i, n := range d.joined[t] {
		d.joined[t] = slices.Delete(d.joined[t], i, i+1)
		return n
	}
	d.lines = append(d.lines, &line{of: t, task: true, now: 1})
	return int32(len(d.lines) - 1)
}

// Join has the thread wait for the end of a task of its own.
func (d *Detector) Join(t Thread, k Task) {
	task := d.lines[k]
	if task.over {
		return
	}
	task.over = true
	l := d.lines[t]
	l.learn(task.known.with(int32(k), task.now))
	task.tick()
	l.tick()
	d.joined[t] = append(d.joined[t], int32(k))
}
