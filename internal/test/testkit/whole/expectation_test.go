package whole

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"unknot/internal/vocab/finding"
)

func TestExpectationsAreConsistent(t *testing.T) {
	all := loadExamples(t)
	if len(all) < 30 {
		t.Errorf("%d examples, want at least 30", len(all))
	}
	for _, x := range all {
		t.Run(x.Name, func(t *testing.T) {
			w := x.Want
			if filepath.Ext(x.Broken.Path) != filepath.Ext(x.Fixed.Path) {
				t.Errorf("%s and %s are in different languages", x.Broken.Path, x.Fixed.Path)
			}
			if w.Shows == "" || w.Ranks < 2 || len(w.Core) == 0 || len(w.Places) == 0 {
				t.Errorf("expect.json lacks shows, ranks, core or places")
			}
			for _, mpi := range w.MPI {
				if mpi != "openmpi" && mpi != "mpich" {
					t.Errorf("unknown MPI %q", mpi)
				}
				if !slices.Contains([]string{"hangs", "ends", "fails"}, w.Plain[mpi]) {
					t.Errorf("plain on %s is %q, want hangs, ends or fails", mpi, w.Plain[mpi])
				}
			}
			codes := []finding.Code{finding.Deadlock, finding.DeadlockUnsafe, finding.Livelock, finding.RankDied,
				finding.CollectiveMismatch}
			if !slices.Contains(codes, w.Code) {
				t.Errorf("unknown code %q", w.Code)
			}
			if wrong := w.Severity == finding.Error; wrong != (w.Exit == 66) {
				t.Errorf("severity %s does not go with exit status %d", w.Severity, w.Exit)
			}
			for _, r := range w.Core {
				if !slices.ContainsFunc(w.Places, func(p PlaceWant) bool { return p.Rank == r }) {
					// A rank that shares its call with another may be left out: its line is the other's.
					t.Errorf("rank %d of the core has no place", r)
				}
			}
			opening(t, x.Broken, "Wrong: ")
			opening(t, x.Fixed, "Fixed: ")
			for _, p := range slices.Concat(w.Places, w.Others) {
				if p.Marker == "" {
					continue
				}
				if _, err := x.Broken.Line(p.Marker); err != nil {
					t.Error(err)
				}
				if strings.Contains(x.Fixed.Text, p.Marker) {
					t.Errorf("the fixed program has the marker %q", p.Marker)
				}
			}
		})
	}
}

// opening checks that a program begins by saying, in a comment, what is wrong or how it was fixed.
func opening(t *testing.T, p Program, word string) {
	t.Helper()
	first, _, _ := strings.Cut(p.Text, "\n")
	if !strings.Contains(first, word) {
		t.Errorf("%s begins with %q, want a comment with %q", filepath.Base(p.Path), first, word)
	}
}
