package objects

import (
	"fmt"
	"testing"

	"unknot/internal/model/waitstate"
)

// buffer is memory that a request uses; it notes what is said of it.
type buffer struct{ released []bool }

func (b *buffer) Release(done bool) { b.released = append(b.released, done) }

// TestRequestsOfOneHandleAreInOrder makes requests to which the library gives one handle: the oldest is completed
// first, and which one an observation is about is not known.
func TestRequestsOfOneHandleAreInOrder(t *testing.T) {
	const handle = 5
	r := NewRank(0)
	part := new(waitstate.Part)
	first, second, third := &Request{Parts: []*waitstate.Part{part}}, new(Request), new(Request)
	is(t, "before", r.Request(handle), nil)
	r.NewRequest(handle, first)
	is(t, "alone: shared", first.Shared, false)
	is(t, "alone: unclear", part.Unclear, false)
	r.NewRequest(handle, second)
	r.NewRequest(handle, third)
	for i, q := range []*Request{first, second, third} {
		is(t, fmt.Sprint(i, ": shared"), q.Shared, true)
		is(t, fmt.Sprint(i, ": in the order in which they were made"), q.Nth, uint64(i+1))
	}
	is(t, "unclear", part.Unclear, true)
	pending := func() (n int) {
		r.Pending(func(*Request) { n++ })
		return n
	}
	for i, q := range []*Request{first, second, third} {
		is(t, "pending", pending(), 3-i)
		is(t, "the oldest", r.Request(handle), q)
		is(t, "the one that ends", r.EndRequest(handle, Made{}), q)
	}
	is(t, "pending in the end", pending(), 0)
	is(t, "ending one more", r.EndRequest(handle, Made{}), nil)
}

// TestAPersistentRequestIsReplaced gives its handle to another request: it must have been freed.
func TestAPersistentRequestIsReplaced(t *testing.T) {
	r, memory := NewRank(0), new(buffer)
	old, q := &Request{Persistent: true, Held: memory}, new(Request)
	r.NewRequest(5, old)
	r.NewRequest(5, q)
	is(t, "shared", q.Shared, false)
	is(t, "the handle stands for", r.Request(5), q)
	is(t, "memory of the old one", fmt.Sprint(memory.released), "[true]")
}

// TestMemoryIsReleasedWhenItsRequestEnds completes requests, alone and with others of the same handle.
func TestMemoryIsReleasedWhenItsRequestEnds(t *testing.T) {
	memory := [3]buffer{}
	r := NewRank(0)
	r.NewRequest(5, &Request{Held: &memory[0]})
	r.EndRequest(5, Made{})
	is(t, "alone", fmt.Sprint(memory[0].released), "[true]")
	for i := range 2 {
		r.NewRequest(5, &Request{Held: &memory[1+i]})
	}
	oldest := r.EndRequest(5, Made{})
	is(t, "the oldest", fmt.Sprint(memory[1].released), "[false true]")
	is(t, "the other, which may be the one", fmt.Sprint(memory[2].released), "[false]")
	oldest.Release(true)
	is(t, "the oldest, once more", len(memory[1].released), 2)
	new(Request).Release(true) // holds nothing
}

func TestWhereARequestEndedIsKnownForAWhile(t *testing.T) {
	r := NewRank(0)
	_, known := r.EndOf(7)
	is(t, "before", known, false)
	r.EndRequest(7, Made{Site: 1})
	r.EndRequest(7, Made{Site: 2})
	by, _ := r.EndOf(7)
	is(t, "the last end", by.Site, 2)
	for i := range uint64(cachedEnded - 1) {
		r.EndRequest(100+i, Made{Site: 3})
	}
	by, known = r.EndOf(7)
	is(t, "after as many others as are kept", by.Site, 2)
	is(t, "and that is known", known, true)
	r.EndRequest(99, Made{Site: 3})
	_, known = r.EndOf(7)
	is(t, "after one more", known, false)
	by, _ = r.EndOf(99)
	is(t, "that one", by.Site, 3)
}

func TestTheLatestRequestOfACallSiteIsKnown(t *testing.T) {
	r := NewRank(0)
	is(t, "of a rank that has made none", r.Latest(&Request{Made: Made{Site: 5}}), true)
	first, other, second := &Request{Made: Made{Site: 5}}, &Request{Made: Made{Site: 6}}, &Request{Made: Made{Site: 5}}
	r.NewRequest(1, first)
	r.NewRequest(2, other)
	is(t, "the first", r.Latest(first), true)
	r.NewRequest(3, second)
	is(t, "the first, after a second", r.Latest(first), false)
	is(t, "the second", r.Latest(second), true)
	is(t, "that of another site", r.Latest(other), true)
}

func TestAPartitionIsReadyOnce(t *testing.T) {
	p := &Partitions{Count: 200}
	for _, n := range []int64{0, 63, 64, 127, 199} {
		is(t, fmt.Sprint(n, " before"), p.Give(n), false)
	}
	for _, n := range []int64{0, 63, 64, 127, 199} {
		is(t, fmt.Sprint(n, " again"), p.Give(n), true)
	}
	is(t, "one beside them", p.Give(62), false)
	p.Ready = 3
	p.Restart()
	is(t, "ready after a start", p.Ready, 0)
	is(t, "63 after a start", p.Give(63), false)
}

// TestACallReadsItsParameters asks a call for values that its records have and for those that they do not have.
func TestACallReadsItsParameters(t *testing.T) {
	x := newScript(t)
	c := x.call("MPI_Group_incl what 2 [0 3] -> g")
	is(t, "a handle", c.Handle(0), x.value("what"))
	is(t, "the elements of an array", fmt.Sprint(c.Array(2)), "[0 3]")
	is(t, "what it gave", c.Gave(3)[0], x.value("g"))
	is(t, "what it gave is not in the other record", c.Array(3) == nil, true)
	_, known := c.Int(2)
	is(t, "an array has one value", known, false)
	c = x.call("MPI_Win_post {grp 0 3} 5 win ->")
	v, known := c.Int(0)
	is(t, "a group has its handle", uint64(v), x.value("grp"))
	is(t, "and that is known", known, true)
	v, _ = c.Int(1)
	is(t, "an assertion", v, 5)
	c.Words = c.Words[:1]
	_, known = c.Int(0)
	is(t, "a group that is cut off is known", known, false)
	_, known = c.Int(2)
	is(t, "a handle that is cut off is known", known, false)
	is(t, "a handle that is cut off", c.Handle(2), 0)
	is(t, "by", c.By(), Made{c.Func, c.Site})
}
