package agent

import "unknot/internal/waitstate"

// moment is when a call was made whose handles are read: now, or when a record with a stamp was.
type moment struct {
	past  bool
	stamp uint32
}

// madeAt is the moment of a call that may be long past.
func madeAt(o *waitstate.Origin) moment { return moment{true, o.Stamp} }

// What is remembered of the communicators that a rank has freed, so that calls on them can still be described: MPI hands out
// the same handle again.
const (
	maxFreedComms   = 64
	maxFreedMembers = 256 // of one; larger groups are forgotten
)

// freedComms are the last communicators that a rank has freed, a circle.
type freedComms struct {
	list [maxFreedComms]*freedComm
	n    int
}

type freedComm struct {
	comm
	freed uint32 // stamp of the call
}

// add takes in that a communicator is freed by the call with a stamp.
func (l *freedComms) add(c *comm, stamp uint32) {
	old := &freedComm{comm{id: c.id, handle: c.handle, inter: c.inter, foreign: c.foreign, name: c.name, parent: c.parent, how: c.how, site: c.site,
		since: c.since}, stamp}
	if len(c.members)+len(c.remote) <= maxFreedMembers {
		old.members, old.remote = c.members, c.remote
	}
	l.list[l.n%maxFreedComms] = old
	l.n++
}

// commAt is the communicator that a handle named at a moment, nil if that is not known.
func (r *rank) commAt(handle uint64, m moment) *comm {
	c := r.comm(handle)
	if !m.past || c != nil && (c.parent == nil || c.existed(m)) {
		return c
	}
	for i := range min(r.freed.n, maxFreedComms) {
		if f := r.freed.list[i]; f.handle == handle && f.existed(m) && !before(f.freed, m.stamp) {
			return &f.comm
		}
	}
	return nil
}

// existed says whether a communicator had been made at a moment of the past.
func (c *comm) existed(m moment) bool { return !before(m.stamp, c.since+1) }

// recent is how many calls lie between calls that are described together, at most. Stamps begin anew after all of their numbers,
// so of those farther apart it is not known which came first.
const recent = 1 << 20

// before says that one stamp was drawn before another, not long ago.
func before(a, b uint32) bool { return b-a > 0 && b-a < recent }
