package parts

import (
	"sync/atomic"

	"unknot/internal/model/waitstate"
	"unknot/internal/root/tree"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// witness answers the root in an agent's place, by what that has left.
type witness struct {
	net      *tree.Member[message.Message]
	share    *Share
	state    message.Report // as it is in the light of the other parts
	places   map[message.Key]*message.Described
	answered *atomic.Int32 // how often somebody was asked where threads are
	judged   *atomic.Bool  // a deadlock was found in that
	over     *atomic.Bool  // what is asked for now is the rest
	table    *mpi.T
	mine     func(op.Rank) bool // whether it describes calls of a rank
}

func (w *witness) run() {
	w.places = make(map[message.Key]*message.Described)
	for i := range w.share.Places.Places {
		d := &w.share.Places.Places[i]
		w.places[d.Key] = d
	}
	w.tell()
	var inbox []message.Message
	for {
		<-w.net.Wake()
		inbox = w.net.Take(inbox)
		for _, m := range inbox {
			if w.message(m) {
				return
			}
		}
	}
}

// tell says what the agent has said. Ranks that others have killed were ended with the job, which is nobody's mistake.
func (w *witness) tell() {
	calls := uint64(0)
	for _, m := range w.share.Kept {
		switch m := m.(type) {
		case message.Death:
			if m.Final || m.Own {
				w.net.SendUp(m)
			}
		case message.Idle:
			m.Agent = w.net.ID
			w.net.SendUp(m)
		case message.Progress:
			calls = m.Calls
		default:
			w.net.SendUp(m)
		}
	}
	w.net.SendUp(message.Progress{Agent: w.net.ID, Calls: calls, Stuck: 1, Epoch: 1})
}

// message answers one question; true if no other will come.
func (w *witness) message(m message.Message) (over bool) {
	switch m := m.(type) {
	case message.Consistent:
		w.net.SendUp(message.Settled{Agent: w.net.ID, Round: m.Round})
	case message.Gather:
		rep := w.state
		if w.over.Load() {
			rep = message.Report{Groups: w.state.Groups}
		}
		rep.Agent, rep.Round = w.net.ID, m.Round
		w.net.SendUp(rep)
		w.answered.Add(1)
	case message.Describe:
		w.net.SendUp(message.Places{Agent: w.net.ID, Round: m.Round, Places: w.describe(m.Keys)})
	case message.Locate:
		w.net.SendUp(message.Places{Agent: w.net.ID, Round: m.Round, Places: w.locate(m.Calls)})
	case message.Remains:
		left := w.share.Left
		left.Agent, left.Round = w.net.ID, m.Round
		w.net.SendUp(left)
	case message.Halt:
		w.judged.Store(true)
	case message.Quit:
		return true
	}
	return false
}

func (w *witness) describe(keys []message.Key) (list []message.Described) {
	for _, k := range keys {
		if d := w.places[k]; d != nil {
			list = append(list, *d)
		}
	}
	return list
}

// locate describes calls that the root has once asked the agent about. Of others of its ranks only the function is
// known, and not its place.
func (w *witness) locate(calls []waitstate.Origin) (list []message.Described) {
	for i := range calls {
		o := &calls[i]
		k := message.CallKey(o)
		if d := w.places[k]; d != nil {
			at := *d
			at.Nth = i
			list = append(list, at)
			continue
		}
		if !w.mine(o.Rank) {
			continue
		}
		d := message.Described{Key: k, Still: true, Nth: i, Place: finding.Place{Rank: int(o.Rank),
			Thread: int(o.Thread), State: "called", WaitsFor: []int{}}}
		if f := w.table.ByID(o.Fn); f != nil {
			d.Place.Call, d.Shape.Name, d.Shape.Class = f.Name, f.Name, f.Class
		}
		d.Shape.Bytes = -1
		list = append(list, d)
	}
	return list
}
