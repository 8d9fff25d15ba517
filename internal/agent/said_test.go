package agent

import (
	"fmt"
	"testing"

	"unknot/internal/observe/decode"
	"unknot/internal/observe/ring"
	"unknot/internal/vocab/mpi"
)

// textWords is a string as records hold it.
func textWords(s string) []uint64 {
	v := append([]uint64{uint64(len(s))}, make([]uint64, (len(s)+7)/8)...)
	for i := range len(s) {
		v[1+i/8] |= uint64(s[i]) << (8 * (i % 8))
	}
	return v
}

func TestWhatARankSaysOfItselfAndItsCallsIsKept(t *testing.T) {
	a, _ := watched(t, 1, 1<<10, (*script).exchange)
	r := a.order[0]
	if len(r.threads) == 0 {
		t.Fatal("no thread")
	}
	th := r.threads[0]
	a.data(th, ring.DataLimits, 0, []uint64{1 << 20, 0, 3, 1})
	a.data(th, ring.DataNull, 0, []uint64{7, 2})
	a.data(th, ring.DataError, 0, append([]uint64{7, 13}, textWords("MPI_ERR_ARG: invalid argument")...))
	if want := (decode.Limits{TagUB: 1 << 20, Required: 0, Provided: 3, Predefined: true}); r.limits != want {
		t.Errorf("limits %+v, want %+v", r.limits, want)
	}
	if fmt.Sprint(th.nulls) != "[{7 2}]" || th.failure == nil ||
		*th.failure != (decode.Error{Func: 7, Class: 13, Text: "MPI_ERR_ARG: invalid argument"}) {
		t.Errorf("null pointers %v, failure %+v", th.nulls, th.failure)
	}
	// They are of one call only.
	f := a.table.ByName("MPI_Comm_rank")
	a.record(&source{thread: th}, &ring.Record{Func: f.ID, Kind: ring.Enter, Words: []uint64{tapeWorld}})
	if len(th.nulls) != 0 || th.failure != nil {
		t.Errorf("after the next call: null pointers %v, failure %+v", th.nulls, th.failure)
	}
}

func TestAStatusTellsWhetherTheProgramWantedIt(t *testing.T) {
	for _, c := range []struct {
		tag  uint64
		want status
	}{
		{5, status{source: 1, tag: 5, bytes: 4}},
		{5 | mpi.StatusIgnored, status{source: 1, tag: 5, bytes: 4, ignored: true}},
		{0xffffffff, status{source: 1, tag: -1, bytes: 4}},
		{0xffffffff | mpi.StatusIgnored, status{source: 1, tag: -1, bytes: 4, ignored: true}},
	} {
		if got := newStatus([]uint64{1, c.tag, 4}); got != c.want {
			t.Errorf("tag word %#x gives %+v, want %+v", c.tag, got, c.want)
		}
	}
}
