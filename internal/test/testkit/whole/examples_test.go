package whole

import (
	"path/filepath"
	"slices"
	"testing"

	"unknot/internal/test/testkit"
	"unknot/internal/vocab/finding"
)

func TestEveryBrokenExampleIsReportedAndEveryFixedOneIsNot(t *testing.T) {
	unknot, cache := buildUnknot(t), programCache(t)
	seen := make(map[finding.Code]bool)
	for turn, x := range loadExamples(t) {
		first := !seen[x.Want.Code]
		seen[x.Want.Code] = true
		for _, mpi := range x.libraries(turn) {
			if first || runs(x.Broken, turn) {
				t.Run(x.Name+"/"+mpi+"/broken", func(t *testing.T) {
					t.Parallel()
					w := watch(t, unknot, cache, mpi, x, x.Broken)
					for _, problem := range append(CheckBroken(x, w.Run, w.Exit), CheckHistory(&w.Run)...) {
						t.Error(problem)
					}
				})
			}
			if runs(x.Fixed, turn) {
				t.Run(x.Name+"/"+mpi+"/fixed", func(t *testing.T) {
					t.Parallel()
					w := watch(t, unknot, cache, mpi, x, x.Fixed)
					for _, problem := range CheckFixed(x, w.Run, w.Exit) {
						t.Error(problem)
					}
				})
			}
		}
	}
}

// libraries are those of the MPI libraries that the example is for which a test runs it with. All tests choose the
// same, so that each program is compiled for one.
func (x Example) libraries(turn int) []string {
	if len(x.Want.MPI) == 1 {
		return slices.DeleteFunc(slices.Clone(x.Want.MPI), func(mpi string) bool {
			return !slices.Contains(testkit.Both(), mpi)
		})
	}
	return testkit.LibrariesOfMany(turn)
}

// runs says whether a program runs as a job under unknot. Most of those in C are left to their tapes; without unknot
// all fixed ones run.
func runs(p Program, turn int) bool {
	const every = 3
	return filepath.Ext(p.Path) != ".c" || turn%every == 0 || testkit.Nightly() || testkit.Chosen()
}
