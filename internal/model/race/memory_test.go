package race

import (
	"math/rand/v2"
	"testing"
)

// What there is no room for is forgotten and counted: what is remembered stays within the bound, and what is reported
// of it is still true.
func TestMemoryIsBounded(t *testing.T) {
	const bound, threads, reach = 256 << 10, 4, 1 << 20
	d := New(Options{Threads: threads, Memory: bound})
	rnd := rand.New(rand.NewPCG(1, 1))
	most := uint64(0)
	for range 200_000 {
		thread := Thread(rnd.IntN(threads))
		at := uint64(rnd.IntN(reach))*threads + uint64(thread) // a byte of this thread alone
		d.Access(thread, Access{Start: at, Size: 1, Kind: Write, Site: Site(1 + rnd.IntN(100))})
		most = max(most, d.bytes())
	}
	if most > bound+bound/4 {
		t.Errorf("%d bytes are taken, the bound is %d", most, bound)
	}
	if d.Dropped() == 0 {
		t.Error("nothing was dropped")
	}
	if races := d.Races(); len(races) > 0 {
		t.Errorf("races among bytes that only one thread writes: %+v", races[0])
	}
	d.Access(0, Access{Owner: 1, Start: 5, Size: 1, Kind: Write, Site: 101})
	d.Access(1, Access{Owner: 1, Start: 5, Size: 1, Kind: Write, Site: 102})
	if races := d.Races(); len(races) != 1 || races[0].First.Site != 101 || races[0].Second.Site != 102 {
		t.Errorf("the race of two accesses in a row: %+v", races)
	}
}

// Races of the same two sites are one, with the first place of all and a count.
func TestRacesOfTheSameSitesAreOne(t *testing.T) {
	d := New(Options{Threads: 2})
	for i := range uint64(1000) {
		at := (i*7 + 3) % 1000 * 8
		d.Access(0, Access{Start: at, Size: 4, Kind: Write, Site: 1})
		d.Access(1, Access{Start: at, Size: 4, Kind: Read, Site: 2})
	}
	races := d.Races()
	if len(races) != 1 || races[0].Count != 1000 || races[0].Start != 0 || races[0].End != 4 {
		t.Errorf("got %+v, want one race of bytes 0 to 4 that was seen 1,000 times", races)
	}
}
