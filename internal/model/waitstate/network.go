package waitstate

import "unknot/internal/vocab/op"

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
