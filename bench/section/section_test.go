package section

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"
)

func TestOnlyTheOwnSectionIsReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "R.md")
	for _, c := range []struct{ text, want string }{
		{"", "## B\nnew\n"},
		{"# A\n\nrows\n", "# A\n\nrows\n\n## B\nnew\n"},
		{"# A\n\n## B\nold\n| x |\n", "# A\n\n## B\nnew\n"},
		{"# A\n\n## B\nold\n\n## C\nkept\n", "# A\n\n## B\nnew\n\n## C\nkept\n"},
	} {
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := Replace(path, "## B", "## B\nnew\n"); err != nil {
				t.Fatal(err)
			}
			if got, _ := os.ReadFile(path); string(got) != c.want {
				t.Errorf("%q becomes %q, want %q", c.text, got, c.want)
			}
		}
	}
}

func TestWhatStandsUnderHeadingsIsNotTheDocumentsOwn(t *testing.T) {
	for _, c := range []struct{ text, own, others string }{
		{"", "", ""},
		{"# A\n\nrows ## no heading\n", "# A\n\nrows ## no heading\n", ""},
		{"# A\n\nrows\n\n## B\nb\n\n## C\nc\n", "# A\n\nrows\n\n", "## B\nb\n\n## C\nc\n"},
		{"## B\nb\n", "", "## B\nb\n"},
	} {
		if own, others := Own(c.text); own != c.own || others != c.others {
			t.Errorf("%q is %q and %q, want %q and %q", c.text, own, others, c.own, c.others)
		}
	}
}

func TestRowsAreThoseOfTheTablesUnderAHeading(t *testing.T) {
	path := filepath.Join(t.TempDir(), "R.md")
	text := "# A\n\n| a | 1 | before |\n\n## B\nwords\n\n| what | n | figure |\n|---|---|---|\n| a | 2 | x |\n" +
		"| b | 2 | y |\n\n## C\n| c | 3 | after |\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := Rows(path, "## B", 2)
	want := map[string]string{"what | n": "| what | n | figure |", "a | 2": "| a | 2 | x |", "b | 2": "| b | 2 | y |"}
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
}

func TestATableKeepsWhatIsNotMeasuredNow(t *testing.T) {
	table := Table{Before: map[string]string{"a | x": "| a | x | 1 s | then |", "b | x": "| b | x | 2 s | then |"},
		Only: regexp.MustCompile("^[acd]"), Deadline: time.Now().Add(time.Hour), Day: "now", Empty: " |"}
	for _, key := range []string{"a | x", "b | x", "c | x", "d | x"} {
		table.Add(t.Context(), key, func() (string, error) {
			if key == "d | x" {
				return "", errors.New("no such program")
			}
			return "3 s", nil
		})
	}
	lines, failed := table.Lines()
	want := "| a | x | 3 s | now |\n| b | x | 2 s | then |\n| c | x | 3 s | now |\n| d | x | not measured | |\n"
	if lines != want {
		t.Errorf("%s\nwant\n%s", lines, want)
	}
	if len(failed) != 1 || failed[0].Error() != "d | x: no such program" {
		t.Errorf("failed: %v", failed)
	}
}
