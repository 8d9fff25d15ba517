package agent

import (
	"testing"
	"time"
)

// burst is a message from rank 0 to rank 1.
func (s *script) burst(_, right uint64, _ bool) {
	if right == 1 {
		s.call("MPI_Send", []uint64{tapeSent, 1, tapeInt, right, 0, tapeWorld}, nil)
	} else {
		s.call("MPI_Recv", []uint64{tapeGot, 1, tapeInt, right, 0, tapeWorld}, []uint64{right, 0, 4})
	}
}

// A rank that sends has half as many records as the one that receives. With both read by turns, the strict view would
// fall behind by half of all messages.
func TestARankThatIsAheadIsReadAfterOthers(t *testing.T) {
	const slots, rounds = 1 << 12, 60
	a, tapes := watched(t, 2, slots, (*script).burst)
	a.toldAt = a.now.Add(time.Hour)
	sent, got, most := 0, 0, 0
	for got < 2*rounds {
		if tapes[0].ring.Pending() == 0 && sent < rounds {
			tapes[0].replay()
			sent++
		}
		if tapes[1].ring.Pending() == 0 {
			tapes[1].replay()
			got++
		}
		a.turn()
		most = max(most, a.order[0].lag())
	}
	if limit := ahead + rounds*slots/aheadTurn; most > limit {
		t.Errorf("the strict view was behind by %d calls, want at most %d", most, limit)
	}
}

// A rank whose receiver computes is not read once it is far ahead, except for a part now and then. It is read when the
// receiver waits.
func TestARankThatIsFarAheadIsHeld(t *testing.T) {
	const slots = 1 << 12
	a, tapes := watched(t, 2, slots, (*script).burst)
	a.toldAt = a.now.Add(time.Hour)
	clock := a.now
	a.clock = func() time.Time { return clock }
	receiver := &script{tape: tapes[1], table: a.table, t: t}
	receiver.tape.at = 0
	receiver.call("MPI_Barrier", []uint64{tapeWorld}, nil) // its first record, in which it is not any more
	tapes[1].header.Head++
	tapes[1].header.Returned = 1
	fill := func(turns int) {
		for range turns {
			if tapes[0].ring.Pending() == 0 {
				tapes[0].replay()
			}
			a.turn()
		}
	}
	fill(2 * farAhead / 32)
	if n := a.order[0].lag(); n < farAhead || n > farAhead+64 {
		t.Errorf("the strict view is behind by %d calls, want about %d", n, farAhead)
	}
	clock = clock.Add(heldFor)
	before := a.order[0].lag()
	fill(10)
	if n := a.order[0].lag() - before; n < 1000 || n > heldPart*32 {
		t.Errorf("%d more calls are read after a while, want at most %d", n, heldPart*32)
	}
	tapes[1].header.Returned = 0
	before = a.order[0].lag()
	fill(1000)
	if n := a.order[0].lag() - before; n < 30000 {
		t.Errorf("%d more calls are read while the receiver waits, want all", n)
	}
}
