package detect

import (
	"testing"

	"unknot/internal/root/tree"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
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

// overLink is a message as its receiver gets it over a new link.
func overLink[M message.Message](format *message.Format, m M) *M {
	got := format.Link()(m).(M)
	return &got
}
