package race

import "testing"

// TestLateAccesses has accesses that are reported after others have learned of the time at which they can have been
// made.
func TestLateAccesses(t *testing.T) {
	const memory = 100
	word := func(site Site, k Kind) Access { return Access{Start: memory, Size: 8, Count: 1, Kind: k, Site: site} }
	peek := Key{Kind: 1}
	for _, c := range []struct {
		name string
		run  func(d *Detector, since uint32)
		want []Standing
	}{
		{"nobody has learned anything", func(d *Detector, since uint32) {
			d.Access(1, word(2, Write))
			d.AccessSince(0, since, false, word(1, Read))
		}, []Standing{Manifest}},
		{"told before the other one", func(d *Detector, since uint32) {
			d.AccessSince(0, since, false, word(1, Write))
			d.Access(1, word(2, Read))
		}, []Standing{Manifest}},
		{"the other one had looked before it wrote", func(d *Detector, since uint32) {
			d.Release(0, peek)
			d.Suspect(1, peek)
			d.Access(1, word(2, Write))
			d.AccessSince(0, since, false, word(1, Read))
		}, []Standing{Predicted}},
		{"the same, and what it has seen was shown", func(d *Detector, since uint32) {
			d.Release(0, peek)
			d.Suspect(1, peek)
			d.Access(1, word(2, Write))
			d.AccessSince(0, since, true, word(1, Read))
		}, nil},
		{"the access was told before the other one looked, and what it has seen was shown",
			func(d *Detector, since uint32) {
				d.AccessSince(0, since, true, word(1, Read))
				d.Release(0, peek)
				d.Suspect(1, peek)
				d.Access(1, word(2, Write))
			}, nil},
		{"it had written before it looked", func(d *Detector, since uint32) {
			d.Access(1, word(2, Write))
			d.Release(0, peek)
			d.Suspect(1, peek)
			d.AccessSince(0, since, false, word(1, Read))
		}, []Standing{Manifest}},
		{"it had looked before the access was told, and writes afterwards", func(d *Detector, since uint32) {
			d.Release(0, peek)
			d.Suspect(1, peek)
			d.AccessSince(0, since, false, word(1, Read))
			d.Access(1, word(2, Write))
		}, []Standing{Predicted}},
		{"a third one has heard of it from the one that had looked", func(d *Detector, since uint32) {
			d.Release(0, peek)
			d.Suspect(1, peek)
			d.Release(1, Key{Kind: 2})
			d.Acquire(2, Key{Kind: 2})
			d.Access(2, word(2, Write))
			d.AccessSince(0, since, false, word(1, Read))
		}, []Standing{Predicted}},
		{"a third one has not", func(d *Detector, since uint32) {
			d.Release(0, peek)
			d.Suspect(1, peek)
			d.Access(2, word(2, Write))
			d.Release(1, Key{Kind: 2})
			d.Acquire(2, Key{Kind: 2})
			d.AccessSince(0, since, false, word(1, Read))
		}, []Standing{Manifest}},
		{"a look before the time since which it can have been made", func(d *Detector, _ uint32) {
			d.Release(0, peek)
			d.Suspect(1, peek)
			d.Access(1, word(2, Write))
			d.AccessSince(0, d.Now(0), false, word(1, Read))
		}, []Standing{Manifest}},
		{"of a load and a store the first stands for both", func(d *Detector, since uint32) {
			d.Access(1, word(2, Write))
			d.AccessSince(0, since, false, word(1, Read))
			d.AccessSince(0, since, false, word(3, Write))
		}, []Standing{Manifest}},
		{"in either order", func(d *Detector, since uint32) {
			d.AccessSince(0, since, false, word(1, Read))
			d.AccessSince(0, since, false, word(3, Write))
			d.Access(1, word(2, Write))
		}, []Standing{Manifest}},
		{"but not if only the second conflicts", func(d *Detector, since uint32) {
			d.AccessSince(0, since, false, word(1, Read))
			d.AccessSince(0, since, false, word(3, Write))
			d.Access(1, word(2, Read))
		}, []Standing{Manifest}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := New(Options{Threads: 3, Late: true})
			c.run(d, d.Now(0))
			var got []Standing
			for _, r := range d.Races() {
				got = append(got, r.Standing)
			}
			if len(got) != len(c.want) || len(got) > 0 && got[0] != c.want[0] {
				t.Errorf("races %v, want %v", d.Races(), c.want)
			}
		})
	}
}

// TestWhatALineKnewLongAgoIsTakenForMore has a thread learn so often that it is forgotten when it has learned what.
func TestWhatALineKnewLongAgoIsTakenForMore(t *testing.T) {
	for _, c := range []struct {
		times int
		want  Standing
	}{{mostPast - 2, Manifest}, {4 * mostPast, Predicted}} {
		d := New(Options{Threads: 2, Late: true})
		since := d.Now(0)
		d.Access(1, Access{Start: 0, Size: 8, Kind: Write, Site: 2})
		for range c.times {
			d.Release(0, Key{Kind: 1})
			d.Suspect(1, Key{Kind: 1})
			d.Access(1, Access{Start: 64, Size: 8, Kind: Write, Site: 3})
		}
		d.AccessSince(0, since, false, Access{Start: 0, Size: 8, Kind: Read, Site: 1})
		if races := d.Races(); len(races) != 1 || races[0].Standing != c.want {
			t.Errorf("%d times: %v, want %v", c.times, races, c.want)
		}
	}
}
