//go:build !quick

package symbol

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestExcerpt(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.c")
	text := "one\r\n\ttwo\nthree\x1b[2J\n" + strings.Repeat("ä", 5000) + "\nlast"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	lines, err := Excerpt(file, 2, 1)
	if err != nil || len(lines) != 3 || lines[0] != (SourceLine{1, "one", false}) ||
		lines[1] != (SourceLine{2, "\ttwo", true}) || lines[2].Text != "three\uFFFD[2J" {
		t.Errorf("got %+v, %v", lines, err)
	}
	lines, err = Excerpt(file, 5, 1)
	if err != nil || len(lines) != 2 || lines[1] != (SourceLine{5, "last", true}) ||
		lines[0].Text != strings.Repeat("ä", maxText/2)+"…" {
		t.Errorf("got %+v, %v", lines, err)
	}
	if _, err := Excerpt(file, 6, 1); err == nil || !strings.Contains(err.Error(), "has 5 lines, expected line 6") {
		t.Errorf("line 6 of 5: %v", err)
	}
	if _, err := Excerpt(t.TempDir(), 1, 1); err == nil {
		t.Error("a directory is no source")
	}
	if lines, err := Excerpt(file+".missing", 1, 1); lines != nil || err != nil {
		t.Errorf("missing file: %v, %v", lines, err)
	}
}
