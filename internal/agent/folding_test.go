package agent

import (
	"sync/atomic"
	"testing"
	"time"

	"unknot/internal/agent/kernel"
	"unknot/internal/observe/ring"
)

// noneLives are processes of which none lives any more.
type noneLives struct{ kernel.Processes }

func (noneLives) Gone(int) bool { return true }

// repeater is a rank of which so many slots were published that its agent has seen it repeat one call, of so many
// slots.
type repeater struct {
	a    *Agent
	tape *tape
	call uint64
	head uint64
}

func newRepeater(t *testing.T, call uint64, iteration func(s *script, left, right uint64, barrier bool)) *repeater {
	t.Helper()
	a, tapes := watched(t, 1, 1<<12, iteration)
	return repeaterOf(t, a, tapes[0], call)
}

// repeaterOf is a repeater that an agent watches already.
func repeaterOf(t *testing.T, a *Agent, tape *tape, call uint64) *repeater {
	t.Helper()
	a.folding.On = true
	r := &repeater{a: a, tape: tape, call: call}
	for at, n := uint64(0), uint64(0); at < r.tape.at; at += r.slots(at) {
		n++ // a probe counts records
		r.tape.words[at*ring.WordsNext] = r.tape.words[at*ring.WordsNext]&(1<<32-1) | n<<32
	}
	for !a.order[0].sources[0].repeats.Repeating() {
		r.publish(call)
		if r.head > 1<<11 {
			t.Fatal("calls that are all the same are not seen to repeat")
		}
	}
	for range 3 { // those that were followed one by one before
		a.readRings()
	}
	return r
}

// slots are those of a record.
func (r *repeater) slots(at uint64) uint64 {
	return r.tape.words[at*ring.WordsNext] >> 24 & ring.MaxSlots
}

func (r *repeater) publish(slots uint64) {
	r.head += slots
	atomic.StoreUint64(&r.tape.header.Head, r.head)
	r.a.readRings()
}

// TestARankThatEndsWhileItRepeatsIsReadToItsEnd has a rank end in the middle of a period, right after whole periods
// were left out.
func TestARankThatEndsWhileItRepeatsIsReadToItsEnd(t *testing.T) {
	const enter, call = 2, 3 // slots of a call's first record, and of both
	p := newRepeater(t, call, func(s *script, left, right uint64, _ bool) { s.sendrecv(left, right, false) })
	a, r, s := p.a, p.a.order[0], p.a.order[0].sources[0]
	p.publish(40*call + enter)
	if a.folding.Calls == 0 || s.repeats.Ahead() != 1 || a.folding.Calls == 0 {
		t.Fatalf("%d calls were left out, %d records are ahead", a.folding.Calls, s.repeats.Ahead())
	}
	r.processes = noneLives{kernel.Living()}
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
	if want := p.head/call + 1; !s.thread.inCall() || s.thread.Calls != want {
		t.Errorf("in a call: %v, of %d, want the last of %d", s.thread.inCall(), s.thread.Calls, want)
	}
}

// TestAThreadIsNotInsideOfACallThatWasLeftOut has all that a rank does be left out, up to a call that has returned.
func TestAThreadIsNotInsideOfACallThatWasLeftOut(t *testing.T) {
	p := newRepeater(t, 1, func(s *script, _, _ uint64, _ bool) { s.call("MPI_Barrier", []uint64{tapeWorld}, nil) })
	s := p.a.order[0].sources[0]
	p.publish(40)
	if p.a.folding.Calls == 0 || s.repeats.Ahead() != 0 {
		t.Fatalf("%d calls were left out, %d records are ahead", p.a.folding.Calls, s.repeats.Ahead())
	}
	records := uint32(0)
	for at := uint64(0); at < p.head; at += p.slots(at) {
		records++
	}
	for _, c := range []struct {
		returned uint32
		inside   bool
	}{{records, false}, {records - 1, true}} {
		atomic.StoreUint32(&p.tape.header.Returned, c.returned)
		if s.thread.inCall() != c.inside {
			t.Errorf("the call with stamp %d of %d has returned last, and the thread, whose last one has stamp %d, "+
				"is in a call: %v", c.returned, records, s.thread.Stamp, !c.inside)
		}
	}
}
