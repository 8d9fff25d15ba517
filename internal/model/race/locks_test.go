package race

import "testing"

// TestCriticalSectionsThatHandOver has a thread write data, hand it over in a critical section, and another one read it
// after a later section of that lock.
func TestCriticalSectionsThatHandOver(t *testing.T) {
	const data, flag = 100, 200
	const k Lock = 1
	at := func(start uint64, kind Kind) Access {
		return Access{Start: start, Size: 8, Count: 1, Kind: kind, Site: Site(start)}
	}
	section := func(d *Detector, by Thread, inside func()) {
		d.Lock(by, k)
		inside()
		d.Unlock(by, k)
	}
	nothing := func() {}
	for _, c := range []struct {
		name string
		run  func(d *Detector)
		want []Standing
	}{
		{"nothing is accessed in them", func(d *Detector) {
			section(d, 0, nothing)
			section(d, 1, nothing)
		}, []Standing{Predicted}},
		{"a flag is", func(d *Detector) {
			section(d, 0, func() { d.Access(0, at(flag, Write)) })
			section(d, 1, func() { d.Access(1, at(flag, Read)) })
		}, nil},
		{"a flag is, and the first thread has had the lock many times since", func(d *Detector) {
			section(d, 0, func() { d.Access(0, at(flag, Write)) })
			for range 3 * mostSections {
				section(d, 0, nothing)
			}
			section(d, 1, func() { d.Access(1, at(flag, Read)) })
		}, nil},
		{"not all is seen of the first", func(d *Detector) {
			section(d, 0, func() { d.Unseen(0, k) })
			section(d, 1, nothing)
		}, nil},
		{"not all is seen of the second", func(d *Detector) {
			section(d, 0, nothing)
			section(d, 1, func() { d.Unseen(1, k) })
		}, nil},
		{"not all is seen of one of another lock", func(d *Detector) {
			d.Lock(0, k+1)
			d.Unseen(0, k+1)
			d.Unlock(0, k+1)
			section(d, 0, nothing)
			section(d, 1, nothing)
		}, []Standing{Predicted}},
	} {
		d := New(Options{Threads: 2})
		d.Access(0, at(data, Write))
		c.run(d)
		d.Access(1, at(data, Read))
		var got []Standing
		for _, r := range d.Races() {
			got = append(got, r.Standing)
		}
		if len(got) != len(c.want) || len(got) > 0 && got[0] != c.want[0] {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
