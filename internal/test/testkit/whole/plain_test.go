package whole

import (
	"testing"
	"time"
)

// TestPlainBehaviour shows that the expectations are right about MPI itself. It waits for hangs, so it runs on request.
func TestPlainBehaviour(t *testing.T) {
	if flagged("plain") != "true" {
		t.Skip("takes minutes of waiting for programs that hang: ask for it with -plain")
	}
	cache := programCache(t)
	for _, x := range loadExamples(t) {
		for _, mpi := range x.Want.MPI {
			t.Run(x.Name+"/"+mpi, func(t *testing.T) {
				t.Parallel()
				if got := plainly(t, cache, mpi, x, x.Broken, x.Want.Plain[mpi]); got != x.Want.Plain[mpi] {
					t.Errorf("the broken program %s, the expectation says %s", got, x.Want.Plain[mpi])
				}
				if got := plainly(t, cache, mpi, x, x.Fixed, "ends"); got != "ends" {
					t.Errorf("the fixed program %s, want ends", got)
				}
			})
		}
	}
}

// plainly says how a program behaves. One that ought to end is given the time that it may need on a busy machine.
func plainly(t *testing.T, cache, mpi string, x Example, p Program, want string) string {
	t.Helper()
	program, err := Compile(p, mpi, cache)
	if err != nil {
		t.Fatal(err)
	}
	argv := append(Launcher(mpi, x.Want.Ranks), program...)
	dir := keptDir(t, "unknot-plain-")
	limit := 6 * time.Second
	if want != "hangs" {
		limit = 10 * time.Minute
	}
	r, err := Run(argv, dir, Settings(dir), limit)
	switch {
	case err != nil:
		t.Fatal(err)
	case r.TimedOut:
		return "hangs"
	case r.Exit != 0:
		return "fails"
	}
	return "ends"
}
