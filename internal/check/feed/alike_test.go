package feed_test

import (
	"slices"
	"testing"

	"unknot/internal/check"
	"unknot/internal/check/feed"
	"unknot/internal/check/registry"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// counting feeds a Watch with one checker of arguments, which counts how often it looks at a call.
func counting(t *testing.T) (f *feed.Feeder, looks *int) {
	t.Helper()
	f, looks = feed.New(t, nil), new(int)
	f.Watch = check.New(f.Table, f.Follow, map[finding.Code]bool{"count-negative": true}, []check.Checker{{
		Codes: []finding.Doc{{Code: "count-negative"}},
		Watch: func(h *check.Hooks) {
			h.Given(func(*mpi.Func) func(*check.Call) { return func(*check.Call) { *looks++ } })
		},
	}})
	return f, looks
}

// What a call is given is looked at once, whatever its addresses, until something changes that is known of objects.
func TestArgumentsAreLookedAtOnceUntilObjectsChange(t *testing.T) {
	f, looks := counting(t)
	send := func(buf, count, dest int) { f.Call("MPI_Send", []any{buf, count, 9, dest, 0, 1}) }
	const low = 32767 // the least that MPI_TAG_UB may be (MPI-4.0, 9.1.2)
	for _, s := range []struct {
		what string
		do   func()
		want int
	}{
		{"the first call", func() { send(0x1000, 1, 2) }, 1},
		{"the same again", func() { send(0x1000, 1, 2) }, 0},
		{"another buffer", func() { send(0x2000, 1, 2) }, 0},
		{"no buffer", func() { send(0, 1, 2) }, 1},
		{"MPI_IN_PLACE", func() { send(1, 1, 2) }, 1},
		{"another count", func() { send(0x1000, 2, 2) }, 1},
		{"another rank", func() { send(0x1000, 1, 3) }, 1},
		{"count and rank exchanged", func() { send(0x1000, 2, 1) }, 1},
		{"the first again", func() { send(0x1000, 1, 2) }, 0},
		{"another tag", func() { f.Call("MPI_Send", []any{0x1000, 1, 9, 2, low, 1}) }, 0},
		{"a high tag", func() { f.Call("MPI_Send", []any{0x1000, 1, 9, 2, low + 1, 1}) }, 1},
		{"a negative tag", func() { f.Call("MPI_Send", []any{0x1000, 1, 9, 2, -1, 1}) }, 1},
		{"the same after a barrier", func() { f.Call("MPI_Barrier", []any{1}); *looks = 0; send(0x1000, 1, 2) }, 0},
		{"the same after another datatype was made", func() {
			f.Call("MPI_Type_contiguous", []any{3, 9}, 77, 12)
			*looks = 0
			send(0x1000, 1, 2)
		}, 0},
		{"the same with a new communicator", func() {
			f.Rank.AddComm(&objects.Comm{Handle: 2}, false)
			send(0x1000, 1, 2)
		}, 1},
		{"an array", func() {
			f.Call("MPI_Waitall", []any{1, []int64{5}})
			*looks = 0
			f.Call("MPI_Waitall", []any{1, []int64{5}})
		}, 1},
	} {
		*looks = 0
		s.do()
		if *looks != s.want {
			t.Errorf("%s: looked at %d times, want %d", s.what, *looks, s.want)
		}
	}
}

// A datatype that is made, committed and freed around each message has the handle of the one before, as a rule. What is
// looked at once are calls with one of which all the same is known.
func TestADatatypeIsKnownByWhatItIs(t *testing.T) {
	f, looks := counting(t)
	f.Rank.Models = make(objects.Models)
	f.Rank.Basic(9, 4, 4, 4)
	vector := func(stride int) { f.Call("MPI_Type_vector", []any{2, 1, stride, 9}, 77, 8) }
	commit := func() { f.Call("MPI_Type_commit", []any{77}) }
	send := func() { f.Call("MPI_Send", []any{0x1000, 1, 77, 2, 0, 1}) }
	free := func() { f.Call("MPI_Type_free", []any{77}) }
	around := func(stride int) { vector(stride); commit(); send(); free() }
	for _, s := range []struct {
		what string
		do   func()
		want int
	}{
		{"the first", func() { around(3) }, 4},
		{"the same again", func() { around(3) }, 0},
		{"another stride", func() { around(4) }, 4},
		{"the first again", func() { around(3) }, 0},
		{"no commit", func() { vector(3); send(); free() }, 2},
		{"after it was freed", send, 1},
		{"once more after it was freed", send, 1},
		{"not freed, and committed twice", func() { vector(3); commit(); commit(); send() }, 1},
		{"another one of the same handle", func() { vector(4); commit(); send() }, 0},
		{"with an attribute", func() { f.Call("MPI_Type_set_attr", []any{77, 5, 0x3000}); *looks = 0; send() }, 1},
		{"freed with an attribute, so that the program's own function may have been called", func() {
			free()
			*looks = 0
			around(3)
		}, 4},
		{"a copy", func() { vector(3); f.Call("MPI_Type_dup", []any{77}, 78, 8); *looks = 0; free() }, 1},
	} {
		*looks = 0
		s.do()
		if *looks != s.want {
			t.Errorf("%s: looked at %d times, want %d", s.what, *looks, s.want)
		}
	}
}

// So are operators, that programs make around each reduction.
func TestAnOperatorIsKnownByWhatItIs(t *testing.T) {
	f, looks := counting(t)
	create := func() { f.Call("MPI_Op_create", []any{0}, 55) }
	reduce := func() { f.Call("MPI_Allreduce", []any{0x1000, 0x2000, 1, 9, 55, 1}) }
	free := func() { f.Call("MPI_Op_free", []any{55}) }
	for _, s := range []struct {
		what string
		do   func()
		want int
	}{
		{"the first", func() { create(); reduce(); free() }, 3},
		{"the same again", func() { create(); reduce(); free() }, 0},
		{"after it was freed", reduce, 1},
		{"once more after it was freed", reduce, 1},
		{"made again", func() { create(); reduce() }, 0},
	} {
		*looks = 0
		s.do()
		if *looks != s.want {
			t.Errorf("%s: looked at %d times, want %d", s.what, *looks, s.want)
		}
	}
}

// A call with which something is wrong is looked at each time, so that it is counted.
func TestWrongCallsAreCounted(t *testing.T) {
	f := feed.New(t, registry.Checkers(), check.Handles, check.Leaks, check.Requests)
	for range 3 {
		f.Enter(f.Made("MPI_Send", 4, 0x1000, ^uint64(0), 9, 2, 0, 1))
	}
	i := slices.IndexFunc(f.Watch.Reports, func(r *check.Report) bool { return r.Code == "count-negative" })
	if i < 0 || f.Watch.Reports[i].Count != 3 {
		t.Errorf("reports %v, want one of %s that counts 3", f.Watch.Reports, "count-negative")
	}
}

// The buffers of a call that is made again are compared again if other operations have become pending.
func TestRepeatedCallsAreComparedWithWhatIsPendingNow(t *testing.T) {
	f := feed.New(t, registry.Checkers(), check.Handles, check.Leaks, check.Requests)
	f.Rank.Basic(9, 4, 4, 4)
	exchange := func() string {
		return f.Call("MPI_Sendrecv", []any{0x1000, 1, 9, 1, 0, 0x2000, 1, 9, 1, 0, 1}, 1, 0, 4)
	}
	for range 2 {
		if said := exchange(); said != "" {
			t.Fatalf("told %q of a call with which nothing is wrong", said)
		}
	}
	recv := f.Made("MPI_Irecv", 7, 0x2000, 1, 9, 1, 0, 1)
	f.Enter(recv)
	f.Watch.Hold(recv, &objects.Request{})
	if said := exchange(); said == "" {
		t.Error("nothing is told of a call that receives into memory which a pending operation receives into")
	}
}
