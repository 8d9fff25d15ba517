package reports

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"unknot/internal/upc/layout"
	"unknot/internal/vocab/finding"
)

// threads are some that wait: each word is the kind, with the thread that is waited for or the number of the operation.
func threads(text ...string) []wait {
	var all []wait
	for i, s := range text {
		w := wait{job: 1, thread: i, threads: len(text), pid: 100 + i, turn: 1, waited: -1}
		var n int
		switch kindOf, rest, _ := strings.Cut(s, " "); kindOf {
		case "lock":
			w.kind = layout.AtLock
			fmt.Sscan(rest, &w.waited)
		case "barrier":
			w.kind = layout.AtBarrier
			fmt.Sscan(rest, &n)
		case "end":
			w.kind = layout.AtEnd
			fmt.Sscan(rest, &n)
		case "runs":
			w.turn = 2
		}
		w.number = uint64(n)
		all = append(all, w)
	}
	return all
}

// look is how often threads have to be looked at until they are reported; 0 if they are not.
func look(change func(round int, all []wait), text ...string) int {
	j := judge{}
	for round := 1; round <= 20; round++ {
		all := threads(text...)
		for i := range all {
			all[i].looks = uint64(round)
		}
		change(round, all)
		if j.stuck(1, all, -1) {
			return round
		}
	}
	return 0
}

func same20(int, []wait) {}

func TestAllWaitForEver(t *testing.T) {
	for _, text := range [][]string{
		{"lock 1", "lock 0"},
		{"barrier 3", "end 3"},
		{"lock 1", "barrier 2"},
		{"lock 1", "lock 0", "barrier 2", "end 2"},
		{"lock 1", "end 2"},
	} {
		if n := look(same20, text...); n == 0 {
			t.Errorf("%q: not told", text)
		} else if n < lookings {
			t.Errorf("%q: told after %d looks", text, n)
		}
	}
}

func TestWhoMayStillMoveIsNotTold(t *testing.T) {
	cases := map[string]func() int{
		"one runs":             func() int { return look(same20, "lock 1", "runs") },
		"all in one operation": func() int { return look(same20, "barrier 4", "barrier 4") },
		"one is not known": func() int {
			return look(func(_ int, all []wait) { all[0].threads = 3; all[1].threads = 3 }, "lock 1", "lock 0")
		},
		"turns change": func() int {
			return look(func(r int, all []wait) { all[1].turn = uint64(2*r + 1) },
				"lock 1", "lock 0")
		},
		"one does not look again": func() int {
			return look(func(_ int, all []wait) { all[1].looks = 7 }, "lock 1", "lock 0")
		},
		"other processes each time": func() int {
			return look(func(r int, all []wait) { all[0].pid = r }, "lock 1", "lock 0")
		},
	}
	for name, run := range cases {
		if n := run(); n != 0 {
			t.Errorf("%s: told after %d looks", name, n)
		}
	}
}

func at3(w *wait) at {
	a := at{operation: "upc_barrier",
		stack: []finding.Frame{{Function: "main", File: "/src/a.upc", Line: 10 + w.thread%2}}}
	switch w.kind {
	case layout.AtLock:
		a.operation = ""
	case layout.AtEnd:
		a.stack = nil
	}
	return a
}

func TestWordsOfThoseThatWait(t *testing.T) {
	all := threads("lock 1", "lock 0", "barrier 2", "end 2")
	f := describe(all, placesOf(all, at3))
	want := "Deadlock: thread 0 is at upc_lock (a.upc:10) and waits for a lock that thread 1 holds or gets first, " +
		"and thread 1 is at upc_lock " +
		"(a.upc:11) and waits for a lock that thread 0 holds or gets first."
	if f.Sentence != want || !reflect.DeepEqual(f.Ranks, []int{0, 1}) || len(f.Others) != 2 {
		t.Errorf("%q of %v, others %+v", f.Sentence, f.Ranks, f.Others)
	}
	all = threads("barrier 2", "end 2", "barrier 2")
	f = describe(all, placesOf(all, at3))
	want = "Deadlock: threads 0 and 2 are at upc_barrier (a.upc:10) and thread 1 has ended."
	if f.Sentence != want || !reflect.DeepEqual(f.Ranks, []int{0, 1, 2}) ||
		!reflect.DeepEqual(f.Places[0].WaitsFor, []int{1}) {
		t.Errorf("%q of %v, thread 0 waits for %v", f.Sentence, f.Ranks, f.Places[0].WaitsFor)
	}
	if p := f.Places[1]; p.Call != "return from main" || p.State != "finished" {
		t.Errorf("thread 1: %+v", p)
	}
}

// Files of threads are refused if they are not whole or say what cannot be.
func TestWordsOfAThread(t *testing.T) {
	whole := layout.Waits{Mark: layout.WaitsMark, Job: 5, Thread: 1, Threads: 2, PID: 9, Turn: 3, Kind: layout.AtLock,
		Waited: 1, Frames: 1000}
	bytes := func(spoil func(w *layout.Waits)) []byte {
		w := whole
		spoil(&w)
		text, err := binary.Append(nil, binary.NativeEndian, &w)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	text := bytes(func(*layout.Waits) {})
	w, ok, err := parse(text)
	if err != nil || !ok || !w.waiting() || w.waited != 0 || len(w.stack) != len(whole.Stack) {
		t.Errorf("%+v, %v, %v", w, ok, err)
	}
	for name, spoil := range map[string]func(w *layout.Waits){
		"mark":   func(w *layout.Waits) { w.Mark = 1 },
		"thread": func(w *layout.Waits) { w.Thread = 2 },
		"waited": func(w *layout.Waits) { w.Waited = 3 },
		"many":   func(w *layout.Waits) { w.Threads = 1 << 40 },
	} {
		if _, ok, err := parse(bytes(spoil)); ok || err != nil {
			t.Errorf("%s: taken, or refused with %v", name, err)
		}
	}
	if _, ok, _ := parse(text[:len(text)-1]); ok {
		t.Error("a short file is taken")
	}
}
