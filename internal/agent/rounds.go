package agent

import (
	"maps"
	"slices"
	"time"

	"unknot/internal/agent/repeat"
	"unknot/internal/model/waitstate"
	"unknot/internal/root/tree"
	"unknot/internal/vocab/message"
)

// consistency is an agent's part in making a consistent state (paper, section 5).
type consistency struct {
	round   int
	pongs   map[int]bool // agents whose pongs are still to come
	written map[int]bool // agents that were sent something since the last consistent state began
	peers   map[int]bool // agents whose links are flushed for this one
	gone    map[int]bool // agents that cannot be reached any more
	phase   int
	holding bool // rings are not read
	quit    bool
	// kept is the state that the root has not asked for yet, if the agent continues meanwhile; nil if it does not.
	// interrupted says that it has gone on before it was settled, and is to begin again; try counts such beginnings.
	kept        *message.Report
	interrupted bool
	try         int
}

func newConsistency() consistency {
	return consistency{pongs: make(map[int]bool), written: make(map[int]bool), peers: make(map[int]bool),
		gone: make(map[int]bool)}
}

// wrote notes that an agent was sent something.
func (c *consistency) wrote(to int) {
	if to != tree.Root {
		c.written[to] = true
	}
}

// consistent stops reading and all transitions, and flushes the links by a double ping-pong: a send and the word that
// its receive is active are two messages in a row. (The paper's acknowledgement is a third one; see
// waitstate.SendActive.)
//
// An agent flushes the links to those agents alone that it has sent something since the last consistent state: what may
// be under way is from somebody who has. A ping brings such a message to its receiver, whose answer stands before the
// pong, and what follows from the answer stands before the second ping; so whoever has sent the first has all of them
// arrive.
//
// What is promised to a group over agents (package repeat) is left out first, so that all of the group have left out
// the same.
func (a *Agent) consistent(round int) {
	if a.folding.Defer(round) {
		return
	}
	a.readClock()
	a.readPresent()
	a.flush()
	a.catchUp()
	a.node.Freeze()
	a.flush()
	a.sync.round, a.sync.holding, a.sync.phase = round, true, 0
	a.sync.kept, a.sync.interrupted = nil, false
	maps.Copy(a.sync.peers, a.sync.written) // which has those of a round that had no result
	clear(a.sync.written)
	a.ping()
}

// release ends what consistent has begun, once the state is taken.
func (a *Agent) release() {
	a.sync.holding = false
	clear(a.sync.peers)
	a.node.Thaw()
	a.flush()
}

// letGo has an agent that is held for a consistent state go on while the root is out of reach, which may never ask for
// the state: the ranks would wait for room in their rings, and nobody would know what becomes of them. One that is
// settled keeps its state for the root. One that is not begins again when the root is there: for the others, which
// stand still until then, it is as if it had been slow to begin.
func (a *Agent) letGo() {
	if a.sync.phase == 2 && len(a.sync.pongs) == 0 {
		a.sync.kept = a.gather(a.sync.round, true)
		a.release()
		return
	}
	a.sync.interrupted, a.sync.holding = true, false
	a.node.Thaw()
	a.flush()
}

// setAlone takes in whether the root is out of reach.
func (a *Agent) setAlone(alone bool) {
	a.rootLoss.alone = alone
	if a.sync.interrupted && !alone {
		a.sync.try++
		a.consistent(a.sync.round)
	}
}

// readPresent reads what the rings hold now: ranks that continue to write must not keep the agent here forever.
func (a *Agent) readPresent() {
	most := uint64(0)
	for _, r := range a.order {
		for _, s := range r.sources {
			most = max(most, s.ring.Pending())
		}
	}
	for rounds := most/repeat.BatchSize + 1; a.readRings() && rounds > 0; rounds-- {
		a.folding.HandOnAll() // so that each round takes as many from the ring
	}
	a.folding.HandOnAll()
}

func (a *Agent) ping() {
	if a.sync.phase == 2 {
		a.net.SendUp(message.Settled{Agent: a.id, Round: a.sync.round})
		return
	}
	a.sync.phase++
	clear(a.sync.pongs)
	for _, i := range slices.Sorted(maps.Keys(a.sync.peers)) {
		if !a.sync.gone[i] {
			a.sync.pongs[i] = true
			a.net.Send(i, message.Ping{From: a.id, Round: a.sync.round, Phase: a.sync.phase, Try: a.sync.try})
		}
	}
	if len(a.sync.pongs) == 0 {
		a.ping()
	}
}

func (a *Agent) pong(m message.Pong) {
	if m.Round == a.sync.round && m.Phase == a.sync.phase && m.Try == a.sync.try {
		a.answered(m.From)
	}
}

// answered notes that an agent's pong has come, or never will.
func (a *Agent) answered(agent int) {
	if !a.sync.pongs[agent] {
		return
	}
	delete(a.sync.pongs, agent)
	if len(a.sync.pongs) == 0 && !a.sync.interrupted {
		a.ping()
	}
}

// nameOrigins leaves of the calls that started what a thread waits for only what names them, and of the call itself in
// which it waits nothing: nobody asks for that.
func nameOrigins(w *waitstate.Wait) {
	for i := range w.Needs {
		n := &w.Needs[i]
		if o := n.Origin; o == nil || o.TS == w.TS {
			n.Origin = nil
		} else {
			n.Origin = &waitstate.Origin{Rank: o.Rank, Thread: o.Thread, TS: o.TS}
		}
	}
}

// carrying is how long MPI may take to carry over the messages that a call waits for, on a slow network.
func carrying(needs []waitstate.Need) time.Duration {
	sum := int64(0)
	for i := range needs {
		sum += max(needs[i].Carried, 0)
	}
	return message.Carrying(sum)
}

// sayAgain tells what the relay that was lost may not have handed on.
func (a *Agent) sayAgain() {
	a.node.ReadyAgain()
	a.flush()
	if a.idle {
		a.tellIdle()
	}
}

// relax lets threads follow what was observed.
func (a *Agent) relax(m message.Relax) {
	a.foldedThreads(m.Keys, func(t *thread, k message.Key) {
		o := t.WS.Strict()
		switch {
		case o == nil || o.TS != k.TS:
		case m.Once:
			a.node.RelaxOnce(t.WS)
		default:
			a.node.Relax(t.WS)
		}
	})
	a.flush()
}
