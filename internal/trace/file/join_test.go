package file

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"unknot/internal/test/testkit"
	"unknot/internal/trace"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/op"
)

// host records what the ranks of one of two hosts do: random loops, and polls between them. It has numbers of its own
// for functions, sites, communicators and threads.
func host(t *testing.T, path string, number int, seed uint64, folded bool) {
	t.Helper()
	k := newWorkload(t, path, 4)
	rnd := rand.New(rand.NewPCG(seed, uint64(number)))
	for n := range 1 + rnd.IntN(3) { // as another program would have made them before
		k.w.Func(fmt.Sprint("MPI_Other", n, number))
		k.w.Site(trace.Site{Function: "main", File: "other.c", Line: 10*number + n})
	}
	own := k.w.Comm(Comm{Comm: trace.Comm{ID: op.CommID(100 + number), Name: fmt.Sprint("of host ", number),
		Members: []op.Rank{0, 1}}})
	k.w.Comm(Comm{Comm: trace.Comm{ID: 2, Members: []op.Rank{0, 1}}})
	if number == 1 {
		k.w.Name(2, "named on the second host")
	}
	more := k.w.Func("MPI_Test")
	at := k.w.Site(trace.Site{Function: "poll", File: "poll.c", Line: number, Stack: k.w.Stack(polled(number))})
	k.w.Note(trace.Interaction{Rank: op.Rank(2 * number), Path: "/some/file", Func: "open", Site: at})
	for _, s := range k.streams[2*number : 2*number+2] {
		l := &loop{s: s, comms: make(map[uint32]uint64)}
		for range 1 + rnd.IntN(3) {
			l.random(rnd)
			l.once()
			l.repeat(1+uint32(rnd.IntN(1500)), folded)
			l.once()
			part, _ := s.Op(trace.Op{Fn: more, Site: at},
				[]trace.Part{{Kind: op.Recv, Comm: own, Peer: 1, Tag: 3, Bytes: -1}}, nil)
			s.Poll(trace.Poll{Fn: more, Site: at, Count: 7}, []trace.Wait{{Thread: s.Number, Part: part}})
			if first := k.streams[2*number]; first != s {
				s.Poll(trace.Poll{Fn: more, Site: at, Count: 9, Probe: true, Comm: own, Peer: op.AnySource,
					Tag: op.AnyTag},
					[]trace.Wait{{Thread: first.Number, Part: 0, At: 4}})
			}
		}
	}
	if err := k.w.Close(""); err != nil {
		t.Fatal(err)
	}
}

// polled is the call stack of the polls on a host.
func polled(host int) []finding.Frame {
	return []finding.Frame{{Function: "poll", File: "poll.c", Line: host}, {Function: "main", File: "poll.c",
		Line: 10 + host}}
}

// join makes one trace of some files.
func join(path string, from []string) error {
	var all []*Survey
	for _, one := range from {
		s, err := Look(one)
		if err != nil {
			return err
		}
		all = append(all, s)
	}
	return Join(path, all, "")
}

// TestWhatRepeatsStaysOneBlockWhereTracesAreJoined joins traces of two hosts whose calls are recorded period by period,
// and the same recorded call by call: both are the same run, and the first is small.
func TestWhatRepeatsStaysOneBlockWhereTracesAreJoined(t *testing.T) {
	testkit.TakesLong(t)
	oneGoroutine(t)
	var sizes [2]int64
	for seed := range uint64(20) {
		var logs [2]*trace.Log
		for i, folded := range []bool{true, false} {
			dir := t.TempDir()
			from := []string{filepath.Join(dir, "first"), filepath.Join(dir, "second")}
			for n := range from {
				host(t, from[n], n, seed, folded)
			}
			if err := join(from[0], from); err != nil {
				t.Fatal(err)
			}
			if left, err := filepath.Glob(filepath.Join(dir, "*.joined")); err != nil || len(left) > 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
			fi, err := os.Stat(from[0])
			if err != nil {
				t.Fatal(err)
			}
			sizes[i] += fi.Size()
			if logs[i], err = Read(from[0]); err != nil {
				t.Fatal(err)
			}
		}
		if !reflect.DeepEqual(logs[0], logs[1]) {
			t.Fatalf("seed %d: what repeats is another run once it is joined", seed)
		}
		checkJoined(t, logs[0])
	}
	if sizes[0] > sizes[1]/4 {
		t.Errorf("%d bytes with what repeats as one block, %d without", sizes[0], sizes[1])
	}
}

// checkJoined says whether a log has what both hosts have recorded.
func checkJoined(t *testing.T, l *trace.Log) {
	t.Helper()
	if len(l.Threads) != 4 || l.Cut != "" {
		t.Fatalf("%d threads, cut short by %q", len(l.Threads), l.Cut)
	}
	for i := range l.Threads {
		th, number := &l.Threads[i], i/2
		if th.Rank != op.Rank(i) {
			t.Errorf("thread %d is that of rank %d", i, th.Rank)
		}
		for _, p := range th.Polls {
			waits := th.Waits[p.WaitAt : p.WaitAt+p.Waiting]
			if l.Funcs[p.Fn] != "MPI_Test" || l.Sites[p.Site].Line != number || l.Sites[p.Site].File != "poll.c" ||
				len(waits) != 1 {
				t.Errorf("a poll of %s at %v for %d things", l.Funcs[p.Fn], l.Sites[p.Site], len(waits))
				continue
			}
			of := i
			if p.Probe {
				of = 2 * number
				if c := l.Comms[p.Comm]; c.Name != fmt.Sprint("of host ", number) || p.Peer != op.AnySource ||
					p.Tag != op.AnyTag {
					t.Errorf("a poll for a message from %d on %q", p.Peer, c.Name)
				}
			}
			if waits[0].Thread != uint32(of) {
				t.Errorf("a poll of thread %d for what thread %d has started", i, waits[0].Thread)
			}
		}
		if want := 1 + 2*(i%2); len(th.Polls) == 0 || i%2 == 1 && len(th.Polls)%2 != 0 {
			t.Errorf("thread %d has polled %d times, expected %d or more", i, len(th.Polls), want)
		}
	}
	var names []string
	for _, c := range l.Comms {
		names = append(names, c.Name)
	}
	if got := strings.Join(names, ", "); got != "MPI_COMM_WORLD, of host 0, named on the second host, of host 1" {
		t.Errorf("communicators: %s", got)
	}
	for number := range 2 {
		n := l.Interactions[number]
		if s := l.Sites[n.Site]; n.Rank != op.Rank(2*number) || s.Function != "poll" || s.File != "poll.c" ||
			s.Line != number || !slices.Equal(l.Stack(n.Site), polled(number)) {
			t.Errorf("noted: %+v at %v, called as %v", n, s, l.Stack(n.Site))
		}
	}
}

// TestATraceThatCannotBeJoinedLeavesTheOthers names the one that is no trace, and leaves what is there.
func TestATraceThatCannotBeJoinedLeavesTheOthers(t *testing.T) {
	dir := t.TempDir()
	good, bad := filepath.Join(dir, "good"), filepath.Join(dir, "bad")
	host(t, good, 0, 1, true)
	if err := os.WriteFile(bad, []byte("no trace at all"), 0o600); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	if err := join(good, []string{good, bad}); err == nil ||
		!strings.Contains(err.Error(), "bad is not a trace of unknot") {
		t.Errorf("error %v", err)
	}
	if after, err := os.ReadFile(good); err != nil || string(after) != string(before) {
		t.Errorf("the first trace is not as it was (%v)", err)
	}
}
