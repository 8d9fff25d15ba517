package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestAFindingIsComparedWithTheMarkedLines(t *testing.T) {
	dir := t.TempDir()
	source, report := filepath.Join(dir, "p.c"), filepath.Join(dir, "r.json")
	for path, text := range map[string]string{
		source: "a();\nput(); // race\nload(); // race\n",
		report: `{"findings": [
			{"code": "c", "severity": "error", "places": [{"file": "/x/p.c", "line": 2}],
			 "related": [{"file": "/x/p.c", "line": 3}]},
			{"code": "d", "severity": "warning", "places": [{"file": "/x/p.c", "line": 1}]},
			{"code": "e", "severity": "warning", "places": []},
			{"code": "f", "severity": "info", "places": []}]}`,
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	marks, err := marked(source)
	if want := []string{"p.c:2", "p.c:3"}; err != nil || !slices.Equal(marks, want) {
		t.Fatalf("%v, %v; want %v", marks, err, want)
	}
	all, err := findings(report)
	got := describe(all, marks)
	const want = "`c` at the places; `d` (warning) also at p.c:1; `e` (warning) without a place"
	if err != nil || got != want {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	if got := describe(nil, marks); got != "nothing" {
		t.Errorf("no finding is %q", got)
	}
}
