// Package waitstate is the transition system of distributed wait-state tracking (Hilbrich et al., SC 2013, sections 3
// and 4): it follows how far each thread can get if MPI blocks wherever the standard lets it block.
//
// A Node holds the state of the ranks of one agent. The caller enters calls in the order in which each thread made
// them, says when they returned and what wildcard receives met, hands over messages from other nodes, and takes away
// Out and Clashes after each step. Rule numbers in comments are those of the paper's section 3.1.
package waitstate

import (
	"unknot/internal/vocab/op"
)

// Node is the state of one agent's ranks. Its parts have their own state each: those further down use those above. The
// methods of Node itself are the calls of threads (calls.go), the transitions (advance.go) and the two views (view.go).
type Node struct {
	// Observed makes standard sends and collectives follow what was observed (--sends=observed).
	Observed bool

	network
	pool
	queues
	comparison
	work
	races
	waves
	pointToPoint

	// receives that the run has completed and that no known message has met, since the node is isolated
	unseen []*Part
}

// NewNode returns a node without ranks. home tells which node holds a rank.
func NewNode(id int, home func(op.Rank) int) *Node {
	n := &Node{
		network:    network{ID: id, home: home},
		queues:     newQueues(),
		comparison: newComparison(),
		races:      newRaces(),
	}
	n.waves = waves{network: &n.network, pool: &n.pool, queues: &n.queues, races: &n.races, work: &n.work,
		groups: make(map[op.CommID]*Group)}
	n.pointToPoint = pointToPoint{network: &n.network, pool: &n.pool, queues: &n.queues, comparison: &n.comparison,
		races: &n.races, work: &n.work, waves: &n.waves,
		parts: make(map[uint32]*Part), remotes: make(map[Ref]*remote), told: make(map[queueKey][]int32)}
	return n
}

// NewThread adds a thread of a rank.
func (n *Node) NewThread(rank op.Rank, index op.Thread) *Thread {
	n.noteThread(rank, index)
	return &Thread{Rank: rank, Index: index}
}

// network is a node's place among the others: which node holds a rank, and what is to be sent to others.
type network struct {
	ID   int
	Out  []Message
	home func(op.Rank) int
	away func(op.Rank) bool // nil as long as the root can be reached
}

// here says whether this node holds a rank.
func (w *network) here(r op.Rank) bool { return w.home(r) == w.ID }

// send has a message sent.
func (w *network) send(m Message) { w.Out = append(w.Out, m) }

// work is the threads that may get on in the strict view: those for which something has changed.
type work struct {
	changed []*Thread
	frozen  bool // transitions are stopped
}

// enqueue has a thread looked at.
func (w *work) enqueue(t *Thread) {
	if !t.queued {
		t.queued = true
		w.changed = append(w.changed, t)
	}
}

// satisfy notes that the strict rules let a part complete.
func (w *work) satisfy(p *Part) {
	if p.sat {
		return
	}
	p.sat = true
	if p.waiter != nil {
		w.enqueue(p.waiter)
	}
}
