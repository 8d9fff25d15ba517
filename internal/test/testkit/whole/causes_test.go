package whole

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"unknot/internal/test/testkit"
	"unknot/internal/vocab/finding"
)

// What a program under testdata/causes wants, in comments at its head:
//
//	code: CODE            of its first finding
//	sentence: TEXT        what that begins with
//	note: TEXT            one of its notes has the text
//	hint: TEXT            its hint begins with the text
//	without: TEXT         neither its sentence nor a note has the text
//	agents: each          it is watched with an agent for each rank, too; nightly all are
//	parting: ROW; …       where the ranks part: ranks, the call, and the comment at its line; the rows below the first stand beside each other
//
// The line with the comment "related" is among the places that notes name; there is no other such line but that with
// the comment "common".
var cause = regexp.MustCompile(`(?m)^/\* (code|sentence|note|hint|without|agents|parting): (.*) \*/$`)

// TestTheCauseIsTheFirstSentence runs programs with mistakes of which the cause is known, and such in which it is not.
func TestTheCauseIsTheFirstSentence(t *testing.T) {
	here, err := filepath.Abs("testdata/causes")
	if err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(here + "/*.c")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	onBothMPIs(t, func(t *testing.T, unknot, mpi string) {
		for turn, path := range paths {
			if !hasTurn(mpi, turn) {
				continue
			}
			name := strings.TrimSuffix(filepath.Base(path), ".c")
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				p, err := program(filepath.Dir(path), name)
				if err != nil {
					t.Fatal(err)
				}
				x := Example{Name: "causes-" + name, Want: Expectation{Ranks: 4}}
				ways := []string{"0"} // ranks an agent
				if testkit.Nightly() || strings.Contains(p.Text, "/* agents: each */") {
					ways = append(ways, "1")
				}
				for _, ranks := range ways {
					w := watch(t, unknot, programCache(t), mpi, x, p, "--ranks-per-agent", ranks)
					if len(w.Run.Findings) == 0 {
						t.Fatalf("with %s ranks an agent nothing was found", ranks)
					}
					hold(t, p, &w.Run.Findings[0])
				}
			})
		}
	})
}

// hold holds a finding to what its program wants.
func hold(t *testing.T, p Program, f *finding.Finding) {
	notes := finding.Sentences(f.Notes)
	has := func(list []string, text string) bool {
		return slices.ContainsFunc(list, func(s string) bool { return strings.Contains(s, text) })
	}
	parting := ""
	for _, m := range cause.FindAllStringSubmatch(p.Text, -1) {
		switch kind, text := m[1], m[2]; {
		case kind == "code" && f.Code != finding.Code(text),
			kind == "sentence" && !strings.HasPrefix(f.Sentence, text),
			kind == "note" && !has(notes, text),
			kind == "hint" && !strings.HasPrefix(f.Hint, text),
			kind == "without" && has(append(notes, f.Sentence), text):
			t.Errorf("%s %q, but %s: %s\nnotes: %q\nhint: %s", kind, text, f.Code, f.Sentence, notes, f.Hint)
		case kind == "parting":
			parting = text
		}
	}
	marked := func(line int) string {
		_, mark, _ := strings.Cut(strings.Split(p.Text, "\n")[line-1], "/* ")
		return strings.TrimSuffix(mark, " */")
	}
	var rows []string
	for _, m := range f.Timeline {
		rows = append(rows, fmt.Sprintf("%s %s %s", strings.Trim(fmt.Sprint(m.Ranks), "[]"), m.Did, marked(m.Line)))
	}
	if got := strings.Join(rows, "; "); got != parting {
		t.Errorf("the ranks part at %q, want %q", got, parting)
	}
	for i := range f.Timeline {
		if m := &f.Timeline[i]; m.Racing != (len(f.Timeline)-i <= 2) {
			t.Errorf("row %d is where the ranks went: %v", i, m.Racing)
		}
	}
	related := 0
	for _, at := range f.Related {
		if mark := marked(at.Line); mark == "related" {
			related++
		} else if parting == "" {
			t.Errorf("line %d (%s) is named", at.Line, mark)
		}
	}
	if want := strings.Count(p.Text, "/* related */"); related != want {
		t.Errorf("%d related places, want %d: %v", related, want, f.Related)
	}
}
