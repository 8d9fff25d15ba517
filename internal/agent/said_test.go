package agent

import (
	"testing"

	"unknot/internal/observe/decode"
	"unknot/internal/observe/ring"
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
	f := a.table.ByName("MPI_Comm_rank")
	a.say(th, ring.DataLimits, []uint64{1 << 20, 0, 3, 1})
	a.say(th, ring.DataNull, []uint64{uint64(f.ID), 0})
	a.say(th, ring.DataError, append([]uint64{7, 13}, textWords("MPI_ERR_ARG: invalid argument")...))
	if want := (decode.Limits{TagUB: 1 << 20, Required: 0, Provided: 3, Predefined: true}); r.Limits != want {
		t.Errorf("limits %+v, want %+v", r.Limits, want)
	}
	if th.Failure == nil || *th.Failure != (decode.Error{Func: 7, Class: 13, Text: "MPI_ERR_ARG: invalid argument"}) {
		t.Errorf("failure %+v", th.Failure)
	}
	// They are of one call only.
	a.record(&source{thread: th}, &ring.Record{Func: f.ID, Kind: ring.Enter, Words: []uint64{tapeWorld}})
	if len(th.checked.Call.Nulls) != 1 || th.Failure != nil {
		t.Errorf("the next call: null pointers %v, failure %+v", th.checked.Call.Nulls, th.Failure)
	}
	a.record(&source{thread: th}, &ring.Record{Func: f.ID, Kind: ring.Enter, Words: []uint64{tapeWorld}})
	if len(th.checked.Call.Nulls) != 0 {
		t.Errorf("the call after that: null pointers %v", th.checked.Call.Nulls)
	}
}
