package agent

import (
	"testing"

	"unknot/internal/message"
	"unknot/internal/ring"
	"unknot/internal/tree"
	"unknot/internal/usage"
	"unknot/internal/waitstate"
)

// TestAMismatchAfterAFailedCallIsToldOnlyIfItHangs: on a communicator where a member's call came back with an error, the
// members may be out of step without a fault of theirs.
func TestAMismatchAfterAFailedCallIsToldOnlyIfItHangs(t *testing.T) {
	r := newRoot(encoded(t, 1).Member(tree.Root), nil, 2, Options{}, nil)
	r.message(message.Failed{Ctx: 7})
	clash := waitstate.Clash{Ctx: 7, Seq: 3, Voices: []waitstate.Voice{{}, {}}}
	r.message(message.Clash{Clash: clash})
	if len(r.pending) != 0 {
		t.Fatalf("told after a failed call: %v", r.pending)
	}
	r.message(message.Failed{Ctx: 7})
	r.tellKept(7)
	if len(r.pending) != 1 || r.pending[0].Seq != 3 {
		t.Errorf("a hang in it tells %v, want the mismatch at 3", r.pending)
	}
	clash.Ctx = 8
	r.message(message.Clash{Clash: clash})
	if len(r.pending) != 2 {
		t.Errorf("on another communicator nothing failed, but %d mismatches are told, want 2", len(r.pending))
	}
}

func TestAThreadThatNeverCatchesUpDoesNotKeepTheEndBack(t *testing.T) {
	r := newRoot(encoded(t, 1).Member(tree.Root), nil, 1, Options{}, nil)
	r.ending = true
	for round, want := range []bool{true, false} {
		r.progressed = false
		r.reports = []*message.Report{{Threads: []message.Wait{{State: message.Dead, Lag: 2}}}}
		r.detect()
		if r.progressed != want {
			t.Errorf("round %d: progress %v, want %v", round+1, r.progressed, want)
		}
	}
}

// TestATruncatedReceiveHasTakenItsMessage: the receiver's records may be read before the sender's. What has failed for
// another reason may have left the message to the next receive.
func TestATruncatedReceiveHasTakenItsMessage(t *testing.T) {
	const truncate, other = 15, 6
	for _, c := range []struct {
		class, tag uint64
		want       int // messages that do not fit
	}{
		{truncate, 0, 1},
		{truncate, 0xffffffffffffffff, 0}, // MPI_ANY_TAG
		{other, 0, 0},
	} {
		a, tapes := watched(t, 2, 1<<10, func(s *script, _, peer uint64, _ bool) {
			if peer == 0 { // rank 1
				s.call("MPI_Send", []uint64{tapeSent, 3, tapeInt, 0, 0, tapeWorld}, nil)
			} else {
				recv := s.table.ByName("MPI_Recv")
				s.put(recv.ID, ring.Enter, 0x2000, tapeGot, 1, tapeInt, peer, c.tag, tapeWorld)
				s.put(uint16(ring.DataError), ring.Data, 0, append([]uint64{uint64(recv.ID), c.class}, textWords("truncated")...)...)
				s.put(recv.ID, ring.Exit, c.class)
			}
			s.fill()
		})
		net := encoded(t, 1)
		a.net = net.Member(0)
		for _, p := range tapes {
			p.replay()
		}
		for a.readRings() {
		}
		a.flush()
		n := 0
		for _, m := range net.Member(tree.Root).Take(nil) {
			if p, is := m.(message.Pair); is && p.Code == usage.MessageTruncated {
				n++
			}
		}
		if n != c.want {
			t.Errorf("error class %d, tag %#x: %d messages do not fit, want %d", c.class, c.tag, n, c.want)
		}
	}
}
