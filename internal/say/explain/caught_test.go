package explain

import (
	"strings"
	"testing"

	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// Exceptions are said of the ranks that alone have caught them; the hint is about them if such a rank is at its end.
func TestCaughtExceptionsAreSaidOfSomeRanks(t *testing.T) {
	described := func(rank op.Rank, kinds ...string) *message.Described {
		d := &message.Described{Key: message.Key{Rank: rank}}
		for _, k := range kinds {
			d.Shape.Caught = append(d.Shape.Caught, message.Exception{Kind: k, Text: "text", File: "/a/b.py", Line: 3})
		}
		return d
	}
	for _, c := range []struct {
		name         string
		waits, ended *message.Described
		notes        string
		hint         bool
	}{
		{"the ended one", described(0), described(1, "ValueError"),
			"before this, rank 1 raised ValueError at b.py:3 and continued: text", true},
		{"the waiting one", described(0, "ValueError"), described(1),
			"before this, rank 0 raised ValueError at b.py:3 and continued: text", false},
		{"both", described(0, "ValueError"), described(1, "ValueError"), "", false},
		{"both, and another one", described(0, "ValueError"), described(1, "ValueError", "Stop"),
			"before this, rank 1 raised Stop at b.py:3 and continued: text", true},
		{"none", described(0), described(1), "", false},
	} {
		s := Story{Members: []Member{{Described: c.waits}}, Witness: []*message.Described{c.ended}}
		f := finding.Finding{Hint: "as before"}
		s.swallowed(&f)
		if got := strings.Join(finding.Sentences(f.Notes), "\n"); got != c.notes {
			t.Errorf("%s: %q, want %q", c.name, got, c.notes)
		}
		if changed := f.Hint != "as before"; changed != c.hint {
			t.Errorf("%s: hint %q", c.name, f.Hint)
		}
	}
}
