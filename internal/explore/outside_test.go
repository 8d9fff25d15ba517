package explore

import (
	"strings"
	"testing"

	"unknot/internal/op"
	"unknot/internal/ring"
	"unknot/internal/trace"
)

// TestWhatRanksHearOfEachOtherByFilesIsTold judges notes of two ranks and more.
func TestWhatRanksHearOfEachOtherByFilesIsTold(t *testing.T) {
	note := func(rank op.Rank, kind ring.NotedKind, fn, path string, ino uint64, changed bool) trace.Noted {
		return trace.Noted{Rank: rank, Kind: kind, Func: fn, Path: path, Ino: ino, Dev: 1, Changed: changed, Site: 1 + uint32(rank)}
	}
	const read, lacked, wrote, heardOf = ring.NotedRead, ring.NotedLacked, ring.NotedWrote, ring.NotedHeard
	dir := ring.NotedRead | ring.NotedDir
	for _, c := range []struct {
		name  string
		notes []trace.Noted
		want  string
	}{
		{"input", []trace.Noted{note(0, read, "fopen", "/d/in", 1, false), note(1, read, "fopen", "/d/in", 1, false), note(1, lacked, "stat", "/d/options", 0, false)}, ""},
		{"output", []trace.Noted{note(0, wrote, "write", "/d/out", 2, true), note(1, wrote, "write", "/d/out", 2, true)}, ""},
		{"one's own", []trace.Noted{note(0, lacked, "open", "/d/own", 0, false), note(0, wrote, "write", "/d/own", 3, true), note(0, read, "read", "/d/own", 3, true)}, ""},
		{"another's", []trace.Noted{note(0, read, "read", "/d/x", 3, true), note(1, wrote, "write", "/d/x", 3, true)},
			"rank 0 looks at the file x by read (a.c:10), which rank 1 changes by write (a.c:11)"},
		{"by another path", []trace.Noted{note(0, read, "read", "/e/x", 3, false), note(1, wrote, "write", "/d/x", 3, true)},
			"rank 0 looks at the file x by read (a.c:10), which rank 1 changes by write (a.c:11)"},
		{"on another host", []trace.Noted{note(0, read, "read", "/d/x", 3, false), note(1, wrote, "rename", "/d/x", 4, true)},
			"rank 0 looks at the file x by read (a.c:10), which rank 1 changes by rename (a.c:11)"},
		{"not there yet", []trace.Noted{note(1, wrote, "open", "/d/flag", 3, true), note(2, lacked, "access", "/d/flag", 0, false)},
			"rank 2 looks for the file flag by access (a.c:12), which rank 1 changes by open (a.c:11)"},
		{"removed files", []trace.Noted{note(1, wrote, "write", "/tmp/#7 (deleted)", 3, true), note(0, wrote, "write", "/tmp/#7 (deleted)", 4, true),
			note(0, read, "read", "/tmp/#7 (deleted)", 4, true)}, ""},
		{"somebody else's", []trace.Noted{note(1, read, "open", "/d/x", 3, true)}, "rank 1 looks at the file x by open (a.c:11), which has changed since the run began"},
		{"a directory", []trace.Noted{note(0, dir, "opendir", "/d", 9, true), note(1, wrote, "open", "/d/x", 3, true)},
			"rank 0 looks at the files in d by opendir (a.c:10), which rank 1 changes by open (a.c:11)"},
		{"whether there is a directory", []trace.Noted{note(0, dir, "stat", "/d", 9, true), note(1, wrote, "open", "/d/x", 3, true)}, ""},
		{"modules", []trace.Noted{note(0, read, "open", "/d/__pycache__/m.cpython-311.pyc", 3, true), note(1, wrote, "rename", "/d/__pycache__/m.cpython-311.pyc", 3, true)}, ""},
		{"a process", []trace.Noted{note(0, heardOf, "waitpid", "", 0, false), note(1, heardOf, "kill", "", 0, false), note(1, heardOf, "kill", "", 0, false)},
			"rank 0 may hear of other processes by waitpid (a.c:10) (and 1 more of the kind)"},
		{"a signal", []trace.Noted{note(1, heardOf, "kill", "", 0, false)}, "rank 1 signals another process by kill (a.c:11)"},
		{"an alarm", []trace.Noted{note(1, heardOf, "alarm", "", 0, false)}, "rank 1 lets the time interrupt it by alarm (a.c:11)"},
		{"too much", []trace.Noted{note(1, ring.NotedFull, "", "", 0, false)}, "rank 1 has to do with more files than are noted"},
		{"the time", []trace.Noted{note(1, ring.NotedTime, "time", "", 0, false), note(1, ring.NotedRandom, "getrandom", "", 0, false)}, ""},
	} {
		l := &trace.Log{Sites: []trace.Site{{}, {File: "/src/a.c", Line: 10}, {File: "/src/a.c", Line: 11}, {File: "/src/a.c", Line: 12}}, Noted: c.notes}
		if said := heard(l); said != c.want {
			t.Errorf("%s: %q, want %q", c.name, said, c.want)
		}
		if asked := asks(l); asked != (c.name == "the time") {
			t.Errorf("%s: asks for the time: %v", c.name, asked)
		}
	}
}

// TestWhatARunWithOtherClocksShowsIsTold: it counts only if the program has seen them and came to its end.
func TestWhatARunWithOtherClocksShowsIsTold(t *testing.T) {
	seen, unseen := &trace.Log{Noted: []trace.Noted{{Kind: ring.NotedTime, Changed: true}}}, &trace.Log{Noted: []trace.Noted{{Kind: ring.NotedTime}}}
	for _, c := range []struct {
		clocks   int
		r        result
		log      *trace.Log
		contrary string
		want     string
	}{
		{0, result{}, unseen, "rank 0 made a different call", ""},
		{1, result{Calls: 4}, seen, "", ""},
		{1, result{Calls: 4}, seen, "rank 0 made a different call", "with other clocks and random numbers, rank 0 made a different call"},
		{2, result{Calls: 4, TimedOut: true}, seen, "", "did not end in time"},
		{1, result{Calls: 4}, unseen, "", "was not possible"},
		{1, result{Calls: 4, Crashed: true}, seen, "", "did not come to its end"},
		{1, result{}, nil, "", "did not come to its end"},
	} {
		said := acted(&item{Clocks: c.clocks}, &c.r, c.log, c.contrary)
		if c.want == "" && said != "" || !strings.Contains(said, c.want) {
			t.Errorf("%+v: %q, want %q", c, said, c.want)
		}
	}
}
