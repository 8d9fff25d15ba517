package agent

import (
	"testing"

	"unknot/internal/message"
	"unknot/internal/mpi"
	"unknot/internal/tree"
)

// encoded links agents and a root on which every message becomes bytes, as it does between hosts.
func encoded(t testing.TB, agents int) *tree.Network[message.Message] {
	t.Helper()
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	format := message.NewFormat(table)
	return tree.New(tree.NewShape(agents, 0), func(int, int) tree.Link[message.Message] { return format.Link() })
}
