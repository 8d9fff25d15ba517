package agent

import (
	"testing"

	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// TestWhichCallsOtherRanksKeep: who dies in one of these may have been killed because of the rank that it waited for.
func TestWhichCallsOtherRanksKeep(t *testing.T) {
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	world := message.Scope{Contexts: []op.CommID{1}}
	for _, c := range []struct {
		name  string
		scope message.Scope
		want  bool
	}{{"MPI_Recv", world, true}, {"MPI_Comm_spawn", world, true}, {"MPI_Win_flush_local", world, true},
		{"MPI_Open_port", message.Scope{}, false}, {"MPI_File_delete", message.Scope{}, false}} {
		if got := needsOthers(table.ByName(c.name), &c.scope); got != c.want {
			t.Errorf("%s may be kept by others: %v, want %v", c.name, got, c.want)
		}
	}
}
