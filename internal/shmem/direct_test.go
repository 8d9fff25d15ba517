package shmem_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"unknot/internal/vocab/finding"
)

// pesMark is the comment that says with how many PEs a program is run.
var pesMark = regexp.MustCompile(`^/\* PEs: (\d)\.`)

func TestEachLoadOrStoreOfAnotherPEsMemoryThatRacesIsTold(t *testing.T) {
	for _, source := range sources(t, "testdata/direct/*.c*") {
		t.Run(filepath.Base(source), func(t *testing.T) {
			_, parts := remarks(t, source, pesMark)
			pes, want := parts[0][1], marked(t, source)
			run, text := watched(t, pes, tested(t, source))
			if !slices.Equal(told(run), want) {
				t.Errorf("told %q, want %q\n%s", told(run), want, text)
			}
			for _, f := range run.Findings {
				if !slices.ContainsFunc(f.Places, func(p finding.Place) bool { return p.Call == "" }) ||
					!strings.Contains(f.Sentence, " by an address of shmem_ptr at ") {
					t.Errorf("no access by shmem_ptr: %s", f.Sentence)
				}
			}
			if run, text := watched(t, pes, tested(t, source, "FIXED")); len(run.Findings) > 0 || run.Exit != 0 ||
				!run.Complete {
				t.Errorf("corrected: %q, status %d\n%s", told(run), run.Exit, text)
			}
		})
	}
}
