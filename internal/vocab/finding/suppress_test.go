package finding

import (
	"strings"
	"testing"
)

func TestSuppressionsMatch(t *testing.T) {
	f := &Finding{Code: Deadlock, Places: []Place{
		{Rank: 0, Frame: Frame{File: "/src/app/solver.c", Function: "solve", Line: 3},
			Stack: []Frame{{File: "main.c"}}},
		{Rank: 1, Frame: Frame{File: "/src/app/comm.cpp", Function: "app::Comm::exchange(int)", Line: 9}},
		{Rank: 2, Frame: Frame{Module: "/usr/lib/libx.so"}},
	}, Related: []Frame{{Function: "helper"}}}
	for rule, want := range map[string]bool{
		"deadlock":                              true,
		"*":                                     true,
		"livelock":                              false,
		"deadlock:solver.c":                     true,
		"deadlock:sol*.c":                       true,
		"deadlock:/src/app/solver.c":            true,
		"deadlock:/src/*/solver.c":              true,
		"deadlock:app/solver.c":                 false,
		"deadlock:main.c":                       false,
		"deadlock:solver.c:solve":               true,
		"deadlock:solver.c:other":               false,
		"deadlock:solver.c:app::*":              false,
		"deadlock::app::Comm::*":                true,
		"deadlock:*.cpp:app::Comm::exchange(*)": true,
		"deadlock : solver.c  # a known one":    true,
		"deadlock:libx.so":                      true,
		"deadlock:liby.so":                      false,
		"deadlock:/lib/libx.so":                 false,
		"deadlock:*.c:solve with helper":        true,
		"deadlock:*.c:solve with help*":         true,
		"deadlock:*.c:solve with other":         false,
		"# deadlock":                            false,
		"":                                      false,
	} {
		s, err := ParseSuppressions(strings.NewReader("\n"+rule+"\r\n"), "x", Own())
		if err != nil {
			t.Errorf("%q: %v", rule, err)
			continue
		}
		got, ok := s.Match(f)
		if ok != want {
			t.Errorf("%q: matched %v, want %v", rule, ok, want)
		}
		if ok && !strings.HasPrefix(rule, got) {
			t.Errorf("%q: reported as %q", rule, got)
		}
	}
	if _, ok := (*Suppressions)(nil).Match(f); ok {
		t.Error("no rules match something")
	}
}

func TestSuppressionErrorsNameTheLine(t *testing.T) {
	for input, want := range map[string]string{
		"deadlock\ndeadlok:x.c\n": `s.txt:2: unknown code "deadlok"; hint: did you mean "deadlock"?`,
		"dead-lock-unsafe":        `s.txt:1: unknown code "dead-lock-unsafe"; hint: did you mean "deadlock-unsafe"?`,
		"RankDied":                `s.txt:1: unknown code "RankDied"; hint: did you mean "rank-died"?`,
		"zzzzzzzzzzzzzz": "s.txt:1: unknown code \"zzzzzzzzzzzzzz\"; hint: `unknot explain` " +
			"lists the codes",
		"\n\ndeadlock:[a": `s.txt:3: bad file pattern "[a"; hint: close the bracket, or write \[ for a plain one`,
		"deadlock:a:[":    `s.txt:1: bad function pattern "["; hint: close the bracket, or write \[ for a plain one`,
		":x.c":            "s.txt:1: unknown code \"\"; hint: `unknot explain` lists the codes",
		"#\n" + strings.Repeat("x",
			5000): `s.txt:2: line is longer than 4096 characters; hint: write one rule a line, code[:file[:function]]`,
	} {
		_, err := ParseSuppressions(strings.NewReader(input), "s.txt", Own())
		if err == nil || err.Error() != want {
			t.Errorf("%.40q:\n got %v\nwant %s", input, err, want)
		}
	}
}

func FuzzParseSuppressions(f *testing.F) {
	f.Add("deadlock:*.c:main # why\n*::f")
	f.Add("deadlock:[a-")
	f.Fuzz(func(t *testing.T, input string) {
		s, err := ParseSuppressions(strings.NewReader(input), "f", Own())
		if err == nil {
			s.Match(&Finding{Code: Deadlock, Places: []Place{{Frame: Frame{File: "a/b.c", Function: "f"}}}})
		}
	})
}
