package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestKnownDifferencesExplainFailures: one that is not seen any more is said in a whole row, unless it is one that is seen only sometimes.
func TestKnownDifferencesExplainFailures(t *testing.T) {
	path := filepath.Join(t.TempDir(), "differences.tsv")
	const text = "# a comment\nsid/mpich\tchecks:always\tone reason\nsid/.*\tsometimes checks:now-and-then\tanother\nsid/openmpi\t.*\tof another row\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	known, err := readDifferences(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		failed  []string
		excused []int
		whole   bool
		want    []string
	}{
		{failed: []string{"checks:always", "checks:now-and-then"}, excused: []int{1, 2}, whole: true},
		{failed: []string{"checks:always"}, excused: []int{1}, whole: true},
		{whole: true, want: []string{"no test ^(?:checks:always)$ fails any more; hint: take its line from the list of differences"}},
		{},
		{failed: []string{"checks:always", "checks:new"}, excused: []int{1}, want: []string{"checks: checks:new failed"}},
	} {
		r := row{release: "sid", library: "mpich", results: []result{{part: part{name: "checks"}, failed: c.failed}}}
		if got := r.judge(known, c.whole); !slices.Equal(got, c.want) || !slices.Equal(r.results[0].excused, c.excused) {
			t.Errorf("%q: %q, excused %v; want %q, %v", c.failed, got, r.results[0].excused, c.want, c.excused)
		}
	}
}
