//go:build !quick

package explore

import (
	"strings"
	"testing"

	"unknot/internal/observe/ring"
	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// TestWhatRanksHearOfEachOtherByFilesIsTold judges notes of two ranks and more.
func TestWhatRanksHearOfEachOtherByFilesIsTold(t *testing.T) {
	note := func(rank op.Rank, kind ring.InteractionKind, fn, path string, ino uint64, changed bool) trace.Interaction {
		return trace.Interaction{Rank: rank, Kind: kind, Func: fn, Path: path, Ino: ino, Dev: 1, Changed: changed,
			Site: 1 + uint32(rank)}
	}
	const (
		read    = ring.InteractionRead
		lacked  = ring.InteractionMissing
		wrote   = ring.InteractionWrote
		process = ring.InteractionProcess
	)

	dir := ring.InteractionRead | ring.InteractionDir
	for _, c := range []struct {
		name  string
		notes []trace.Interaction
		want  string
	}{
		{"input", []trace.Interaction{note(0, read, "fopen", "/d/in", 1, false),
			note(1, read, "fopen", "/d/in", 1, false),
			note(1, lacked, "stat", "/d/options", 0, false)}, ""},
		{"output", []trace.Interaction{note(0, wrote, "write", "/d/out", 2, true),
			note(1, wrote, "write", "/d/out", 2, true)}, ""},
		{"one's own", []trace.Interaction{note(0, lacked, "open", "/d/own", 0, false),
			note(0, wrote, "write", "/d/own", 3,
				true), note(0, read, "read", "/d/own", 3, true)}, ""},
		{"another's", []trace.Interaction{note(0, read, "read", "/d/x", 3, true),
			note(1, wrote, "write", "/d/x", 3, true)},
			"rank 0 looks at the file x by read (a.c:10), which rank 1 changes by write (a.c:11)"},
		{"by another path", []trace.Interaction{note(0, read, "read", "/e/x", 3, false),
			note(1, wrote, "write", "/d/x", 3, true)},
			"rank 0 looks at the file x by read (a.c:10), which rank 1 changes by write (a.c:11)"},
		{"on another host", []trace.Interaction{note(0, read, "read", "/d/x", 3, false),
			note(1, wrote, "rename", "/d/x", 4, true)},
			"rank 0 looks at the file x by read (a.c:10), which rank 1 changes by rename (a.c:11)"},
		{"not there yet", []trace.Interaction{note(1, wrote, "open", "/d/flag", 3, true),
			note(2, lacked, "access", "/d/flag", 0, false)},
			"rank 2 looks for the file flag by access (a.c:12), which rank 1 changes by open (a.c:11)"},
		{"removed files", []trace.Interaction{note(1, wrote, "write", "/tmp/#7 (deleted)", 3, true),
			note(0, wrote, "write", "/tmp/#7 (deleted)", 4, true),
			note(0, read, "read", "/tmp/#7 (deleted)", 4, true)}, ""},
		{"somebody else's", []trace.Interaction{note(1, read, "open", "/d/x", 3, true)},
			"rank 1 looks at the file x by open (a.c:11), which has changed since the run began"},
		{"a directory", []trace.Interaction{note(0, dir, "opendir", "/d", 9, true),
			note(1, wrote, "open", "/d/x", 3, true)},
			"rank 0 looks at the files in d by opendir (a.c:10), which rank 1 changes by open (a.c:11)"},
		{"whether there is a directory", []trace.Interaction{note(0, dir, "stat", "/d", 9, true),
			note(1, wrote, "open", "/d/x", 3, true)}, ""},
		{"modules", []trace.Interaction{note(0, read, "open", "/d/__pycache__/m.cpython-311.pyc", 3, true),
			note(1, wrote, "rename", "/d/__pycache__/m.cpython-311.pyc", 3, true)}, ""},
		{"a process", []trace.Interaction{note(0, process, "waitpid", "", 0, false),
			note(1, process, "kill", "", 0, false),
			note(1, process, "kill", "", 0, false)},
			"rank 0 may hear of other processes by waitpid (a.c:10) (and 1 more of the kind)"},
		{"a signal", []trace.Interaction{note(1, process, "kill", "", 0, false)},
			"rank 1 signals another process by kill (a.c:11)"},
		{"an alarm", []trace.Interaction{note(1, process, "alarm", "", 0, false)},
			"rank 1 lets the time interrupt it by alarm (a.c:11)"},
		{"too much", []trace.Interaction{note(1, ring.InteractionFull, "", "", 0, false)},
			"rank 1 has to do with more files than are noted"},
		{"the time", []trace.Interaction{note(1, ring.InteractionTime, "time", "", 0, false),
			note(1, ring.InteractionRandom, "getrandom",
				"", 0, false)}, ""},
	} {
		l := &trace.Log{Sites: []trace.Site{{}, {File: "/src/a.c", Line: 10}, {File: "/src/a.c", Line: 11},
			{File: "/src/a.c", Line: 12}}, Interactions: c.notes}
		if said := external(l); said != c.want {
			t.Errorf("%s: %q, want %q", c.name, said, c.want)
		}
		if asked := asks(l); asked != (c.name == "the time") {
			t.Errorf("%s: asks for the time: %v", c.name, asked)
		}
	}
}

// TestRunsThatShareFilesAreNotAlone judges the notes of runs one after the other: what a run looks at counts only if
// others were under way meanwhile, and a run changes it that is not the same.
func TestRunsThatShareFilesAreNotAlone(t *testing.T) {
	note := func(kind ring.InteractionKind, fn, path string) trace.Interaction {
		return trace.Interaction{Kind: kind, Func: fn, Path: path, Ino: 1, Dev: 1, Changed: true, Site: 1}
	}
	const read, lacked, wrote = ring.InteractionRead, ring.InteractionMissing, ring.InteractionWrote
	dir := ring.InteractionRead | ring.InteractionDir
	type made struct {
		beside bool
		notes  []trace.Interaction
	}
	own := []trace.Interaction{note(lacked, "access", "/d/x"),
		note(wrote, "fopen", "/d/x"), note(read, "access", "/d/x")}
	for _, c := range []struct {
		name string
		runs []made
		want string // of the last one
	}{
		{"alone", []made{{false, own}, {false, own}}, ""},
		{"the first to do so", []made{{false, nil}, {true, own}}, ""},
		{"both", []made{{false, nil}, {true, own}, {true, own}},
			"rank 0 looks at the file x by access (a.c:10), which runs made at the same time change too"},
		{"after one that was alone", []made{{false, own}, {true, own}}, "rank 0 looks at the file x by access"},
		{"changed by the next", []made{{true, []trace.Interaction{note(lacked, "stat", "/d/x")}},
			{true, []trace.Interaction{note(wrote, "open", "/d/x")}}},
			"rank 0 looks for the file x by stat"},
		{"in a directory", []made{{true, []trace.Interaction{note(dir, "opendir", "/d")}},
			{true, []trace.Interaction{note(wrote, "open", "/d/y")}}},
			"rank 0 looks at the files in d by opendir"},
		{"whether there is a directory", []made{{true, []trace.Interaction{note(dir, "stat", "/d")}},
			{true, []trace.Interaction{note(wrote, "open", "/d/y")}}}, ""},
		{"files without names",
			[]made{{true, []trace.Interaction{note(wrote, "write", "/tmp/#7 (deleted)"),
				note(read, "read", "/tmp/#7 (deleted)")}},
				{true, []trace.Interaction{note(wrote, "write", "/tmp/#7 (deleted)"),
					note(read, "read", "/tmp/#7 (deleted)")}}},
			""},
		{"others' names", []made{{true, []trace.Interaction{note(wrote, "open", "/d/1"), note(read, "read", "/d/1")}},
			{true, []trace.Interaction{note(wrote, "open", "/d/2"), note(read, "read", "/d/2")}}}, ""},
		{"output", []made{{true, []trace.Interaction{note(wrote, "open", "/d/out")}},
			{true, []trace.Interaction{note(wrote, "open", "/d/out")}}}, ""},
		{"input", []made{{true, []trace.Interaction{note(read, "open", "/d/in")}},
			{true, []trace.Interaction{note(read, "open", "/d/in")}}}, ""},
	} {
		x := &explorer{state: emptyState()}
		said := ""
		for i, m := range c.runs {
			r := &result{ID: i}
			said = x.state.files.company(r, &trace.Log{Sites: []trace.Site{{}, {File: "/src/a.c", Line: 10}},
				Interactions: m.notes},
				m.beside)
			x.state.take(line{Done: r})
		}
		if c.want == "" && said != "" || !strings.HasPrefix(said, c.want) {
			t.Errorf("%s: %q, want %q", c.name, said, c.want)
		}
	}
}

// TestWhatARunWithOtherClocksShowsIsTold: it counts only if the program has seen them and ended normally.
func TestWhatARunWithOtherClocksShowsIsTold(t *testing.T) {
	seen, unseen := &trace.Log{Interactions: []trace.Interaction{{Kind: ring.InteractionTime, Changed: true}}},
		&trace.Log{Interactions: []trace.Interaction{{Kind: ring.InteractionTime}}}
	for _, c := range []struct {
		clocks   int
		r        result
		log      *trace.Log
		contrary string
		want     string
	}{
		{0, result{}, unseen, "rank 0 made a different call", ""},
		{1, result{Calls: 4}, seen, "", ""},
		{1, result{Calls: 4}, seen, "rank 0 made a different call",
			"with other clocks and random numbers, rank 0 made a different call"},
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
