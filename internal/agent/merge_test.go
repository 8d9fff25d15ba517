package agent

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"unknot/internal/agent/kernel"
	"unknot/internal/observe/ring"
)

func TestAStampThatWasDrawnTwiceIsNotWaitedFor(t *testing.T) {
	sources := []*source{{}, {}}
	// The second thread began to draw stamps while the first one was drawing the fourth.
	for _, stamp := range []uint32{1, 2, 3, 4, 6} {
		sources[0].records = append(sources[0].records, ring.Record{Stamp: stamp})
	}
	for _, stamp := range []uint32{4, 5, 7} {
		sources[1].records = append(sources[1].records, ring.Record{Stamp: stamp})
	}
	var m merger
	var got []uint32
	if !m.order(sources, time.Now(), nil, func(_ *source, r *ring.Record) { got = append(got, r.Stamp) }) {
		t.Errorf("waits after %v", got)
	}
	if len(got) != 8 {
		t.Errorf("handed on %v", got)
	}
}

func TestAStampIsWaitedForAsLongAsItsThreadMayPublishIt(t *testing.T) {
	sources := []*source{{records: []ring.Record{{Stamp: 1}, {Stamp: 3}}}, {}}
	var m merger
	var got []uint32
	hand := func(_ *source, r *ring.Record) { got = append(got, r.Stamp) }
	now := time.Now()
	late := false
	m.order(sources, now, func() bool { return late }, hand)
	for range 100 { // its thread does not get the processor for ten seconds
		if m.order(sources, now, func() bool { return late }, hand) || len(got) != 1 {
			t.Fatalf("handed on %v without the second", got)
		}
		now = now.Add(100 * time.Millisecond)
	}
	sources[1].records = []ring.Record{{Stamp: 2}}
	if !m.order(sources, now, func() bool { return late }, hand) || !slices.Equal(got, []uint32{1, 2, 3}) {
		t.Errorf("handed on %v, want 1, 2, 3", got)
	}
	sources[0].records = append(sources[0].records, ring.Record{Stamp: 5})
	if m.order(sources, now, func() bool { return late }, hand) {
		t.Errorf("handed on %v without the fourth", got)
	}
	late = true // it died
	if !m.order(sources, now, func() bool { return late }, hand) || len(got) != 4 {
		t.Errorf("handed on %v, want the fifth without the fourth", got)
	}
}

// A stamp that seems to be missing may be in a ring of which only the first part has been read: nothing is over before
// that was looked at.
func TestWhatIsReadInPartsIsNotOver(t *testing.T) {
	sources := []*source{{records: []ring.Record{{Stamp: 1}, {Stamp: 2}}}, {records: []ring.Record{{Stamp: 4}}}}
	var m merger
	var got []uint32
	hand := func(_ *source, r *ring.Record) { got = append(got, r.Stamp) }
	lost := func() bool { t.Error("a stamp is given up"); return true }
	if !m.order(sources, time.Now(), lost, hand) || !slices.Equal(got, []uint32{1, 2}) {
		t.Errorf("handed on %v and says that there is no more", got)
	}
	sources[0].records, sources[0].at = []ring.Record{{Stamp: 3}}, 0
	if !m.order(sources, time.Now(), lost, hand) || len(got) != 4 {
		t.Errorf("handed on %v", got)
	}
}

// What a thread does after it has joined another one must not be taken in before what that one did, though its ring may
// be found later.
func TestCallsBehindAGapWaitForARingThatIsNotReadYet(t *testing.T) {
	a, tapes := watched(t, 2, 1<<12, (*script).sendrecv)
	r := a.order[0]
	r.level = 3 // MPI_THREAD_MULTIPLE
	r.first = r.sources[0].ring
	dir := filepath.Dir(r.first.Of().Path)
	name := func(thread string) string {
		return filepath.Join(dir, ring.RingPrefix+strconv.Itoa(r.first.Of().PID)+"."+thread)
	}
	for _, thread := range []string{"0", "1"} {
		if err := os.WriteFile(name(thread), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	calls := a.follow.Calls
	tapes[0].replay() // its records leave numbers out, as other threads draw some
	read := func() uint64 {
		for range 100 {
			a.now = a.now.Add(time.Second)
			a.readRank(r)
		}
		return a.follow.Calls - calls
	}
	if n := read(); n > 1 {
		t.Fatalf("%d calls are taken in while a ring is missing", n)
	}
	if err := os.Remove(name("1")); err != nil {
		t.Fatal(err)
	}
	if n := read(); n < 20 {
		t.Errorf("only %d calls are taken in when nothing is missing any more", n)
	}
}

// A process may end before the ring of one of its threads is found: it counts as ended when that is there.
func TestAProcessIsNotOverBeforeItsRingsAreFound(t *testing.T) {
	a, _ := watched(t, 1, 1<<12, (*script).sendrecv)
	r := a.order[0]
	r.first = r.sources[0].ring
	r.processes = noneLives{kernel.Living()}
	dir := filepath.Dir(r.first.Of().Path)
	for _, thread := range []string{"0", "1"} {
		name := filepath.Join(dir, ring.RingPrefix+strconv.Itoa(r.first.Of().PID)+"."+thread)
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if a.watchProcesses(); r.gone {
		t.Error("the process is over, though a ring of it is still to be found")
	}
	a.now = a.now.Add(lastBreath)
	if a.watchProcesses(); !r.gone {
		t.Error("a ring that never comes is waited for forever")
	}
}
