package shmem_test

import (
	"path/filepath"
	"slices"
	"testing"

	"unknot/internal/finding"
)

func TestEachLoadOrStoreThatRacesIsTold(t *testing.T) {
	for _, source := range sources(t, "testdata/own/*.c*") {
		t.Run(filepath.Base(source), func(t *testing.T) {
			want := marked(t, source)
			run, text := watched(t, "4", tested(t, source))
			if !slices.Equal(told(run), want) {
				t.Errorf("told %q, want %q\n%s", told(run), want, text)
			}
			for _, f := range run.Findings {
				if !slices.ContainsFunc(f.Places, func(p finding.Place) bool { return p.Call == "" }) {
					t.Errorf("no access of the program's own: %s", f.Sentence)
				}
			}
			if run, text := watched(t, "4", tested(t, source, "FIXED")); len(run.Findings) > 0 || run.Exit != 0 || !run.Complete {
				t.Errorf("corrected: %q, status %d\n%s", told(run), run.Exit, text)
			}
		})
	}
}

func TestProgramsWhoseLoadsAndStoresAreInOrderAreLeftAlone(t *testing.T) {
	for _, source := range slices.Concat(sources(t, "testdata/own-correct/*.c"), sources(t, "testdata/correct/*.c")) {
		t.Run(filepath.Base(source), func(t *testing.T) {
			for _, pes := range []string{"2", "4"} {
				if run, text := watched(t, pes, tested(t, source)); len(run.Findings) > 0 || run.Exit != 0 || !run.Complete {
					t.Errorf("%s PEs: %q, status %d\n%s", pes, told(run), run.Exit, text)
				}
			}
		})
	}
}
