package explore

import (
	"crypto/sha256"
	"fmt"
	"slices"

	"unknot/internal/explore/known"
	"unknot/internal/trace"
	"unknot/internal/vocab/op"
	"unknot/internal/vocab/plan"
)

// purpose says why a run is made.
type purpose string

const (
	observe     purpose = "observe"     // the program as it is
	confirm     purpose = "confirm"     // a deadlock that was predicted
	lead        purpose = "lead"        // a deadlock that follows from what several runs have shown
	alternative purpose = "alternative" // another choice of MPI's
	vary        purpose = "vary"        // the same with some ranks made slow
	clocks      purpose = "clocks"      // the same with other clocks and random numbers
)

// item is one run to make.
type item struct {
	ID      int     `json:"id"`
	Parent  int     `json:"parent"` // the run that it was derived from; -1 for none
	Purpose purpose `json:"purpose"`
	// Forced are the decisions of the plan; the first Fixed of them are settled for all runs that are derived from this
	// one. In the file, the first Kept are left out: they are those of the item before.
	Forced []decision `json:"forced,omitempty"`
	Kept   int        `json:"kept,omitempty"`
	Fixed  int        `json:"fixed,omitempty"`
	// Sends are made synchronous.
	Sends []plan.Send `json:"sends,omitempty"`
	// Finding is the number of the prediction that is to be confirmed, from 0.
	Finding int `json:"finding,omitempty"`
	// Flow is the control flow that a confirmation follows from.
	Flow uint64 `json:"flow,omitempty"`
	// Clocks is the number of the other clocks that the program sees, 0 for those of the machine.
	Clocks int `json:"clocks,omitempty"`
	// Again says that a run with the same plan did not show what it was made for.
	Again bool `json:"again,omitempty"`

	// what is forced, if the run is not kept in the state: what a search asked for, which is one of the next two, or
	// varies
	whole *plan.Plan
	goal  *known.Goal
	stuck *known.Stuck
}

// identity is the same for alternatives that force the same.
type identity [sha256.Size]byte

func (it *item) identity() identity { return sha256.Sum256(fmt.Append(nil, it.Fixed, it.Forced)) }

// after is an item as it is written after another one.
func (it *item) after(last *item) *item {
	w := *it
	if last != nil {
		for w.Kept < min(len(w.Forced), len(last.Forced)) && w.Forced[w.Kept] == last.Forced[w.Kept] {
			w.Kept++
		}
		w.Forced = w.Forced[w.Kept:]
	}
	return &w
}

// expand makes an item whole that was written after another one; false if it cannot have been.
func (it *item) expand(last *item) bool {
	if it.Kept < 0 || it.Kept > 0 && (last == nil || it.Kept > len(last.Forced)) {
		return false
	}
	if it.Kept > 0 {
		it.Forced, it.Kept = slices.Concat(last.Forced[:it.Kept], it.Forced), 0
	}
	return true
}

// decision is a wildcard receive and the source that it is given, a rank in its communicator.
type decision struct {
	key
	Source int32 `json:"source"`
}

func (d decision) planned() plan.Decision {
	return plan.Decision{Rank: d.Rank, Thread: d.Thread, Nth: d.Nth, Source: d.Source, Tag: -1}
}

// key names a wildcard receive in all runs.
type key struct {
	Rank   op.Rank   `json:"rank"`
	Thread op.Thread `json:"thread,omitempty"`
	Nth    uint32    `json:"nth"`
}

// find finds the receive in a log: its thread, and the number of its part there. The thread is nil if the run did not
// come to it.
func (k key) find(l *trace.Log) (t *trace.Thread, part uint32) {
	if t = l.Thread(k.Rank, k.Thread); t == nil {
		return nil, 0
	}
	for n := range t.Parts {
		if p := &t.Parts[n]; p.Wild && p.Nth == k.Nth {
			return t, uint32(n)
		}
	}
	return nil, 0
}

// free are the matches of a run that were not forced on it.
func (it *item) free(l *trace.Log) []decision {
	forced := make(map[key]bool)
	for _, d := range it.Forced {
		forced[d.key] = true
	}
	var out []decision
	for i := range l.Threads {
		t := &l.Threads[i]
		for k := range t.Parts {
			p := &t.Parts[k]
			at := key{t.Rank, t.Index, p.Nth}
			if !p.Wild || p.Matched < 0 || forced[at] {
				continue
			}
			if n := slices.Index(l.Comms[p.Comm].Peers(t.Rank), p.Matched); n >= 0 {
				out = append(out, decision{at, int32(n)})
			}
		}
	}
	return out
}

// plan is what the run is forced to do.
func (it *item) plan(ranks int, synchronous bool) plan.Plan {
	if it.whole != nil {
		p := *it.whole
		p.Synchronous = synchronous
		return p
	}
	p := plan.Plan{Ranks: ranks, Synchronous: synchronous, Sends: slices.Clone(it.Sends)}
	for _, d := range it.Forced {
		p.Decisions = append(p.Decisions, d.planned())
	}
	p.Sort()
	return p
}

// key of a wildcard receive of a recorded run.
func (c *course) key(w ref) key {
	t := &c.log.Threads[w.Thread]
	return key{t.Rank, t.Index, t.Parts[w.Part].Nth}
}

// decide is the decision that lets a wildcard receive meet a message.
func (c *course) decide(w, s ref) (decision, error) {
	x := c.at(w)
	peers := c.log.Comms[x.Comm].Peers(c.rank(w))
	i := slices.Index(peers, c.rank(s))
	if i < 0 {
		return decision{}, fmt.Errorf("rank %d is not in the communicator of rank %d's receive", c.rank(s), c.rank(w))
	}
	return decision{c.key(w), int32(i)}, nil
}
