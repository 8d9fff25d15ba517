package agent

import (
	"sync/atomic"
	"testing"
	"time"

	"unknot/internal/fold"
	"unknot/internal/ring"
)

// noneLives are processes of which none lives any more.
type noneLives struct{ living }

func (noneLives) Gone(int) bool { return true }

// TestARankThatEndsWhileItRepeatsIsReadToItsEnd has a rank end in the middle of a period, right after whole periods were left out.
func TestARankThatEndsWhileItRepeatsIsReadToItsEnd(t *testing.T) {
	a, tapes := watched(t, 1, 1<<12, func(s *script, left, right uint64, _ bool) { s.sendrecv(left, right, false) })
	a.folding.on = true
	r, s, p := a.order[0], a.order[0].sources[0], tapes[0]
	const enter, call = 2, 3 // slots of a call's first record, and of both
	for at, n := uint64(0), uint64(0); at < p.at; at += p.words[at*ring.WordsNext] >> 24 & ring.MaxSlots {
		n++ // a probe counts records
		p.words[at*ring.WordsNext] = p.words[at*ring.WordsNext]&(1<<32-1) | n<<32
	}
	head := uint64(0)
	publish := func(slots uint64) {
		head += slots
		atomic.StoreUint64(&p.header.Head, head)
		a.readRings()
	}
	for s.repeats.stream.Phase() != fold.Repeating {
		publish(call)
		if head > 1<<11 {
			t.Fatal("calls that are all the same are not seen to repeat")
		}
	}
	for range 3 { // those that were followed one by one before
		a.readRings()
	}
	publish(40*call + enter)
	if !s.repeats.skipped || s.repeats.stream.Ahead() != 1 || a.folding.calls == 0 {
		t.Fatalf("%d calls were left out, %d records are ahead", a.folding.calls, s.repeats.stream.Ahead())
	}
	r.processes = noneLives{}
	over := make(chan struct{})
	go func() {
		a.watchProcesses()
		close(over)
	}()
	select {
	case <-over:
	case <-time.After(time.Minute):
		t.Fatal("it is read for ever")
	}
	if want := uint64(head/call + 1); !s.thread.inCall() || s.thread.calls != want {
		t.Errorf("in a call: %v, of %d, want the last of %d", s.thread.inCall(), s.thread.calls, want)
	}
}
