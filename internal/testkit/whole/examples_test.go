package whole

import (
	"path/filepath"
	"testing"

	"unknot/internal/testkit"
)

func TestEveryBrokenExampleIsReportedAndEveryFixedOneIsNot(t *testing.T) {
	unknot, cache := buildUnknot(t), programCache(t)
	for turn, x := range loadExamples(t) {
		t.Run(x.Name, func(t *testing.T) {
			t.Parallel()
			for _, mpi := range x.libraries(turn) {
				t.Run(mpi, func(t *testing.T) {
					t.Parallel()
					t.Run("broken", func(t *testing.T) {
						t.Parallel()
						w := watch(t, unknot, cache, mpi, x, x.Broken)
						for _, problem := range CheckBroken(x, w.Run, w.Exit) {
							t.Error(problem)
						}
					})
					if !x.runsFixed(turn) {
						return
					}
					t.Run("fixed", func(t *testing.T) {
						t.Parallel()
						w := watch(t, unknot, cache, mpi, x, x.Fixed)
						for _, problem := range CheckFixed(x, w.Run, w.Exit) {
							t.Error(problem)
						}
					})
				})
			}
		})
	}
}

// libraries are those of the MPI libraries that the example is for which a test runs it with. All tests choose the same, so that each
// program is compiled for one.
func (x Example) libraries(turn int) []string {
	if len(x.Want.MPI) == 1 {
		return x.Want.MPI
	}
	return testkit.LibrariesOfMany(turn)
}

// runsFixed says whether the fixed program runs as a job under unknot. Most of those in C are left to their tapes; without unknot all run.
func (x Example) runsFixed(turn int) bool {
	const every = 3
	return filepath.Ext(x.Fixed.Path) != ".c" || turn%every == 0 || testkit.Nightly() || testkit.Chosen()
}
