package usage

import (
	"math/rand/v2"
	"slices"
	"testing"

	"unknot/internal/finding"
	"unknot/internal/mpi"
	"unknot/internal/objects"
)

// counting feeds a Watch with one checker of arguments, which counts how often it looks at a call.
func counting(t *testing.T) (f *feeder, looks *int) {
	t.Helper()
	f, looks = feed(t), new(int)
	f.watch = New(f.table, f.follow, map[finding.Code]bool{countNegative: true}, []Checker{{
		Codes: []finding.Doc{{Code: countNegative}},
		Watch: func(h *Hooks) {
			h.Given(func(*mpi.Func) func(*Call) { return func(*Call) { *looks++ } })
		},
	}})
	return f, looks
}

// What a call is given is looked at once, whatever its addresses, until something changes that is known of objects.
func TestArgumentsAreLookedAtOnceUntilObjectsChange(t *testing.T) {
	f, looks := counting(t)
	send := func(buf, count, dest int) { f.call("MPI_Send", []any{buf, count, 9, dest, 0, 1}) }
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
		{"the same after a barrier", func() { f.call("MPI_Barrier", []any{1}); *looks = 0; send(0x1000, 1, 2) }, 0},
		{"the same after a commit", func() { f.call("MPI_Type_commit", []any{9}); *looks = 0; send(0x1000, 1, 2) }, 1},
		{"the same after a datatype was made", func() {
			f.call("MPI_Type_contiguous", []any{3, 9}, 77, 12)
			*looks = 0
			send(0x1000, 1, 2)
		}, 1},
		{"the same with a new communicator", func() { f.rank.AddComm(&objects.Comm{Handle: 2}, false); send(0x1000, 1, 2) }, 1},
		{"an array", func() {
			f.call("MPI_Waitall", []any{1, []int64{5}})
			*looks = 0
			f.call("MPI_Waitall", []any{1, []int64{5}})
		}, 1},
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
	f := feed(t)
	for range 3 {
		f.enter(f.made("MPI_Send", 4, 0x1000, ^uint64(0), 9, 2, 0, 1))
	}
	i := slices.IndexFunc(f.watch.Reports, func(r *Report) bool { return r.Code == countNegative })
	if i < 0 || f.watch.Reports[i].Count != 3 {
		t.Errorf("reports %v, want one of %s that counts 3", f.watch.Reports, countNegative)
	}
}

// Two words that are exchanged, or moved by the same amount in opposite directions, give another value.
func TestHashesTellSmallNumbersApart(t *testing.T) {
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	h := newHasher(table.ByName("MPI_Sendrecv"), rand.New(rand.NewPCG(1, 2)))
	seen := make(map[uint64][5]uint64)
	r := NewRank(objects.NewRank(0))
	for n := range uint64(8 * 8 * 8 * 8 * 8) {
		v := [5]uint64{n & 7, n >> 3 & 7, n >> 6 & 7, n >> 9 & 7, n >> 12 & 7}
		c := &Call{Call: objects.Call{Words: []uint64{0x1000, v[0], 9, v[1], v[2], 0x2000, v[3], 9, v[4], 0, 1}}, Rank: r}
		alike, same := h.hash(c)
		if other, met := seen[alike]; met || alike == same {
			t.Fatalf("%v and %v have the value %#x, same %#x", v, other, alike, same)
		}
		seen[alike] = v
	}
}

// The buffers of a call that is made again are compared again if other operations have become pending.
func TestRepeatedCallsAreComparedWithWhatIsPendingNow(t *testing.T) {
	f := feed(t)
	f.rank.Basic(9, 4, 4, 4)
	exchange := func() string {
		return f.call("MPI_Sendrecv", []any{0x1000, 1, 9, 1, 0, 0x2000, 1, 9, 1, 0, 1}, 1, 0, 4)
	}
	for range 2 {
		if said := exchange(); said != "" {
			t.Fatalf("told %q of a call with which nothing is wrong", said)
		}
	}
	recv := f.made("MPI_Irecv", 7, 0x2000, 1, 9, 1, 0, 1)
	f.enter(recv)
	f.watch.Hold(recv, &objects.Request{})
	if said := exchange(); said == "" {
		t.Error("nothing is told of a call that receives into memory which a pending operation receives into")
	}
}
