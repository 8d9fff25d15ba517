package objects

// What is remembered of the communicators that a rank has freed, so that calls on them can still be described: MPI
// hands out the same handle again.
const (
	maxPastComms = 64
	maxPastRuns  = 256 // of ranks, of one; groups that have more are forgotten
)

// pastComms are the last communicators that a rank has freed, a circle.
type pastComms struct {
	list *[maxPastComms]*pastComm // nil if there are none
	n    int
}

type pastComm struct {
	Comm
	freed uint32 // stamp of the call
}

// add takes in that a communicator is freed by the call with a stamp.
func (l *pastComms) add(c *Comm, stamp uint32) {
	old := &pastComm{Comm{ID: c.ID, Handle: c.Handle, Inter: c.Inter, Foreign: c.Foreign, Name: c.Name,
		Derivation: Derivation{Parent: c.Parent, Grouped: c.Grouped, Tag: c.Tag, How: c.How, Made: c.Made,
			Since: c.Since}}, stamp}
	if len(c.Members.Runs)+len(c.Remote.Runs) <= maxPastRuns {
		old.Members, old.Remote = c.Members, c.Remote
	}
	if l.list == nil {
		l.list = new([maxPastComms]*pastComm)
	}
	l.list[l.n%maxPastComms] = old
	l.n++
}

// CommAt is the communicator that a handle named when the record with a stamp was written, nil if that is not known.
func (r *Rank) CommAt(handle uint64, stamp uint32) *Comm {
	c := r.Comm(handle)
	if c != nil && (c.Parent == nil && !c.Grouped || c.Existed(stamp)) {
		return c
	}
	for i := range min(r.past.n, maxPastComms) {
		if f := r.past.list[i]; f.Handle == handle && f.Existed(stamp) && !before(f.freed, stamp) {
			return &f.Comm
		}
	}
	return nil
}

// Existed says whether a communicator had been made when the record with a stamp was written.
func (c *Comm) Existed(stamp uint32) bool { return !before(stamp, c.Since+1) }

// recent is how many calls lie between calls that are described together, at most. Stamps begin anew after all of their
// numbers, so of those farther apart it is not known which came first.
const recent = 1 << 20

// before says that one stamp was drawn before another, not long ago.
func before(a, b uint32) bool { return b-a > 0 && b-a < recent }
