package ring

import (
	"strings"
	"sync/atomic"
	"testing"
)

// putFold writes a record that begins or ends the counting.
func putFold(r *Ring, kind Kind, words ...uint64) {
	head := r.header.Head
	put(r, 0, kind, 1, 0)
	copy(r.words[(head&r.mask)*WordsNext+2:], words)
}

// folding is a ring whose producer counts after a period of two records, whose stamps are 1 and 2.
func folding(t *testing.T, counted uint64) *Ring {
	t.Helper()
	r := newRing(t, 512)
	put(r, 7, Enter, 1, 1)
	put(r, 7, Exit, 1, 2)
	putFold(r, Fold, 2, 2, 0)
	atomic.StoreUint64(&r.header.Folded, counted)
	return r
}

func TestCountedRecordsAreRestoredWithTheirStamps(t *testing.T) {
	r := folding(t, 3)
	recs, err := r.Read(nil, 0)
	if err != nil || len(recs) != 5 {
		t.Fatalf("%v, %v", recs, err)
	}
	for i, rec := range recs {
		if rec.Stamp != uint32(i+1) || rec.Kind != Kind(1+i%2) || rec.Words[0] != uint64(1+i%2) {
			t.Errorf("record %d is %+v", i, rec)
		}
	}
	// Two more, which are known only when the counting ends, before what comes next.
	putFold(r, Unfold, 5)
	put(r, 8, Enter, 1, 8)
	if recs, err = r.Read(nil, 0); err != nil || len(recs) != 3 || recs[1].Stamp != 7 || recs[2].Func != 8 {
		t.Errorf("%v, %v", recs, err)
	}
	r.Commit()
	if r.header.Unfolded != 5 || r.header.Tail != 5 {
		t.Errorf("%d restored, tail %d, want 5 and 5", r.header.Unfolded, r.header.Tail)
	}
}

// A producer that waits for the reader, as it is too far ahead with counting, is woken.
func TestAProducerThatCountsIsWoken(t *testing.T) {
	r := folding(t, FoldAhead)
	r.header.Waiting = 1
	for range 3 {
		if _, err := r.Read(nil, FoldAhead/2); err != nil {
			t.Fatal(err)
		}
		r.Commit()
	}
	if r.header.Waiting != 0 || r.Pending() != 0 {
		t.Errorf("waiting %d, %d slots pending", r.header.Waiting, r.Pending())
	}
}

func TestRecordsAreSkippedOnlyIfTheyMustBeAlike(t *testing.T) {
	r := folding(t, 40)
	seen := 0
	any := func(*Record) bool { seen++; return true }
	if n := r.SkimRepeated(4, 100); n != 0 {
		t.Errorf("%d before any was looked at", n)
	}
	if n, other := r.Skim(any, 2+5); n != 7 || other {
		t.Fatalf("%d, %v", n, other)
	}
	if n := r.SkimRepeated(4, 100); n != 0 {
		t.Errorf("%d after 5 of 6 of both periods", n)
	}
	r.Skim(any, 1)
	if n := r.SkimRepeated(4, 11); n != 11 || seen != 8 {
		t.Errorf("%d of 11, %d looked at", n, seen)
	}
	// Where they go on is right.
	recs, err := r.Read(nil, 1)
	if err != nil || len(recs) != 1 || recs[0].Stamp != 20 || recs[0].Kind != Exit {
		t.Errorf("%+v, %v, want the record with stamp 20", recs, err)
	}
	if n := r.SkimRepeated(4, 100); n != 0 {
		t.Errorf("%d after one that nobody has compared", n)
	}
}

func TestWhatNoProducerCountsIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Ring)
		want   string
	}{
		"more than may be counted": {func(r *Ring) { r.header.Folded = FoldAhead + 1 },
			"65537 records are counted and not read, expected at most 65536"},
		"no period": {func(r *Ring) { r.words[2*WordsNext+2] = 0 }, "says that 0 slots are repeated"},
		"a period of half records": {func(r *Ring) {
			r.words[0] += 1 << 24
			r.words[WordsNext] = 0
			r.words[2*WordsNext+2] = 1
		}, "before slot 2 there is no whole number"},
		"a count of another time": {func(r *Ring) { r.words[2*WordsNext+4] = 9 }, "after 9 records, expected"},
		"an end without counting": {func(r *Ring) { putFold(r, Unfold, 0); putFold(r, Unfold, 4) },
			"4 records were not written by slot 4, where 0 are known"},
	} {
		t.Run(name, func(t *testing.T) {
			r := folding(t, 0)
			c.change(r)
			_, err := r.Read(nil, 0)
			for i := 0; i < 3 && err == nil; i++ {
				_, err = r.Read(nil, 0)
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
			if _, other := r.Skim(func(*Record) bool { return true }, 10); !other {
				t.Error("skimmed")
			}
		})
	}
}
