package host

import (
	"errors"
	"testing"
	"time"

	"unknot/internal/root/link"
)

// TestWhoJoinsWhenTheJobIsOverDoesNotStay has the supervisor's process accept a link and end without a word, as it may
// when the job has been short.
func TestWhoJoinsWhenTheJobIsOverDoesNotStay(t *testing.T) {
	t.Parallel()
	key, err := link.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	// If it ends before the other one knows that the link is up, that leaves at once: it is to happen afterwards.
	for range 100 {
		accepted := make(chan struct{})
		hub, err := link.Listen(key, []string{"127.0.0.1:0"}, "1", func(*link.Link) { close(accepted) })
		if err != nil {
			t.Fatal(err)
		}
		j := Joining{Invitation: link.Invitation{Key: key, Addresses: hub.Addresses()}, Version: "1"}
		left := make(chan error, 1)
		go func() {
			_, _, err := j.enter(t.Context(), greeting{})
			left <- err
		}()
		<-accepted
		hub.Close()
		const patience = 4 * entering // less than the usual time for which a link may be down
		select {
		case err := <-left:
			if errors.Is(err, link.ErrLost) {
				return
			}
		case <-time.After(patience):
			t.Fatalf("it still waits after %v to be welcomed", patience)
		}
	}
	t.Error("no link was up when the other end closed")
}
