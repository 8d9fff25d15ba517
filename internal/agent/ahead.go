package agent

import (
	"time"

	"unknot/internal/vocab/op"
)

// A rank may send much that is not received yet. Its calls are kept until the strict view has passed them, so what an
// agent needs grows with their number. The paper has this as future work (section 6, 128.GAPgeofem): to prefer what
// moves the wait state on. Here, rings of ranks that are ahead are read after all others, and not at all while the
// receiver computes: the ring fills, and the rank waits, as with any agent that is slow.
//
// A receiver that waits in MPI, or polls, may wait for what the rank does later, so that is then read at once. A
// receiver outside of MPI may wait by other means, such as a file: some of it is read all the same, now and then.
const (
	ahead     = 1 << 14 // calls that the strict view is behind: such a rank is read after others
	farAhead  = 1 << 18 // and such a one only as its receiver needs it
	aheadTurn = 16      // how often those that are ahead are read while others have something to read
	heldFor   = 100 * time.Millisecond
	heldPart  = 64 // batches that are read after that time
)

// restraint is since when a rank that is far ahead is not read, for a receiver that has made so many calls.
type restraint struct {
	since time.Time
	calls uint32
}

// readInTurn is readRings for the main loop: ranks that are ahead come last.
func (a *Agent) readInTurn() {
	a.more = false
	busy := a.folding.Skim()
	late := a.late[:0]
	for _, r := range a.order {
		if r.lag() > ahead {
			late = append(late, r)
		} else if a.readRank(r) {
			busy = true
		}
	}
	a.late = late
	if a.turns++; busy && a.turns%aheadTurn != 0 {
		a.more = a.more || len(late) > 0
		return
	}
	for _, r := range late {
		for range a.allowed(r) {
			if !a.readRank(r) {
				break
			}
		}
	}
}

// lag is the number of calls that the strict view of a rank is behind.
func (r *rank) lag() int {
	most := 0
	for _, t := range r.threads {
		most = max(most, t.WS.Lag())
	}
	return most
}

// allowed is how many batches of a rank that is ahead are read now.
func (a *Agent) allowed(r *rank) int {
	to := a.receiver(r)
	if to == nil || r.lag() <= farAhead || to.gone || to.needy() {
		r.restraint = restraint{}
		return 1
	}
	if calls := to.made(); r.restraint.since.IsZero() || r.restraint.calls != calls {
		r.restraint = restraint{a.now, calls}
	}
	if a.now.Sub(r.restraint.since) < heldFor {
		return 0
	}
	r.restraint.since = a.now
	return heldPart
}

// receiver is the rank that is to receive what the strict view of a rank waits for, nil if another agent has it or none
// is waited for.
func (a *Agent) receiver(r *rank) *rank {
	for _, t := range r.threads {
		o := t.WS.Strict()
		if o == nil {
			continue
		}
		for _, p := range o.Waits {
			if p.Kind == op.Send && !p.Satisfied() {
				return a.ranks[p.Dst]
			}
		}
	}
	return nil
}

// needy says whether a thread of the rank waits in MPI or polls, or what it does is not known.
func (r *rank) needy() bool {
	if r.Lost || r.Unmodelled {
		return true
	}
	for _, t := range r.threads {
		if t.inOperation() || t.Polls.Active() {
			return true
		}
	}
	return len(r.threads) != 1
}

// made is the stamp of the last call of a rank with one thread.
func (r *rank) made() uint32 { return r.threads[0].Stamp }
