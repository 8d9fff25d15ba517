package race

import (
	"math/rand/v2"
	"testing"
)

// naive is memory byte by byte.
type naive [512]historyID

func (n *naive) update(start, end uint64, step func(historyID) historyID) {
	for at := start; at < end; at++ {
		n[at] = step(n[at])
	}
}

func TestSegmentsAreWhatBytesAre(t *testing.T) {
	rounds := 1_000_000
	if testing.Short() {
		rounds = 50_000
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	var want naive
	s, segments := &space{}, 0
	for i := range rounds {
		start := r.Uint64N(uint64(len(want)))
		end := min(start+1+r.Uint64N(1+r.Uint64N(64)), uint64(len(want)))
		n := historyID(r.IntN(4))
		step := func(h historyID) historyID {
			if n == 3 {
				return (h + 1) % 5
			}
			return n + 1
		}
		want.update(start, end, step)
		segments += s.update(start, end, func(h historyID, _, _ uint64) historyID { return step(h) })
		if i%1000 == 0 {
			segments = s.rebuild(func(x segment) historyID { return x.history })
		}
		if i%64 == 0 {
			compare(t, s, &want, segments)
		}
	}
}

// compare holds the segments to the bytes, and to what is promised of them.
func compare(t *testing.T, s *space, want *naive, segments int) {
	t.Helper()
	var got naive
	n, last := 0, uint64(0)
	for _, c := range chunksOf(t, s) {
		for _, x := range c {
			if x.start < last || x.length == 0 {
				t.Fatalf("segment %+v after %d", x, last)
			}
			for at := x.start; at < x.end(); at++ {
				got[at] = x.history
			}
			last = x.end()
			n++
		}
	}
	if got != *want || n != segments {
		t.Fatalf("%d segments, counted %d\n%v\nwant\n%v", n, segments, got, *want)
	}
}

// chunksOf are all chunks, which are held to what is promised of them and their groups.
func chunksOf(t *testing.T, s *space) (all [][]segment) {
	t.Helper()
	for k, g := range s.groups {
		if len(g.chunks) == 0 || len(g.chunks) != len(g.starts) || len(g.chunks) > mostOfGroup ||
			s.starts[k] != g.starts[0] {
			t.Fatalf("group %d of %d chunks begins at %d", k, len(g.chunks), s.starts[k])
		}
		for i, c := range g.chunks {
			if len(c) == 0 || g.starts[i] != c[0].start || len(c) > mostOfChunk {
				t.Fatalf("chunk %d of %d segments begins at %d", i, len(c), g.starts[i])
			}
		}
		all = append(all, g.chunks...)
	}
	return all
}

// TestManySegmentsStayInOrder goes beyond one group of chunks, in several orders.
func TestManySegmentsStayInOrder(t *testing.T) {
	const many = 100_000
	for name, at := range map[string]func(i int) uint64{
		"forward": func(i int) uint64 { return uint64(i) * 16 }, "backward": func(i int) uint64 {
			return uint64(many-i) * 16
		},
		"shuffled": func(i int) uint64 { return uint64(i*7919%many) * 16 },
	} {
		s, segments := &space{}, 0
		for i := range many {
			segments += s.update(at(i), at(i)+8, func(historyID, uint64, uint64) historyID {
				return historyID(i%3 + 1)
			})
		}
		n, last := 0, uint64(0)
		for _, c := range chunksOf(t, s) {
			for _, x := range c {
				if n > 0 && x.start <= last {
					t.Fatalf("%s: %+v after %d", name, x, last)
				}
				last = x.start
				n++
			}
		}
		if n != many || segments != many {
			t.Errorf("%s: %d segments, counted %d", name, n, segments)
		}
	}
}
