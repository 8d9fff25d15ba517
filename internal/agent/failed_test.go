package agent

import (
	"testing"

	"unknot/internal/check/messages"
	"unknot/internal/observe/ring"
	"unknot/internal/root/tree"
	"unknot/internal/vocab/message"
)

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
		net := encoded(t, 1)
		a, tapes := watchedOn(t, net, 2, 1<<10, func(s *script, _, peer uint64, _ bool) {
			if peer == 0 { // rank 1
				s.call("MPI_Send", []uint64{tapeSent, 3, tapeInt, 0, 0, tapeWorld}, nil)
			} else {
				recv := s.table.ByName("MPI_Recv")
				s.put(recv.ID, ring.Enter, 0x2000, tapeGot, 1, tapeInt, peer, c.tag, tapeWorld)
				s.put(uint16(ring.DataError), ring.Data, 0, append([]uint64{uint64(recv.ID), c.class},
					textWords("truncated")...)...)
				s.put(recv.ID, ring.Exit, c.class)
			}
			s.fill()
		}, nil, nil)
		for _, p := range tapes {
			p.replay()
		}
		for a.readRings() {
		}
		a.flush()
		n := 0
		for _, m := range net.Member(tree.Root).Take(nil) {
			if p, is := m.(message.Pair); is && p.Code == messages.MessageTruncated {
				n++
			}
		}
		if n != c.want {
			t.Errorf("error class %d, tag %#x: %d messages do not fit, want %d", c.class, c.tag, n, c.want)
		}
	}
}
