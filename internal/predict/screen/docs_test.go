package screen

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestLogsOfTheDocument screens each log of docs/screening.md in both ways, and holds the flags to those that stand
// there.
func TestLogsOfTheDocument(t *testing.T) {
	page, err := os.ReadFile("../../../docs/screening.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```text\n(.*?)```").FindAllSubmatch(page, -1)
	if len(blocks) < 10 {
		t.Fatalf("docs/screening.md has %d logs", len(blocks))
	}
	for _, block := range blocks {
		written := string(block[1])
		l := parse(t, written)
		r := Log(l)
		if have, want := flagsWritten(l, r), listed(written, "# here:"); !slices.Equal(have, want) ||
			r.Certificate() != (len(want) == 0) {
			t.Errorf("%s\nhere it gives %q, certificate %v", written, have, r.Certificate())
		}
		old := []string{}
		for _, own := range Published(l, inOrder(l), true) {
			for _, c := range own {
				if c.Flagged {
					old = append(old, call(l, Place{Thread: c.Thread, Op: c.Op}))
				}
			}
		}
		if want := listed(written, "# published:"); !slices.Equal(old, want) {
			t.Errorf("%s\nthe published form gives %q", written, old)
		}
	}
}

// listed are the flags after a heading.
func listed(written, heading string) []string {
	_, after, _ := strings.Cut(written, heading)
	line, _, _ := strings.Cut(after, "\n")
	if line = strings.TrimSpace(line); line == "" {
		return []string{}
	}
	return strings.Split(line, ", ")
}
