package windows

// Why is why unknot need not report a conflict.
type Why string

// The reasons. Those from Word on are calls by which a rank may have learned what another one has done: docs/limits.md
// says that calls which may carry information count as ordering, until the next barrier.
const (
	// Lent: memory that a rank lends to its own call is compared as of the moment of that call, outside of epochs of
	// MPI_Win_fence.
	Lent Why = "lent memory, behind a barrier"
	// Elsewhere: what a rank loads and stores in the shared memory of another one is not compared with calls in epochs
	// of MPI_Win_post.
	Elsewhere Why = "shared memory of another rank, posted"
	Word      Why = "a message"
	Read      Why = "a call that reads"
	Request   Why = "a wait for a request"
	Excluded  Why = "an exclusive lock"
	OwnLock   Why = "a lock of its own memory"
	Synced    Why = "MPI_Win_sync"
	Epochs    Why = "a call that begins or ends an epoch"
)

// Untold is why unknot need not report a pair of acts of a round that conflict; "" if it has to.
func (r *Round) Untold(x Pair) Why {
	a, b := &r.Steps[x.A], &r.Steps[x.B]
	active := r.Style == Fences || r.Style == Posts
	switch {
	case x.Later && r.Style != Fences:
		return Lent
	case r.Style == Posts && a.Act.Plain() != b.Act.Plain() && (a.elsewhere() || b.elsewhere()):
		return Elsewhere
	case a.Rank == b.Rank:
		return ""
	case active && !a.Act.Plain() && !b.Act.Plain() && a.Act.Lent < 0 && b.Act.Lent < 0:
		return "" // two calls of an epoch: nothing can order them
	}
	for _, i := range []int{x.A, x.B} {
		// The owner of the memory may know only of reads that they are over before its epoch is.
		if r.Style == Fences && r.Flavour != Shared && r.Steps[i].Act.Plain() {
			continue
		}
		if why := r.learned(i); why != "" {
			return why
		}
	}
	return ""
}

// elsewhere says that a rank accesses memory of another one without a call.
func (s *Step) elsewhere() bool { return s.Act.Plain() && s.Act.Target != s.Rank }

// learned is how the rank of an act may have learned of what others have done since the last barrier, "" if it has not.
func (r *Round) learned(i int) (why Why) {
	rank := r.Steps[i].Rank
	reads, begun := false, r.Steps[i].Act.Plain() || r.Steps[i].Act.Lent >= 0
	for k := range i {
		s := &r.Steps[k]
		if s.Kind == Barrier || s.Kind == Fence && s.Assert != noPrecede {
			why = ""
			if s.Kind == Fence {
				reads = false
			}
			continue
		}
		if !s.by(rank) {
			continue
		}
		by := Why("")
		switch s.Kind {
		case Acts:
			reads = reads || s.Act.fills()
			if s.Act.Manner == Rput || s.Act.Manner == Rget {
				by = Request
			}
		case Message:
			if s.Peer == rank {
				by = Word
			}
		case Sync:
			by = Synced
		case Lock:
			if s.Exclusive {
				by = Excluded
			} else if s.Peer == rank {
				by = OwnLock
			}
		case Flush, FlushLocal, Unlock:
			if reads {
				by = Read
			}
		case Start, Fence: // the one that begins the epoch of a call says nothing of what is done in it
			if begun {
				by = Epochs
			}
			begun = true
		case Complete, Wait:
			by = Epochs
		}
		if why == "" {
			why = by
		}
	}
	return why
}
