package race

// Options of a detector.
type Options struct {
	Threads int    // that there are
	Memory  uint64 // bytes that what is remembered of accesses may take, 0 for no bound
	Late    bool   // some accesses are reported late (AccessSince)
	// Found, if there is one, is called for each race that is found and stands for its sites from now on.
	Found func(*Race)
}

// Detector finds the races among the accesses that it takes in. All its methods are for one goroutine; accesses and
// steps of synchronisation are passed in an order in which they can have been made.
type Detector struct {
	options Options
	lines   []*line
	joined  [][]int32 // of each thread: lines of tasks that were joined
	keys    map[Key]*vector
	most    int // keys before useless ones are looked for
	locks   map[Lock]*mutex
	held    [][]Lock // sets of locks
	heldIDs map[string]heldID

	spaces    map[Owner]*space
	histories histories
	segments  int
	bound     uint64 // bytes at which what nobody can race with is looked for
	dropped   uint64

	since   uint32 // of the access that is taken in, as an entry has it
	shown   bool   // the same
	memo    [memoSize]transition
	scratch []entry
	found   found
}

// New is a detector that has taken in nothing.
func New(o Options) *Detector {
	d := &Detector{options: o, joined: make([][]int32, o.Threads), keys: make(map[Key]*vector), most: leastKeys,
		held:    make([][]Lock, 1),
		heldIDs: map[string]heldID{"[]": 0}, spaces: make(map[Owner]*space), histories: newHistories(),
		bound: leastBytes, found: newFound()}
	if o.Memory > 0 {
		d.bound = min(d.bound, o.Memory)
	}
	start := &vector{shared: true}
	for t := range o.Threads {
		d.lines = append(d.lines, &line{of: Thread(t), now: 1, known: start, weak: start, keeps: o.Late,
			past: firstPast(o.Late, start)})
	}
	return d
}

// Access tells what a thread does.
func (d *Detector) Access(t Thread, a Access) { d.access(int32(t), a) }

// AccessTask tells what a task does.
func (d *Detector) AccessTask(k Task, a Access) { d.access(int32(k), a) }

func (d *Detector) access(self int32, a Access) {
	l := d.lines[self]
	l.used = true
	e := entry{line: self, time: l.now, site: a.Site, op: a.Op, held: l.held, kind: a.Kind, strict: a.Strict,
		since: d.since, shown: d.shown}
	s := d.spaces[a.Owner]
	if s == nil {
		s = &space{}
		d.spaces[a.Owner] = s
	}
	step := func(before historyID, from, to uint64) historyID {
		if before == 0 {
			return d.afterNothing(&e, l)
		}
		after, clashes := d.step(before, &e, l)
		for i := range clashes {
			d.report(&a, &e, &clashes[i], from, to)
		}
		return after
	}
	n, size := a.pieces()
	for i := range n {
		d.segments += s.update(a.Start+i*a.Stride, a.Start+i*a.Stride+size, step)
	}
	if d.bytes() > d.bound {
		d.collect()
	}
}

// afterNothing is the history of memory that nobody has accessed before.
func (d *Detector) afterNothing(e *entry, l *line) historyID {
	slot := &d.memo[uint32(e.site)*0x9e37%memoSize]
	if slot.valid && slot.before == 0 && slot.entry == *e {
		return slot.after
	}
	after := d.histories.of([]entry{*e})
	*slot = transition{after: after, entry: *e, era: l.era, valid: true}
	return after
}

// Forget tells that memory has been freed: what is accessed there later is something else.
func (d *Detector) Forget(o Owner, start, end uint64) {
	s := d.spaces[o]
	if s == nil || start >= end {
		return
	}
	d.segments += s.update(start, end, func(historyID, uint64, uint64) historyID { return 0 })
}

// bytes is about how much memory the accesses take.
func (d *Detector) bytes() uint64 { return uint64(d.segments)*segmentBytes + d.histories.bytes }

// Dropped is how many segments had to be forgotten, with the accesses to them, as there was no room.
func (d *Detector) Dropped() uint64 { return d.dropped }
