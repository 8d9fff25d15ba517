package rma

import (
	"testing"

	"unknot/internal/check"
	"unknot/internal/check/feed"
	"unknot/internal/check/used"
	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/mpi"
)

// What is done to a window of another rank arrives whole on another host.
func TestBatchesAreTheSameBehindALink(t *testing.T) {
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	integer, err := datatype.Predefined("MPI_INT", 4, 4, 4)
	if err != nil {
		t.Fatal(err)
	}
	put := table.ByName("MPI_Put")
	call := check.Past{Fn: put, Site: 0x401000, Thread: 2, Words: [12]uint64{1, 1 << 60, 3}, N: 3}
	a := act{call: call, manner: mpi.Updates, disp: -5, layout: used.Covering{From: 0, To: 12, Datatype: integer,
		Count: 3}, known: true, op: "MPI_SUM",
		basis: integer, param: 4, under: hold{from: 7, to: 9, fresh: true, private: true}}
	other := act{call: check.Past{Fn: put}, param: -1}
	feed.Travels(t, table, check.Note{To: 3, Body: &batch{win: 1 << 50, from: 1, to: 3, key: epochKey{byPost, 12},
		acts: []act{a, other}}}, Bodies)
}
