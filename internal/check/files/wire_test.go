package files

import (
	"testing"

	"unknot/internal/check"
	"unknot/internal/check/feed"
	"unknot/internal/vocab/mpi"
)

// What a rank gives in a collective call on a file arrives whole on another host.
func TestOpinionsAreTheSameBehindALink(t *testing.T) {
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	feed.Travels(t, table, check.Note{To: 0, Body: &opinion{key: opinionKey{5, 6}, from: 2, to: 0,
		call: check.Past{Fn: table.ByName("MPI_File_open")}, n: 2,
		values: [maxValues]value{{param: 1, name: "amode", v: -9}, {param: 2, name: "datarep", text: "native"}}}},
		Bodies)
}
