package agent

import "testing"

func TestHandlesNameWhatTheyNamedThen(t *testing.T) {
	r := newRank()
	world := &comm{handle: 1, name: "world"}
	made := func(handle uint64, name string, since uint32) *comm {
		c := &comm{handle: handle, name: name, parent: world, since: since}
		r.comms[handle], r.lastComm = c, nil
		return c
	}
	free := func(c *comm, stamp uint32) {
		r.freed.add(c, stamp)
		delete(r.comms, c.handle)
		r.lastComm = nil
	}
	r.comms[1] = world
	free(made(2, "first", 10), 20)
	free(made(2, "second", 30), 40)
	made(2, "third", 50)
	made(3, "long ago", 5)
	for _, x := range []struct {
		handle uint64
		stamp  uint32
		want   string
	}{
		{1, 5, "world"}, {2, 15, "first"}, {2, 20, "first"}, {2, 35, "second"}, {2, 55, "third"}, {2, 25, ""}, {2, 5, ""},
		{3, 6, "long ago"}, {3, 1<<31 + 100, "long ago"}, {3, 4, ""}, {4, 6, ""},
	} {
		got := ""
		if c := r.commAt(x.handle, x.stamp); c != nil {
			got = c.name
		}
		if got != x.want {
			t.Errorf("handle %d at %d: %q, want %q", x.handle, x.stamp, got, x.want)
		}
	}
	for i := range uint32(2 * maxFreedComms) {
		free(made(7, "again", 100+2*i), 101+2*i)
	}
	if c := r.commAt(2, 15); c != nil {
		t.Errorf("%q is remembered after %d others", c.name, 2*maxFreedComms)
	}
}
