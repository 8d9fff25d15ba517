package objects

import (
	"testing"

	"unknot/internal/vocab/mpi"
)

func TestHandlesNameWhatTheyNamedThen(t *testing.T) {
	r := NewRank(0)
	world := &Comm{Handle: 1, Name: "world"}
	made := func(handle uint64, name string, since uint32) *Comm {
		c := &Comm{Handle: handle, Name: name, Derivation: Derivation{Parent: world, Since: since}}
		r.AddComm(c, false)
		return c
	}
	free := func(c *Comm, stamp uint32) { r.free(mpi.OComm, c.Handle, Made{}, stamp) }
	r.AddComm(world, true)
	free(made(2, "first", 10), 20)
	free(made(2, "second", 30), 40)
	made(2, "third", 50)
	made(3, "long ago", 5)
	for _, x := range []struct {
		handle uint64
		stamp  uint32
		want   string
	}{
		{1, 5, "world"}, {2, 15, "first"}, {2, 20, "first"}, {2, 35, "second"}, {2, 55, "third"},
		{2, 25, ""}, {2, 5, ""},
		{3, 6, "long ago"}, {3, 1<<31 + 100, "long ago"}, {3, 4, ""}, {4, 6, ""},
	} {
		got := ""
		if c := r.CommAt(x.handle, x.stamp); c != nil {
			got = c.Name
		}
		if got != x.want {
			t.Errorf("handle %d at %d: %q, want %q", x.handle, x.stamp, got, x.want)
		}
	}
	for i := range uint32(2 * maxPastComms) {
		free(made(7, "again", 100+2*i), 101+2*i)
	}
	if c := r.CommAt(2, 15); c != nil {
		t.Errorf("%q is remembered after %d others", c.Name, 2*maxPastComms)
	}
}
