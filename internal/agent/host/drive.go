package host

import (
	"unknot/internal/agent"
	"unknot/internal/root/tree"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

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

// Drive returns the agent of a member of a network. Its caller gives it its turns, so that one goroutine can drive the
// agents of a large simulated job (bench/tree).
func Drive(
	net *tree.Member[message.Message], table *mpi.T, world agent.World, l *Layout, o agent.Options,
) *agent.Agent {
	return agent.New(net, table, world, agent.Ranks{Home: l.home, Spread: l.spread(net.ID)}, o)
}
