package race

// line is a thread or a task.
type line struct {
	of    Thread
	task  bool
	now   uint32
	known *vector // by happens-before
	// weak is what is known if the order of critical sections could be another one, and without what is only suspected.
	// It is known itself as long as that is the same.
	weak *vector
	held heldID
	era  uint32 // counts the changes of what it knows and holds
	over bool   // a task that was joined
	used bool   // there are accesses of this time
	// caught is the era of its thread up to which a task comes after it.
	caught uint32
	// past is what was known before, in the order of times, if accesses are reported late.
	keeps bool
	past  []moment
}

// knows says whether an access comes before what l, which is line self, does now.
func (l *line) knows(self int32, o *entry) bool { return l.known.knows(self, o) }

func (l *line) knowsWeakly(self int32, o *entry) bool { return l.weak.knows(self, o) }

// grow has a line know more by happens-before.
func (l *line) grow(known *vector) {
	if l.keeps && known != l.known {
		if l.used {
			l.tick()
		}
		l.keep(known)
	}
	l.known = known
}

// learn takes in what is known elsewhere.
func (l *line) learn(v *vector) { l.take(v, v) }

// take takes in what is known elsewhere, and what of it is known weakly.
func (l *line) take(known, weak *vector) {
	same := l.weak == l.known && known == weak
	l.grow(joined(l.known, known))
	if !same {
		l.weak = joined(l.weak, weak)
	}
	if same || l.weak.has(l.known) {
		l.weak = l.known
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
	l.used = false
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

// Suspect has the thread know what those who have released the key had done, but weakly it knows nothing of it: the
// thread may have learned of it, by something that is not recorded. Races that only this has prevented are predicted.
// What the thread releases later has it for certain, so of races that others then have some are not found.
func (d *Detector) Suspect(t Thread, k Key) {
	v := d.keys[k]
	if v == nil {
		return
	}
	l := d.lines[t]
	v.shared = true
	l.grow(joined(l.known, v))
	if l.weak.has(l.known) {
		l.weak = l.known
	}
	l.era++
}

// Now is the time of a thread or task. Each step of synchronisation begins a new one, so an access belongs to the last
// step that had begun its time.
func (d *Detector) Now(line Task) uint32 { return d.lines[line].now }
