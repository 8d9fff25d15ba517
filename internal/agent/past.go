package agent

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

// commAt is the communicator that a handle named when the record with a stamp was written, nil if that is not known.
func (r *rank) commAt(handle uint64, stamp uint32) *comm {
	c := r.comm(handle)
	if c != nil && (c.parent == nil || c.existed(stamp)) {
		return c
	}
	for i := range min(r.freed.n, maxFreedComms) {
		if f := r.freed.list[i]; f.handle == handle && f.existed(stamp) && !before(f.freed, stamp) {
			return &f.comm
		}
	}
	return nil
}

// existed says whether a communicator had been made when the record with a stamp was written.
func (c *comm) existed(stamp uint32) bool { return !before(stamp, c.since+1) }

// recent is how many calls lie between calls that are described together, at most. Stamps begin anew after all of their numbers,
// so of those farther apart it is not known which came first.
const recent = 1 << 20

// before says that one stamp was drawn before another, not long ago.
func before(a, b uint32) bool { return b-a > 0 && b-a < recent }
