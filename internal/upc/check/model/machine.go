package model

import "slices"

// The limits of a model.
const (
	maxThreads = 4
	maxLocks   = 3
	maxSlots   = 8
	maxHeld    = 2
	maxNumber  = 8 // operations of a thread
)

const hasEnded = 255

// memory is what threads share. The first part is the protocol's; owner and arrived are what is true of locks and
// collective operations; compared is for the proofs only.
type memory struct {
	count, blocked, want, moves [maxThreads]uint8
	aheadOf, aheadTo            [maxThreads]uint8
	held                        [maxThreads][maxHeld]uint8
	slot                        [maxThreads][maxSlots]uint8
	valued                      [maxSlots]uint8

	owner    [maxLocks + 1]uint8
	arrived  [maxThreads]uint8
	compared [maxThreads]uint16 // of the pair of a thread and its right neighbour, a bit for each operation
}

// locals are what a thread keeps for itself from one action to the next.
type locals struct {
	n     uint8 // number of its next operation
	moves uint8
	held  [maxHeld]uint8
	open  bool
	waits bool // for a lock
}

// thread is where a thread is: its action and the phase of it, and what its accesses in that phase have given so far,
// from which the rest follows.
type thread struct {
	action, phase uint8
	own           locals
	history       string
}

// ReportKind is what a report is about.
type ReportKind uint8

// The kinds of reports.
const (
	Mismatch ReportKind = iota + 1
	Values
	Deadlock
	Order
	Relock
	NotHeld
)

// Report is what a thread tells.
type Report struct {
	Kind   ReportKind
	Thread int
	// Number is that of the operation, for Mismatch and Values; Waiters are the threads that wait, for Deadlock.
	Number  uint8
	Waiters uint8
}

// accessKind is what a step does.
type accessKind uint8

const (
	none accessKind = iota
	read
	is      // whether a field has a value
	atLeast // whether a counter, which only grows, has come to a value
	write
	acquire // upc_lock
	try     // upc_lock_attempt
	awaitAll
	awaitCount
	report
)

// access is the next step of a thread.
type access struct {
	kind     accessKind
	field    func(*memory) *uint8
	value    uint8
	lock     uint8
	thread   int
	pair     int // that has been compared with this step, or -1
	number   uint8
	isRecord bool
	quiet    bool // nobody else's steps have to do with this one
	stays    bool // what is asked stays true once it is
	told     Report
}

// machine runs the code of one thread's action against the results of its accesses.
type machine struct {
	*Model
	me      int
	own     locals
	history string
	next    access
}

type pending struct{}

// do gives the result of the next access, or leaves the action with the access still to be done.
func (m *machine) do(a access) uint8 {
	if m.history == "" {
		m.next = a
		panic(pending{})
	}
	v := m.history[0]
	m.history = m.history[1:]
	return v
}

func (m *machine) read(field func(*memory) *uint8) uint8 {
	return m.do(access{kind: read, field: field, pair: -1})
}

func (m *machine) is(field func(*memory) *uint8, value uint8) bool {
	return m.do(access{kind: is, field: field, value: value, pair: -1}) != 0
}

func (m *machine) atLeast(field func(*memory) *uint8, value uint8) bool {
	return m.do(access{kind: atLeast, field: field, value: value, pair: -1}) != 0
}

func (m *machine) write(field func(*memory) *uint8, value uint8) {
	m.do(access{kind: write, field: field, value: value, pair: -1})
}

func (m *machine) report(r Report) {
	r.Thread = m.me
	m.do(access{kind: report, told: r, pair: -1})
}

// has says that the model was made with a mutation.
func (m *machine) has(mutation string) bool { return m.mutation == mutation }

// advance gives the next access of a thread, and the thread as it is before it: through all actions that need no access
// any more.
func (m *Model) advance(me int, t thread) (thread, access) {
	for int(t.action) < len(m.program[me]) {
		key := position{me, t}
		if known, ok := m.known[key]; ok {
			if known.kind != none {
				return t, known
			}
			t = m.after[key]
			continue
		}
		own, next := m.run(me, t)
		m.known[key] = next
		if next.kind != none {
			return t, next
		}
		following := thread{action: t.action, phase: t.phase + 1, own: own}
		if int(following.phase) >= phases {
			following.action, following.phase = t.action+1, 0
		}
		t = following
		m.after[key] = t
	}
	return t, access{}
}

type position struct {
	me int
	thread
}

// run carries out an action as far as its history goes.
func (m *Model) run(me int, t thread) (own locals, next access) {
	r := &machine{Model: m, me: me, own: t.own, history: t.history}
	defer func() {
		if e := recover(); e != nil {
			if _, ok := e.(pending); !ok {
				panic(e)
			}
			next = r.next
		}
	}()
	r.act(m.program[me][t.action], int(t.phase))
	return r.own, access{}
}

// enabled says that the access can be done now.
func (m *Model) enabled(s *memory, a access) bool {
	switch a.kind {
	case acquire:
		return s.owner[a.lock] == 0
	case awaitAll:
		return !slices.ContainsFunc(s.arrived[:m.threads], func(n uint8) bool { return n <= a.number })
	case awaitCount:
		return s.count[a.thread] >= a.number
	}
	return true
}

// apply does an access and gives its result.
func (m *Model) apply(s *memory, me int, a access) uint8 {
	if a.pair >= 0 {
		s.compared[a.pair] |= 1 << a.number
	}
	switch a.kind {
	case read:
		return *a.field(s)
	case is:
		return bit(*a.field(s) == a.value)
	case atLeast:
		return bit(*a.field(s) >= a.value)
	case write:
		*a.field(s) = a.value
	case acquire:
		s.owner[a.lock] = uint8(me + 1)
	case try:
		if s.owner[a.lock] != 0 {
			return 0
		}
		s.owner[a.lock] = uint8(me + 1)
		return 1
	}
	return 0
}

func bit(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

// alone says that a step may be taken before all others of that moment without leaving out an order that matters: it
// has nothing to do with what others may still do, or what they do can no longer change what it gives.
func (m *Model) alone(s *memory, a access) bool {
	switch a.kind {
	case awaitAll, awaitCount:
		return true // enabled once and for all, and nobody sees it
	case atLeast:
		return *a.field(s) >= a.value
	case is:
		return a.quiet || a.stays && *a.field(s) == a.value
	}
	return a.quiet
}
