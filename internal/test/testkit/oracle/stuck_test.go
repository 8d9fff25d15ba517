package oracle

import (
	"testing"

	"unknot/internal/vocab/op"
)

// TestStuckKnowsWhatBufferingDecides checks the reference for exact prediction on programs that are easy to judge.
func TestStuckKnowsWhatBufferingDecides(t *testing.T) {
	both := [][]Call{{sendTo(1, op.Standard), recvFrom(1)}, {sendTo(0, op.Standard), recvFrom(0)}}
	late := [][]Call{{recvFrom(Any), recvFrom(2)}, {sendTo(0, op.Standard), recvFrom(2)},
		{sendTo(1, op.Standard), sendTo(0, op.Standard)}}
	collective := [][]Call{{{Kind: Collective}, recvFrom(1)}, {sendTo(0, op.Synchronous), {Kind: Collective}}}
	for _, c := range []struct {
		name   string
		ranks  [][]Call
		gather Gather
		legal  Legal
		stuck  bool
	}{
		{"both send first", both, Barrier, Legal{}, true},
		{"both send first, unbuffered", both, Barrier, Legal{Synchronous: true}, true},
		{"both send first, buffered", both, Barrier, Legal{Buffered: true}, false},
		{"a message taken too early, which takes buffering", late, Barrier, Legal{}, true},
		{"a message taken too early, unbuffered", late, Barrier, Legal{Synchronous: true}, false},
		{"a reduction across a send", collective, Reduce, Legal{}, true},
		{"a broadcast across a send, from the one who is there", collective, Bcast, Legal{Weak: true}, false},
		{"a broadcast across a send, synchronising", collective, Bcast, Legal{Strict: true}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &Program{Waves: [][]Wave{{{Gather: c.gather}}}, Comms: [][]int{nil}, Ranks: c.ranks}
			for r := range c.ranks {
				p.Comms[0] = append(p.Comms[0], r)
			}
			if stuck, exact := Stuck(p, c.legal); !exact || (len(stuck) > 0) != c.stuck {
				t.Errorf("%d stuck states, exact %v, want some: %v", len(stuck), exact, c.stuck)
			}
		})
	}
}
