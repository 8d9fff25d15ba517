package whole

import (
	"testing"
)

func TestEveryBrokenExampleIsReportedAndEveryFixedOneIsNot(t *testing.T) {
	unknot, cache := buildUnknot(t), programCache(t)
	for _, x := range loadExamples(t) {
		t.Run(x.Name, func(t *testing.T) {
			t.Parallel()
			for _, mpi := range x.Want.MPI {
				t.Run(mpi, func(t *testing.T) {
					t.Parallel()
					t.Run("broken", func(t *testing.T) {
						t.Parallel()
						w := watch(t, unknot, cache, mpi, x, x.Broken)
						for _, problem := range CheckBroken(x, w.Run, w.Exit) {
							t.Error(problem)
						}
					})
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
