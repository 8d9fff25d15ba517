package link

import (
	"context"
	"net"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
)

// full is a listener of a process that has no file descriptors left for a while.
type full struct {
	net.Listener
	times int
}

func (f *full) Accept() (net.Conn, error) {
	if f.times--; f.times < 0 {
		return nil, net.ErrClosed
	}
	return nil, &net.OpError{Op: "accept", Net: "tcp", Err: syscall.EMFILE}
}

// TestThatNobodyCanConnectIsSaidOnce is for more hosts than a process may have files.
func TestThatNobodyCanConnectIsSaidOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &Hub{refused: newRefusals(), open: context.Background()}
		h.accept(&full{times: 100})
		if said := <-h.refused.sentences; !strings.Contains(said,
			"no other host can connect: accept tcp: too many open files; hint: raise the limit of open files") ||
			len(h.refused.sentences) > 0 {
			t.Errorf("said: %q, and %d more", said, len(h.refused.sentences))
		}
	})
}
