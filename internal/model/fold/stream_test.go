package fold

import (
	"math/rand/v2"
	"slices"
	"testing"

	"unknot/internal/observe/ring"
)

// written makes the records of random loops, one within the other, with a call here and there that differs.
func written(rng *rand.Rand, records int) (all []ring.Record) {
	var loop func(depth int)
	loop = func(depth int) {
		body := 1 + rng.IntN(6)
		seeds := make([]uint64, body)
		for i := range seeds {
			seeds[i] = rng.Uint64N(8)
		}
		for range 1 + rng.IntN(300) {
			for _, seed := range seeds {
				if len(all) == records {
					return
				}
				if depth < 2 && seed == 7 {
					loop(depth + 1)
					continue
				}
				r := ring.Record{Func: uint16(seed), Kind: ring.Enter, Site: seed, Words: []uint64{seed, seed * seed,
					0}, Stamp: uint32(len(all)) + 4294967000}
				if seed%3 == 1 {
					r.Kind = ring.Exit
				}
				if rng.IntN(1500) == 0 {
					r.Words[1]++
				}
				all = append(all, r)
			}
		}
	}
	for len(all) < records {
		loop(0)
	}
	return all
}

// TestWhatIsHandedOnAndLeftOutIsWhatWasWritten reads random loops as an agent does, and leaves out periods now and
// then.
func TestWhatIsHandedOnAndLeftOutIsWhatWasWritten(t *testing.T) {
	leftOut := 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		all := written(rng, 4000)
		s := Stream{Least: 1 + rng.Uint64N(20)}
		at := 0 // of the record that is handed on or left out next
		hand := func(r *ring.Record) {
			w := &all[at]
			if r.Func != w.Func || r.Kind != w.Kind || r.Site != w.Site || r.Stamp != w.Stamp ||
				!slices.Equal(r.Words, w.Words) {
				t.Fatalf("seed %d: record %d handed on as %+v, was %+v", seed, at, *r, *w)
			}
			at++
		}
		for i := 0; i < len(all); {
			r := all[i]
			r.Words = slices.Clone(r.Words) // which the ring overwrites later
			if s.Phase() == Repeating {
				if s.Match(&r) {
					i++
				} else {
					s.Leave()
				}
				if n := s.Ahead() / max(1, s.Period()); n > 0 && s.Phase() == Repeating && rng.IntN(4) == 0 {
					s.Skip(n)
					at += n * s.Period()
					leftOut += n * s.Period()
				}
				for range rng.IntN(3) {
					if s.Ahead() > 0 {
						hand(s.Next())
					}
				}
				continue
			}
			for s.Ahead() > 0 {
				hand(s.Next())
			}
			phase, first := s.Take(&r)
			if first != (s.Period() == 1 && (phase == Learning || phase == Learned)) {
				t.Fatalf("seed %d: record %d: first %v in phase %d with %d records", seed, i, first, phase, s.Period())
			}
			hand(&r)
			i++
			clear(r.Words)
			if phase == Learned {
				if rng.IntN(20) == 0 {
					s.Refuse()
				} else {
					s.Accept()
				}
			}
		}
		for s.Ahead() > 0 {
			hand(s.Next())
		}
		if at != len(all) {
			t.Fatalf("seed %d: %d of %d records", seed, at, len(all))
		}
	}
	if leftOut < 100_000 {
		t.Errorf("%d of 1,200,000 records were left out", leftOut)
	}
}

// TestALoopInALoopIsFound has ten equal calls and a different one, again and again.
func TestALoopInALoopIsFound(t *testing.T) {
	s := Stream{}
	var stamp uint32
	for i := range 3000 {
		stamp++
		r := ring.Record{Func: 1, Kind: ring.Enter, Stamp: stamp}
		if i%11 == 10 {
			r.Func = 2
		}
		if s.Phase() == Repeating {
			if !s.Match(&r) {
				t.Fatalf("record %d does not repeat", i)
			}
			continue
		}
		if phase, _ := s.Take(&r); phase == Learned {
			s.Accept()
		}
	}
	if s.Period() != 11 || s.Ahead() < 2000 {
		t.Errorf("a period of %d, %d records ahead", s.Period(), s.Ahead())
	}
}

// TestALoopInALoopIsFoundWhateverItsRecordsAre has three calls four times and a different one, again and again, with
// arguments that are others in each run: no two of them hide each other.
func TestALoopInALoopIsFoundWhateverItsRecordsAre(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for run := range 3000 {
		var s Stream
		calls := []uint64{rng.Uint64(), rng.Uint64(), rng.Uint64(), rng.Uint64()}
		for i := 0; i < 600 && s.Phase() != Learned; i++ {
			call := calls[3]
			if i%13 < 12 {
				call = calls[i%13%3]
			}
			s.Take(&ring.Record{Func: 1, Kind: ring.Enter, Words: []uint64{call}, Stamp: uint32(i)})
		}
		if s.Phase() != Learned || s.Period() != 13 {
			t.Fatalf("run %d: no period of 13 is found in 600 records of calls %x", run, calls)
		}
	}
}

// TestTurnsOfTwoAndThreeAreFound has calls that take turns of one, of two and of three in one loop: none of them comes
// again after as many as all do together.
func TestTurnsOfTwoAndThreeAreFound(t *testing.T) {
	for _, turns := range [][]int{{1, 2, 3}, {3, 1, 2}, {2, 2, 3, 1}, {4, 6}, {5, 1, 1, 7}} {
		var s Stream
		period := len(turns)
		for !even(period/len(turns), turns) {
			period += len(turns)
		}
		for i := 0; i < 4000 && s.Phase() != Learned; i++ {
			n := turns[i%len(turns)]
			s.Take(&ring.Record{Func: uint16(i % len(turns)), Kind: ring.Enter, Site: uint64(i / len(turns) % n),
				Stamp: uint32(i)})
		}
		if s.Phase() != Learned || s.Period() != period {
			t.Errorf("turns of %v: phase %d, a period of %d, want %d", turns, s.Phase(), s.Period(), period)
		}
	}
}

// even says whether all turns are through after so many rounds.
func even(rounds int, turns []int) bool {
	for _, n := range turns {
		if rounds%n != 0 {
			return false
		}
	}
	return true
}

// TestSpinsAreLeftOut has a thread try again and again what it cannot have yet, now shorter, now longer, with other
// calls between.
func TestSpinsAreLeftOut(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	var s Stream
	var stamp uint32
	all, leftOut := 0, 0
	write := func(call uint64) {
		r := ring.Record{Func: 1, Kind: ring.Enter, Site: call, Stamp: stamp}
		stamp++
		all++
		if s.Phase() == Repeating {
			if s.Match(&r) {
				n := s.Ahead() / s.Period()
				s.Skip(n)
				leftOut += n * s.Period()
				return
			}
			s.Leave()
		}
		for s.Ahead() > 0 {
			s.Next()
		}
		if phase, _ := s.Take(&r); phase == Learned {
			s.Accept()
		}
	}
	for range 1000 {
		for range 200 + rng.IntN(400) {
			write(1)
			write(2)
		}
		for call := range uint64(6) {
			write(3 + call)
		}
	}
	if leftOut < all/2 {
		t.Errorf("%d of %d records were left out", leftOut, all)
	}
}

// TestWhatDiffersInOneWordIsNoRepetition changes each part of a record in turn.
func TestWhatDiffersInOneWordIsNoRepetition(t *testing.T) {
	base := ring.Record{Func: 1, Kind: ring.Enter, Site: 2, Words: []uint64{3, 4, 0, 0, 0, 0}}
	for name, spoil := range map[string]func(*ring.Record){
		"function": func(r *ring.Record) { r.Func++ }, "kind": func(r *ring.Record) { r.Kind = ring.Exit },
		"site": func(r *ring.Record) { r.Site++ },
		"word": func(r *ring.Record) { r.Words[1]++ }, "length": func(r *ring.Record) { r.Words = r.Words[:2] },
		"stamp": func(r *ring.Record) { r.Stamp += 2 },
	} {
		var s Stream
		next := func() ring.Record {
			r := base
			base.Stamp++
			r.Words = slices.Clone(base.Words)
			return r
		}
		for s.Phase() != Repeating {
			r := next()
			if phase, _ := s.Take(&r); phase == Learned {
				s.Accept()
			}
		}
		same := next()
		if !s.Match(&same) {
			t.Fatal("an equal record is taken for another one")
		}
		other := next()
		spoil(&other)
		if s.Match(&other) {
			t.Errorf("another %s is not seen", name)
		}
	}
}

// TestTheMemoryOfAStreamIsAsLongAsItsPeriodNeeds has loops of different lengths, and calls that never repeat.
func TestTheMemoryOfAStreamIsAsLongAsItsPeriodNeeds(t *testing.T) {
	for _, c := range []struct{ calls, memory int }{{1, 8}, {7, 8}, {32, 32}, {33, 64}, {500, 512}, {1024, 1024},
		{3000, 0}, {1 << 20, 0}} {
		var s Stream
		most := 0
		for i := range 11_000 { // of which those that never repeat are watched for the first 3,840
			r := ring.Record{Func: 1, Kind: ring.Enter, Site: uint64(i % c.calls), Stamp: uint32(i)}
			if phase, _ := s.Take(&r); phase == Learned {
				break
			}
			most = max(most, len(s.past.seen))
		}
		if c.memory == 0 { // it does not pay, and nothing is kept
			if s.Phase() != Watching || most != longest || s.past.seen != nil {
				t.Errorf("%d calls: phase %d, a memory of up to %d and of %d in the end", c.calls, s.Phase(), most,
					len(s.past.seen))
			}
		} else if s.Phase() != Learned || s.Period() != c.calls || most != c.memory {
			t.Errorf("%d calls: phase %d, a period of %d, a memory of %d, want %d", c.calls, s.Phase(), s.Period(),
				most, c.memory)
		}
	}
}
