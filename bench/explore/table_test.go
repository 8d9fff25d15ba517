package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRowsThatAreNotMeasuredStay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "page.md")
	if err := os.WriteFile(path, []byte("# A page\n\nWhat others wrote.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := section{heading: "## Table", opening: "Rows.\n", rows: []row{
		{program: "first", buffering: "none", ranks: 4},
		{program: "second", called: "Other", buffering: "infinite", ranks: 8}}}
	for _, measured := range []map[string]string{
		{s.rows[1].key(): s.rows[1].key() + " once |"},
		{s.rows[0].key(): s.rows[0].key() + " twice |"},
	} {
		if err := s.write(path, measured, "Written."); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := "# A page\n\nWhat others wrote.\n\n## Table\n\nWritten.\n\nRows.\n\n" + head +
		"| `first` | 0 | 4 | twice |\n| Other: `second` | ∞ | 8 | once |\n"
	if string(text) != want {
		t.Errorf("the page is\n%s\nwant\n%s", text, want)
	}
}

func TestEachRowHasAProgram(t *testing.T) {
	seen := make(map[string]bool)
	for _, s := range sections() {
		for _, r := range s.rows {
			if _, err := os.Stat(filepath.Join("programs", r.program+".c")); err != nil {
				t.Error(err)
			}
			if seen[r.name()] {
				t.Errorf("%s is there twice", r.name())
			}
			seen[r.name()] = true
			if strings.Contains(r.key(), "| | ") {
				t.Errorf("%s has the key %s", r.name(), r.key())
			}
		}
	}
}
