package supervise

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"
)

// What a program or a file is called neither ends a line nor reaches the terminal as it is, and an error does not quote
// a file as a whole.
func TestNamesInSentencesAreEscaped(t *testing.T) {
	if got, want := Complaint(errors.Join(errors.New("a\x1b[2Jb"), errors.New("c"))),
		"unknot: a\\x1b[2Jb\nunknot: c"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := Complaint(errors.New("begins " + strings.Repeat("x", 1<<20) + " ends")); len(got) > 4096 ||
		!strings.Contains(got, "unknot: begins x") || !strings.HasSuffix(got, "x ends") ||
		!strings.Contains(got, "x … 1046540 bytes … x") {
		t.Errorf("%d bytes: %.80s", len(got), got)
	}
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	newScreen(out, "never").say("note: %s, %v: %s", "a\n::error::b", errors.New("c\x1bd"), lines("e\nf"))
	out.Close()
	text, err := io.ReadAll(in)
	if want := "unknot: note: a\\n::error::b, c\\x1bd: e\nf\n"; err != nil || string(text) != want {
		t.Errorf("%q, %v; want %q", text, err, want)
	}
}
