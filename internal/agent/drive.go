package agent

import (
	"unknot/internal/decode"
	"unknot/internal/message"
	"unknot/internal/mpi"
	"unknot/internal/op"
	"unknot/internal/tree"
)

// Driven is an agent that has no loop of its own: somebody else gives it its turns, so that one goroutine can drive the
// agents of a large simulated job (bench/tree).
type Driven struct{ a *Agent }

// Layout says which agent watches which ranks, in blocks.
type Layout struct {
	layout
	home func(op.Rank) int
}

// NewLayout is that of a job of so many ranks.
func NewLayout(size, ranksPerAgent, fanIn int) *Layout {
	l := &Layout{layout: alone(size, ranksPerAgent)}
	l.FanIn = fanIn
	l.home = l.homes()
	return l
}

// Shape is that of the tree over the agents.
func (l *Layout) Shape() tree.Shape { return l.shape() }

// Drive returns the agent of a member of a network.
func Drive(net *tree.Member[message.Message], table *mpi.T, world World, l *Layout, o Options) Driven {
	d := Driven{newAgent(net, table, world, l.home, o)}
	d.a.node.Spread = l.spread(net.ID)
	return d
}

// Adopt gives it a new rank, or a further thread of one.
func (d Driven) Adopt(s Source, h decode.Hello) { d.a.adopt(&adoption{ring: s, hello: h}) }

// Turn has it do what there is to do now; more is whether it has left records unread, over whether it will never have
// anything to do again.
func (d Driven) Turn() (more, over bool) {
	over = d.a.turn()
	return d.a.more || d.a.crowded, over
}

// Calls is how many MPI calls it has followed.
func (d Driven) Calls() uint64 { return d.a.calls }

// Lag is by how many calls of all its threads the strict view is behind the run.
func (d Driven) Lag() int {
	lag := 0
	for _, r := range d.a.order {
		for _, t := range r.threads {
			lag += t.ws.Lag()
		}
	}
	return lag
}
