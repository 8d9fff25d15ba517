package agent

import (
	"slices"
	"time"

	"unknot/internal/model/waitstate"
	"unknot/internal/root/detect"
	"unknot/internal/root/parts"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// rootLoss is what an agent keeps for the case that the root is lost: what it has sent to the root, and where its
// threads were last.
type rootLoss struct {
	kept   []message.Message
	calls  map[message.Key]message.Described // that the root has asked about
	alone  bool                              // the root is out of reach
	at     time.Time                         // of state
	state  *message.Report                   // where the threads were, before the first rank was killed
	spans  []message.Span
	killed bool               // some rank was
	asked  chan<- parts.Share // who waits for the share; nil if nobody does
}

// Bounds of what is kept.
const (
	maxKept      = 4096
	maxKeptCalls = 4096
)

// stateEvery is how often an agent that is alone looks where its threads are.
const stateEvery = 250 * time.Millisecond

// goesUp takes in what goes to the root.
func (a *Agent) goesUp(m message.Message) {
	switch m.(type) {
	case message.Progress, message.WaitStates: // they tell of nothing found
	default:
		a.upward++
	}
	if a.rootLoss.calls != nil {
		a.keep(m)
	}
}

// keep keeps what goes to the root and is no answer that will be another one later.
func (a *Agent) keep(m message.Message) {
	switch m := m.(type) {
	case message.Misuse, message.Pair, message.Clash, message.Failed, message.Death, message.Unforced, message.Unused:
		if len(a.rootLoss.kept) < maxKept {
			a.rootLoss.kept = append(a.rootLoss.kept, m)
		}
	case message.Idle:
		a.rootLoss.kept = append(a.rootLoss.kept, m) // once
	case message.Places:
		for i := range m.Places {
			if d := &m.Places[i]; d.Key.Call && len(a.rootLoss.calls) < maxKeptCalls {
				a.rootLoss.calls[d.Key] = *d
			}
		}
	}
}

// remember notes where the threads are, as long as the root is out of reach and no rank was killed.
func (a *Agent) remember() {
	w := &a.rootLoss
	if !w.alone || a.now.Sub(w.at) < stateEvery {
		return
	}
	if a.sync.holding {
		a.letGo() // and reads where the threads are before it looks again
		return
	}
	w.killed = w.killed || slices.ContainsFunc(a.order, func(r *rank) bool { return r.gone && !r.final() })
	if w.killed && w.state != nil {
		return
	}
	w.at = a.now
	a.catchUp()
	w.state = a.gather(a.sync.round, false)
	w.spans = w.spans[:0]
	for _, r := range a.order {
		for _, t := range r.threads {
			w.spans = append(w.spans, message.Span{Rank: r.World, Thread: t.WS.Index, For: a.now.Sub(t.entered)})
		}
	}
}

// loseRoot takes in that the root and some ranks cannot be reached any more.
func (a *Agent) loseRoot(away func(op.Rank) bool) {
	a.rootLoss.alone = true
	a.takeMessages() // what came before is in the counts
	a.sync.holding, a.sync.interrupted, a.sync.kept = false, false, nil
	clear(a.sync.peers)
	a.folding.Forget()
	a.folding.Renounce()
	a.readPresent()
	a.flush()
	a.catchUp()
	var threads []*waitstate.Thread
	for _, r := range a.order {
		for _, t := range r.threads {
			threads = append(threads, t.WS)
		}
	}
	a.node.Isolate(threads, away)
	a.flush()
}

// handShare gives the agent's share to whoever waits for it, once everything has been read.
func (a *Agent) handShare() {
	if a.rootLoss.asked == nil || !a.idle {
		return
	}
	a.checks.Conclude()
	a.rootLoss.asked <- a.share()
	a.rootLoss.asked = nil
}

// share is what the agent knows.
func (a *Agent) share() parts.Share {
	a.rootLoss.at, a.sync.holding = time.Time{}, false // there is nobody to stand still for
	a.remember()
	s := parts.Share{State: *a.rootLoss.state, Left: a.left(), Kept: a.rootLoss.kept,
		Ledger: message.Ledger{Agent: a.id, Counted: a.node.Ledger(), Spans: a.rootLoss.spans}}
	s.State.Agent, s.Places.Agent = a.id, a.id
	for i := range s.State.Threads {
		s.State.Threads[i].Each(func(w message.Wait) {
			a.threadsOf([]message.Key{w.Key(false)}, func(t *thread, k message.Key) {
				s.Places.Places = append(s.Places.Places, a.describeThread(t, k, a.now))
			})
		})
	}
	for _, m := range append(slices.Clone(s.Kept), s.State, s.Left) {
		s.Places.Places = append(s.Places.Places, a.describeOrigins(detect.Named(m))...)
	}
	for _, d := range a.rootLoss.calls {
		s.Places.Places = append(s.Places.Places, d)
	}
	s.Kept = append(s.Kept, message.Progress{Agent: a.id, Calls: a.follow.Calls, Folded: a.folding.Calls})
	return s
}
