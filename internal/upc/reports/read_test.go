package reports

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"unknot/internal/upc/layout"
	"unknot/internal/vocab/finding"
)

const (
	barrierLine = `{"layout":2,"code":"upc-deadlock","severity":"error","standing":"manifest","id":"BARR-02","sentence":"Deadlock, because.","hint":"all threads","of":3,"by":1,"threads":[` +
		`{"thread":0,"state":"waiting","operation":"upc_barrier","call":"upc_barrier","function":"main","file":"/src/a.upc","line":7},` +
		`{"thread":1,"state":"ended","operation":"return from main","call":"return from main","function":"main","file":"/src/a.upc","line":6},` +
		`{"thread":2,"state":"waiting","operation":"upc_notify","call":"upc_notify","function":"main","file":"/src/a.upc","line":9}],"calls":[]}`
	locksLine = `{"layout":2,"code":"upc-deadlock","severity":"error","standing":"manifest","id":"LOCK-05","sentence":"Deadlock of locks.","hint":"","of":3,"by":0,"threads":[` +
		`{"thread":0,"state":"waiting for a lock","operation":"upc_lock","call":"upc_lock(y)","function":"both","file":"/src/a.upc","line":9},` +
		`{"thread":1,"state":"waiting for a lock","operation":"upc_lock","call":"upc_lock(y)","function":"both","file":"/src/a.upc","line":9},` +
		`{"thread":2,"state":"running","operation":"upc_barrier","call":"upc_barrier","function":"main","file":"/src/a.upc","line":20}],` +
		`"edges":[{"from":0,"to":1,"why":"lock","lock":"y","declared":"y declared at a.upc:5","since":{"function":"both","file":"a.upc","line":7}},` +
		`{"from":1,"to":0,"why":"lock"}],"calls":[{"function":"main","file":"/src/a.upc","line":30}],"declarations":["x declared at a.upc:4","y declared at a.upc:5"],"unchecked":"b.upc"}`
	valueLine = `{"layout":2,"code":"upc-single-valued","severity":"error","standing":"manifest","id":"X-1","sentence":"It differs.","hint":"","of":2,"by":0,"threads":[` +
		`{"thread":0,"state":"waiting","operation":"upc_all_broadcast","call":"upc_all_broadcast(d, s, n, f)","function":"main","file":"/src/a.upc","line":7,` +
		`"text":"n","declared":"n declared at a.upc:3","argument":"nbytes","value":"1"},` +
		`{"thread":1,"state":"waiting","operation":"upc_all_broadcast","call":"upc_all_broadcast(d, s, n, f)","function":"main","file":"/src/a.upc","line":7,` +
		`"text":"n","declared":"n declared at a.upc:3","argument":"nbytes","value":"2"}]}`
	fileLine = `{"layout":2,"code":"upc-race","severity":"error","standing":"manifest","id":"RFLB-19","sentence":"Bytes 0-7.","hint":"","of":3,"by":2,"threads":[` +
		`{"thread":0,"state":"waiting","operation":"upc_barrier","call":"upc_barrier","function":"main","file":"/src/a.upc","line":9,"named":true},` +
		`{"thread":1,"state":"waiting","operation":"upc_barrier","call":"upc_barrier","function":"main","file":"/src/a.upc","line":9},` +
		`{"thread":2,"state":"waiting","operation":"upc_all_fread_local","call":"upc_all_fread_local(f, x, 1, 8, 0)","function":"main","file":"/src/a.upc","line":7,"named":true}]}`
	errorLine = `{"layout":2,"code":"upc-error","thread":1,"of":2,"pid":7,"sentence":"thread 1 calls upc_unlock for \"it\"; hint: do not","stack":[1,2],"maps":""}`
)

func one(t *testing.T, text string) finding.Finding {
	t.Helper()
	r, err := read([]byte(text + "\n"))
	if err != nil || len(r.Findings) != 1 || r.Bad != 0 {
		t.Fatalf("%v, %d findings and %d bad lines of %s", err, len(r.Findings), r.Bad, text)
	}
	return r.Findings[0]
}

// At a barrier a thread waits for those that have ended, and not for one that has come to it by upc_notify.
func TestWhoWaitsForWhomAtABarrier(t *testing.T) {
	f := one(t, barrierLine)
	if f.Language != finding.UPC || f.Check != "BARR-02" || f.Code != finding.UPCDeadlock ||
		f.Standing != finding.Manifest ||
		!reflect.DeepEqual(f.Ranks, []int{0, 1, 2}) {
		t.Errorf("finding %+v", f)
	}
	for i, want := range []struct {
		state string
		waits []int
	}{{"blocked", []int{1}}, {"finished", []int{}}, {"blocked", []int{1}}} {
		if p := f.Places[i]; p.State != want.state || !reflect.DeepEqual(p.WaitsFor, want.waits) {
			t.Errorf("thread %d is %s and waits for %v, want %s and %v", i, p.State, p.WaitsFor, want.state, want.waits)
		}
	}
	if p := f.Places[0]; p.Call != "upc_barrier" || p.Function != "main" || p.File != "/src/a.upc" || p.Line != 7 {
		t.Errorf("thread 0 is at %+v", p)
	}
}

// The chain of locks says who is at fault; the rest of the threads are there as well.
func TestTheChainOfLocks(t *testing.T) {
	f := one(t, locksLine)
	if !reflect.DeepEqual(f.Ranks, []int{0, 1}) || len(f.Others) != 1 || f.Others[0].State != "running" {
		t.Errorf("ranks %v, others %+v", f.Ranks, f.Others)
	}
	if p := f.Places[0]; p.Reason != "the lock `y` of thread 1, taken at a.upc:7" ||
		!reflect.DeepEqual(p.WaitsFor, []int{1}) || p.Args != "(y)" {
		t.Errorf("thread 0: %+v", p)
	}
	if p := f.Places[0]; len(p.Stack) != 2 || p.Stack[0] != p.Frame || p.Stack[1].Line != 30 {
		t.Errorf("calls of thread 0: %+v", p.Stack)
	}
	if p := f.Places[1]; p.Reason != "a lock of thread 0" {
		t.Errorf("thread 1: %+v", p)
	}
	if want := append(finding.Remarks("x declared at a.upc:4", "y declared at a.upc:5"),
		finding.Note{Label: finding.NotChecked, Text: "b.upc (compiled without upc-check)"}); !reflect.DeepEqual(
		f.Notes, want) {
		t.Errorf("notes %q, want %q", f.Notes, want)
	}
}

func TestValuesOfAnArgument(t *testing.T) {
	f := one(t, valueLine)
	want := &finding.Argument{Name: "nbytes", Text: "n", Value: "2", Declared: "n declared at a.upc:3"}
	if p := f.Places[1]; !reflect.DeepEqual(p.Argument, want) || len(p.WaitsFor) != 0 {
		t.Errorf("thread 1: %+v, argument %+v", p, p.Argument)
	}
	if len(f.Notes) != 1 {
		t.Errorf("notes %q, want the declaration once", f.Notes)
	}
}

// A sentence may name some threads of those that are at something. Nobody waits for anybody because of what it says.
func TestNamedThreads(t *testing.T) {
	f := one(t, fileLine)
	if f.Code != finding.UPCRace || f.IsRaceOfAccesses() || !reflect.DeepEqual(f.Ranks, []int{0, 2}) ||
		len(f.Others) != 1 || f.Others[0].Rank != 1 {
		t.Errorf("ranks %v, others %+v", f.Ranks, f.Others)
	}
	for _, p := range append(f.Places, f.Others...) {
		if len(p.WaitsFor) != 0 {
			t.Errorf("thread %d waits for %v", p.Rank, p.WaitsFor)
		}
	}
}

func TestAnErrorOfTheRunTime(t *testing.T) {
	f := one(t, errorLine)
	if f.Sentence != `Thread 1 calls upc_unlock for "it".` || f.Hint != "do not" ||
		!reflect.DeepEqual(f.Ranks, []int{1}) {
		t.Errorf("finding %+v", f)
	}
}

// What is cut off, foreign or impossible is counted, and the rest is read.
func TestBadLines(t *testing.T) {
	text := strings.Join([]string{
		barrierLine[:200],
		"",
		`[1]`,
		`{"layout":2,"code":"upc-argument","severity":"error","sentence":"s","of":0}`,
		`{"layout":2,"code":"upc-argument","severity":"error","sentence":"s","of":2,"threads":[{"thread":9,"state":"running"}]}`,
		`{"layout":2,"code":"upc-argument","severity":"bad","sentence":"s","of":2,"threads":[{"thread":1,"state":"running"}]}`,
		`{"layout":2,"end":66}`, locksLine, `{"layout":2,"end":0,"stop":true}`, barrierLine[:100],
	}, "\n")
	r, err := read([]byte(text))
	if err != nil || r.Bad != 7 || len(r.Findings) != 1 || !r.Ended || r.Status != 66 || !r.Stop {
		t.Errorf("%v, bad %d, findings %d, ended %v with %d, stop %v", err, r.Bad, len(r.Findings), r.Ended,
			r.Status, r.Stop)
	}
}

// A finding about one thread that is reported again is counted.
func TestTheSameAgain(t *testing.T) {
	l := `{"layout":2,"code":"upc-argument","severity":"error","sentence":"s","of":2,"threads":[{"thread":1,"state":"running","operation":"upc_memget","file":"/a.upc","line":3}]}` + "\n"
	if r, err := read([]byte(l + l + strings.ReplaceAll(l, `"line":3`, `"line":4`))); err != nil ||
		len(r.Findings) != 2 || r.Findings[0].Count != 2 {
		t.Errorf("%v, %+v", err, r.Findings)
	}
}

// A finding that several threads tell of themselves, at one place and in the same words, is one about all of them.
func TestTheSameOfSeveralThreads(t *testing.T) {
	of := func(thread, said string) string {
		return `{"layout":2,"code":"upc-suspicious","severity":"warning","sentence":"Thread ` + thread +
			` is at upc_lock_attempt: ` + said + `.","of":3,"threads":[{"thread":` + thread +
			`,"state":"running","operation":"upc_lock_attempt","file":"/a.upc","line":3}]}` + "\n"
	}
	r, err := read([]byte(of("2", "so") + of("0", "so") + of("1", "otherwise") + of("0", "so")))
	if err != nil || len(r.Findings) != 2 {
		t.Fatalf("%v, %+v", err, r.Findings)
	}
	f := r.Findings[0]
	if f.Count != 3 || !reflect.DeepEqual(f.Ranks, []int{0, 2}) || len(f.Places) != 2 || f.Places[0].Rank != 0 ||
		f.Sentence != "Thread 0 is at upc_lock_attempt: so." {
		t.Errorf("%+v", f)
	}
	if f := r.Findings[1]; f.Count != 1 || !reflect.DeepEqual(f.Ranks, []int{1}) {
		t.Errorf("%+v", f)
	}
}

// An end from outside is asked for by a separate line, not by what a finding quotes.
func TestWhoWantsToBeEnded(t *testing.T) {
	dir := t.TempDir()
	put := func(text string) {
		if err := os.WriteFile(filepath.Join(dir, layout.FindingsName), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	long := strings.Repeat(barrierLine+"\n", 200)
	for text, want := range map[string]bool{
		"": false, long: false, `{"layout":2,"end":3}` + "\n": false,
		`{"layout":2,"sentence":"of ,\"stop\":true}"}` + "\n": false,
		`{"layout":2,"end":3,"stop":true}` + "\n":             true, long + `{"layout":2,"end":3,"stop":true}` + "\n" +
			barrierLine + "\n": true,
	} {
		if put(text); wantsEnd(dir) != want {
			t.Errorf("%.100q: want %v", text, want)
		}
	}
	if wantsEnd(t.TempDir()) {
		t.Error("without a file")
	}
}

// A program of another version of unknot is refused in one sentence, by its lines and by what it waits for.
func TestAnotherVersionIsRefused(t *testing.T) {
	const want = "it was compiled by another version of unknot, which writes layout 9 where this one reads layout 2; " +
		"hint: compile it again with this one"
	for name, text := range map[string]string{
		"upc-findings": valueLine + "\n" + `{"layout":9,"code":"upc-argument","new":[]}` + "\n",
		"upc.17": string(binary.NativeEndian.AppendUint64(nil, 9<<48|layout.WaitsMark&(1<<48-1))) +
			"what follows is not known",
	} {
		dir := t.TempDir()
		if err := Prepare(dir); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if r, err := Read(dir); err == nil || err.Error() != want || len(r.Findings) != 0 {
			t.Errorf("%s: %v, %+v", name, err, r)
		}
		if n := Threads(dir); n != 0 {
			t.Errorf("%s: %d threads", name, n)
		}
	}
}

func TestWithoutAFile(t *testing.T) {
	dir := t.TempDir()
	if r, err := Read(dir); err != nil || len(r.Findings) != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	if err := Prepare(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, layout.FindingsName), []byte(valueLine+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r, err := Read(dir); err != nil || len(r.Findings) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}

// Whatever is in the file, what is made of it is a valid document.
func FuzzRead(f *testing.F) {
	for _, l := range []string{barrierLine, locksLine, valueLine, errorLine, `{"layout":2,"end":3}`} {
		f.Add([]byte(l))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r, _ := read(text)
		for _, found := range r.Findings {
			run := finding.Run{Schema: finding.Schema, Ranks: mostThreads, Findings: []finding.Finding{found}}
			if err := run.Validate(); err != nil {
				t.Errorf("%v of %q", err, text)
			}
		}
	})
}
