package mpi

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// example is what a wrapper would write of one parameter: the words in the record, and those that Walk shows.
func example(t *rapid.T, k Kind) (written, shown []uint64) {
	words := func(n int) []uint64 { return rapid.SliceOfN(rapid.Uint64(), n, n).Draw(t, "words") }
	n := rapid.IntRange(0, 9).Draw(t, "length")
	switch k {
	case KReqs, KHandles, KInts, KWeights, KOutHandles, KOutInts:
		v := words(n)
		return append([]uint64{uint64(n)}, v...), v
	case KOutStatuses, KRanges:
		v := words(3 * n)
		return append([]uint64{uint64(n)}, v...), v
	case KGroup:
		v := append([]uint64{7, uint64(n)}, words(n)...)
		return v, v
	case KStr:
		v := append([]uint64{uint64(n)}, words((n+7)/8)...)
		return v, v
	}
	v := words(k.fixed())
	return v, v
}

func TestWalkShowsWhatWasWritten(t *testing.T) {
	table := load(t)
	rapid.Check(t, func(t *rapid.T) {
		f := &table.Funcs()[rapid.IntRange(0, len(table.Funcs())-1).Draw(t, "function")]
		enter := rapid.Bool().Draw(t, "enter")
		word, place := f.EnterWord, f.EnterAt
		if !enter {
			word, place = f.ExitWord, f.ExitAt
		}
		var record []uint64
		want := map[string][]uint64{}
		arrays := false
		var inOrder []Param
		for _, varying := range []bool{false, true} {
			for _, p := range f.Params {
				if p.Kind != KSkip && p.Kind.AtEntry() == enter && p.Kind.Varying() == varying {
					inOrder = append(inOrder, p)
				}
			}
		}
		for _, p := range inOrder {
			written, shown := example(t, p.Kind)
			record = append(record, written...)
			want[p.Name] = shown
			if p.Role == RNone {
				continue
			}
			defer func() {
				if got, ok := word(p.Role, record); place[p.Role] >= 0 && (!ok || got != int64(written[0])) {
					t.Errorf("%s: the word of %s is %d, want %d", f.Name, p.Name, got, written[0])
				}
			}()
			if (place[p.Role] == floating) != arrays {
				t.Errorf("%s: %s stands at %d", f.Name, p.Name, place[p.Role])
			}
			arrays = arrays || p.Kind.fixed() == 0
		}
		whole := len(record)
		padded := append(slices.Clone(record), make([]uint64, rapid.IntRange(0, 7).Draw(t, "padding"))...)
		seen := 0
		err := f.Walk(padded, enter, func(p *Param, v []uint64) {
			seen++
			if !slices.Equal(v, want[p.Name]) {
				t.Errorf("%s: %s is %d, want %d", f.Name, p.Name, v, want[p.Name])
			}
			if again := f.Values(p.Name, padded, enter); !slices.Equal(again, v) {
				t.Errorf("%s: the values of %s are %d, want %d", f.Name, p.Name, again, v)
			}
		})
		if err != nil || seen != len(want) {
			t.Errorf("%s: %d of %d parameters, %v", f.Name, seen, len(want), err)
		}
		if whole > 0 {
			cut := record[:rapid.IntRange(0, whole-1).Draw(t, "cut")]
			if err := f.Walk(cut, enter, func(*Param, []uint64) {}); err == nil {
				t.Errorf("%s: %d of %d words are no error", f.Name, len(cut), whole)
			}
		}
	})
}

func TestWalkRefusesAbsurdLengths(t *testing.T) {
	f := load(t).ByName("MPI_Waitall")
	for _, n := range []uint64{1 << 25, 1 << 62, 1<<64 - 1} {
		if err := f.Walk([]uint64{1, n, 0}, true, func(*Param, []uint64) {}); err == nil ||
			strings.Contains(err.Error(), "panic") {
			t.Errorf("length %d: %v", n, err)
		}
	}
}

func TestTextIsReadBack(t *testing.T) {
	v := []uint64{10, 0x7761732d6d6f6373, 0x6d65}
	if got := Text(v); got != "scom-sawem" {
		t.Errorf("got %q", got)
	}
	if got := Text([]uint64{1 << 40, 0x41}); len(got) != 8 {
		t.Errorf("a length beyond the words gives %q", got)
	}
}

func TestWordsAreReadWithoutAllocation(t *testing.T) {
	f := load(t).ByName("MPI_Recv")
	words := []uint64{1, 2, 3, ^uint64(0), 5, 6}
	if n := testing.AllocsPerRun(100, func() {
		if peer, ok := f.EnterWord(RPeer, words); !ok || peer != -1 {
			t.Error(peer, ok)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if _, ok := f.EnterWord(RPeer, words[:3]); ok {
		t.Error("a word beyond the record is read")
	}
}

func BenchmarkEnterWord(b *testing.B) {
	f := load(b).ByName("MPI_Recv")
	words := []uint64{1, 2, 3, 4, 5, 6}
	for b.Loop() {
		f.EnterWord(RTag, words)
	}
}
