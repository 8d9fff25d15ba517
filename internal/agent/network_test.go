package agent

import (
	"testing"

	"unknot/internal/check"
	"unknot/internal/root/tree"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// encoded links agents and a root on which every message becomes bytes, as it does between hosts.
func encoded(t testing.TB, agents int) *tree.Network[message.Message] {
	t.Helper()
	format := message.NewFormat(functions(t))
	return tree.New(tree.NewShape(agents, 0), func(int, int) tree.Link[message.Message] { return format.Link() })
}

// firstAgent is the first of these agents, with all checks, each of which has the rank with its number.
func firstAgent(t testing.TB, net *tree.Network[message.Message]) *Agent {
	t.Helper()
	return New(net.Member(0), functions(t), World{}, Ranks{Home: func(r op.Rank) int { return int(r) }},
		Options{Checks: check.Selection{{Name: "all"}}})
}

func functions(t testing.TB) *mpi.T {
	t.Helper()
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	return table
}
