package jsonlog

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"unknot/internal/trace"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/op"
)

// small is a log with a bit of everything.
func small() *trace.Log {
	return &trace.Log{
		Head:  trace.Head{Ranks: 2, Command: []string{"mpirun", "<app>"}},
		Funcs: []string{"MPI_Isend", "MPI_Waitany", "MPI_Testany", "MPI_Iprobe", "MPI_Recv", "MPI_Bcast"},
		Comms: []trace.Comm{{ID: 1, Name: "MPI_COMM_WORLD", Members: []op.Rank{0, 1}},
			{ID: 1 << 63, Name: "a window", Members: []op.Rank{1}, Remote: []op.Rank{0}, Inner: true}},
		Sites: []trace.Site{{}, {Function: "main", File: "a.c", Line: 7},
			{Module: "libx.so", Offset: 1 << 40, Stack: 1}},
		Stacks: [][]finding.Frame{nil, {{Module: "libx.so", Offset: 1 << 40, Library: "x"},
			{Function: "main", File: "a.c", Line: 9}}},
		Threads: []trace.Thread{
			{Rank: 0, Parts: []trace.Part{{Kind: op.Send, Mode: op.Synchronous, Peer: 1, Tag: 3, Bytes: 8,
				Matched: op.Unknown, MatchedTag: int32(op.Unknown), Nth: 4}},
				Ops: []trace.Op{{Fn: 0, Site: 1, Returned: true, Started: 1},
					{Fn: 1, Blocking: true, Any: true, Returned: true, Choice: true, Nth: 12, First: 1, Waiting: 1}},
				Polls: []trace.Poll{{Before: 1, Fn: 2, Any: true, Count: 11, Site: 1, WaitAt: 1, Waiting: 1},
					{Before: 2, Fn: 3, Probe: true, Count: 1, Nth: 11, WaitAt: 2, Comm: 1, Peer: op.AnySource, Tag: 5}},
				Waits: []trace.Wait{{Part: 0, Done: true}, {Part: 0}}},
			{Rank: 1, Parts: []trace.Part{
				{Kind: op.Recv, Wild: true, Peer: op.AnySource, Tag: op.AnyTag, Bytes: -1, Matched: 0, MatchedTag: 3},
				{Kind: op.Coll, Sync: op.SyncFromRoot, Bytes: -1, Comm: 1, Seq: 9, What: 1<<64 - 1, Matched: op.Unknown,
					MatchedTag: int32(op.Unknown)}},
				Ops: []trace.Op{{Fn: 4, Site: 2, Blocking: true, Returned: true, Started: 1, Waiting: 1},
					{Fn: 5, Blocking: true, First: 1, Started: 1, WaitAt: 1, Waiting: 1}},
				Waits: []trace.Wait{{Thread: 1, Part: 0, Done: true}, {Thread: 1, Part: 1}}},
		},
		Cut: "the disk is full",
	}
}

func TestJSONKeepsALog(t *testing.T) {
	var b bytes.Buffer
	if err := Write(&b, small()); err != nil {
		t.Fatal(err)
	}
	have, err := Read(&b, "x.json")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(small(), have); diff != "" {
		t.Errorf("it comes back with (- written, + read):\n%s", diff)
	}
}

// What cannot be is refused with its place: nothing that is read may lead out of its list.
func TestWhatCannotBeIsRefused(t *testing.T) {
	var b bytes.Buffer
	if err := Write(&b, small()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{`"unknot-trace-1"`, `"other"`, `x.json: format "other", expected "unknot-trace-1"; hint: `},
		{`"ranks": 2`, `"ranks": 0`, `head.ranks is 0, expected 1 to`},
		{`"ranks": 2`, `"ranks": 3`, `there are threads of 2 ranks, expected 3`},
		{`"ranks": 2`, `"ranks": "2"`, `cannot unmarshal`},
		{`"site": 2`, `"site": 3`, `threads[1]: calls[0]: site 3 of 3`},
		{`"kind": "recv"`, `"kind": "get"`, `threads[1]: calls[0].parts[0]: kind "get", expected one of`},
		{`"mode": "synchronous"`, `"mode": "ready"`, `mode "ready", expected one of`},
		{`"sync": "from-root"`, `"sync": ""`, `sync "", expected one of`},
		{`"communicator": 1`, `"communicator": 2`, `communicator 2 of 2`},
		{`"before": 2`, `"before": 3`, `threads[0]: polls[1]: before is 3, expected 1 to 2`},
		{`"before": 2`, `"before": 0`, `threads[0]: polls[1]: before is 0, expected 1 to 2`},
		{`"tag": 5`, `"tog": 5`, `threads[0]: polls[1]: a communicator, expected peer and tag as well, and no waits`},
		{`"met": 0`, `"met": 2`, `rank 2 of 2`},
		{`"part": 1`, `"part": 2`, `threads[1] waits for part 2 of thread 1, which is not there`},
		{`"rank": 1`, `"rank": 0`, `threads[1] is of rank 0, expected rank 1`},
		{"}\n ],\n \"sites\"", "", `x.json: byte `},
	} {
		text := b.String()
		if !strings.Contains(text, c.old) {
			t.Fatalf("no %q in\n%s", c.old, text)
		}
		_, err := Read(strings.NewReader(strings.Replace(text, c.old, c.new, 1)), "x.json")
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "x.json: ") ||
			!strings.Contains(err.Error(), "; hint: ") {
			t.Errorf("%s for %s: %v\nwant %s", c.new, c.old, err, c.want)
		}
	}
	if _, err := Read(strings.NewReader(b.String()[:100]), "x.json"); err == nil ||
		!strings.Contains(err.Error(), "x.json: the JSON ends in the middle; hint: ") {
		t.Errorf("%v", err)
	}
}

func FuzzRead(f *testing.F) {
	var b bytes.Buffer
	if err := Write(&b, small()); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, text []byte) {
		log, err := Read(bytes.NewReader(text), "x.json")
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := Write(&out, log); err != nil {
			t.Fatal(err)
		}
	})
}
