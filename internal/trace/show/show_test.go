package show

import (
	"strings"
	"testing"

	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// The name of a communicator is the program's: it neither ends a line, where a CI system could take it for a command,
// nor reaches the terminal as it is.
func TestNamesStayOnTheirLine(t *testing.T) {
	log := &trace.Log{
		Head: trace.Head{Ranks: 1}, Funcs: []string{"MPI_Barrier"}, Sites: make([]trace.Site, 1),
		Comms: []trace.Comm{{Name: "MPI_COMM_WORLD"}, {Name: "halo\n::error::\x1b[2J"}},
		Threads: []trace.Thread{{Ops: []trace.Op{{Started: 1, Returned: true}},
			Parts: []trace.Part{{Kind: op.Coll, Comm: 1, Peer: -1}}}},
	}
	var b strings.Builder
	if err := Text(&b, log, Options{Rank: -1}); err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(b.String(), "\n")
	if want := `rank 0 #1: MPI_Barrier on halo\n::error::\x1b[2J`; first != want {
		t.Errorf("%q, want %q", first, want)
	}
}
