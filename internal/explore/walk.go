package explore

import (
	"slices"

	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// walk is how far each thread has got through its recorded calls.
type walk struct {
	course *course
	at     []int           // by thread: the call that it is in
	posted []uint32        // by thread: parts that are started
	got    map[member]bool // collectives that are started
}

// member is a rank's part in a collective.
type member struct {
	comm uint32
	seq  uint64
	rank op.Rank
}

// rules decide what may complete.
type rules interface {
	enter(thread int, o *trace.Op)    // what a call starts is posted
	over(r ref) bool                  // whether a part that is posted may be complete
	complete(thread int, o *trace.Op) // all that a call waits for is over
}

func newWalk(c *course) walk {
	n := len(c.log.Threads)
	return walk{course: c, at: make([]int, n), posted: make([]uint32, n), got: make(map[member]bool)}
}

// goOn lets all threads go on until none can.
func (w *walk) goOn(by rules) {
	for moved := true; moved; {
		moved = false
		for i := range w.course.log.Threads {
			for w.step(i, by) {
				moved = true
			}
		}
	}
}

// step lets a thread enter or leave a call; false if it cannot.
func (w *walk) step(i int, by rules) bool {
	t := &w.course.log.Threads[i]
	if w.at[i] == len(t.Ops) {
		return false
	}
	o := &t.Ops[w.at[i]]
	entered := w.posted[i] < o.First+o.Started
	if entered {
		for k := range t.Posts(o) {
			if x := &t.Posts(o)[k]; x.Kind == op.Coll {
				w.got[member{x.Comm, x.Seq, t.Rank}] = true
			}
		}
		w.posted[i] = o.First + o.Started
		by.enter(i, o)
	}
	for _, x := range t.WaitsOf(o) {
		if o.Any && !x.Done {
			continue
		}
		if !by.over(ref{Thread: x.Thread, Part: x.Part}) {
			return entered
		}
	}
	by.complete(i, o)
	if !o.Returned && !o.Final {
		return entered
	}
	w.at[i]++
	return true
}

func (w *walk) started(r ref) bool { return r.Part < w.posted[r.Thread] }

// gathered says whether those have come whom a member must wait for (MPI-4.0, 6.1).
func (w *walk) gathered(x *trace.Part, self op.Rank) bool {
	c := &w.course.log.Comms[x.Comm]
	for _, r := range slices.Concat(c.Members, c.Remote) {
		needed := false
		switch x.Sync {
		case op.SyncAll:
			needed = true
		case op.SyncFromRoot:
			needed = r == x.Peer
		case op.SyncToRoot:
			needed = self == x.Peer
		case op.SyncLower:
			needed = slices.Index(c.Members, r) < slices.Index(c.Members, self)
		}
		if needed && !w.got[member{x.Comm, x.Seq, r}] {
			return false
		}
	}
	return true
}
