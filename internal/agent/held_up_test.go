package agent

import "testing"

// filled is a ring that is filled so far.
type filled struct {
	Source
	pending uint64
}

func (f filled) Pending() uint64  { return f.pending }
func (f filled) Capacity() uint64 { return 4096 }

func TestRanksWhoseRingsAreNearlyFullAreHeldUp(t *testing.T) {
	one := func(pending ...uint64) *rank {
		r := new(rank)
		for _, n := range pending {
			r.sources = append(r.sources, &source{ring: filled{pending: n}})
		}
		return r
	}
	a := &job{order: []*rank{one(0), one(3072), one(3073), one(10, 4096), one(4096, 4096)}}
	if n := a.held(); n != 3 {
		t.Errorf("%d ranks are held up, want 3", n)
	}
}
