//go:build !quick

package hosted

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/hosts"
	"unknot/internal/test/testkit/whole/pairs"
)

const noWindows = "Open MPI 4.1 has no windows over TCP"

// not says why a program cannot be judged over hosts with a library as on one host; "" if it can.
func not(t *testing.T, p *pairs.Program, mpi string) string {
	t.Helper()
	says := func(calls ...string) bool {
		return slices.ContainsFunc(calls, func(call string) bool { return p.Says(t, call) })
	}
	switch {
	case p.Ranks(t) < 2:
		return "it is for one rank"
	case !p.Apart():
		return "one agent has to know all ranks (docs/limits.md)"
	case says("MPI_Win_allocate_shared", "Win.Allocate_shared", "MPI_COMM_TYPE_SHARED"):
		return "its ranks share memory"
	case says("mkdtemp"):
		return "its ranks share files of one host"
	case mpi == "openmpi" && says("MPI_Win_", "MPI.Win."):
		return noWindows
	}
	return map[string]string{
		"rma-type-mismatch/broken-mixed.c mpich": "MPICH 4.0 fails at the target, and leaves the origin in its call " +
			"for ever, also without unknot",
		"rma-type-mismatch/broken-result.c mpich": "MPICH 4.0 fails at the target, and leaves the origin in its call " +
			"for ever, also without unknot",
		"thread-request/broken.c mpich": "MPICH 4.0 leaves one of the two threads that wait for one " +
			"request there for ever",
		"buffer-freed/broken-heap.c mpich":   "the memory is gone before it is sent, which ends the job early",
		"buffer-freed/broken-heap.c openmpi": "the memory is gone before it is sent, which ends the job early",
		"leak-request/broken-variable.c mpich": "its messages are not complete at once over hosts, so that its " +
			"requests are lost",
		"leak-request/broken-variable.c openmpi": "its messages are not complete at once over hosts, so that its " +
			"requests are lost",
		"outside-mpi/broken-before.c mpich": "no rank of the other host comes to MPI_Init, so nobody hears of " +
			"it (docs/limits.md)",
		"outside-mpi/broken-before.c openmpi": "no rank of the other host comes to MPI_Init, so nobody hears of " +
			"it (docs/limits.md)",
	}[p.Name()+" "+mpi]
}

// TestProgramsOfChecksAreJudgedOverHostsAsOnOne holds the findings of programs of checks whose ranks are on two hosts
// in turn to what they are on one: nightly those of all, with both libraries.
func TestProgramsOfChecksAreJudgedOverHostsAsOnOne(t *testing.T) {
	t.Parallel()
	sources, err := filepath.Abs("../../../..") // reports quote them
	if err != nil {
		t.Fatal(err)
	}
	s := New(t, hosts.Options{Shared: []string{sources}})
	const every = 40
	turn := 0
	for _, dir := range pairs.Directories(t, "../../../..") {
		list := pairs.Programs(t, dir)
		for i := range list {
			p := &list[i]
			turn++
			if turn%every != 1 && !testkit.Nightly() {
				continue
			}
			for _, mpi := range testkit.LibrariesOfMany(turn / every) {
				if !p.Runs(mpi) {
					continue
				}
				if why := not(t, p, mpi); why != "" {
					t.Logf("%s, %s: left out, as %s", p.Name(), mpi, why)
					continue
				}
				t.Run(p.Name()+"/"+mpi, func(t *testing.T) {
					work, err := os.MkdirTemp(s.Dir, "work-")
					if err != nil {
						t.Fatal(err)
					}
					command := slices.Concat(Launcher(mpi, p.Ranks(t), "node1", "node2"), []string{"-wdir", work},
						p.Compile(t, mpi, s.cache))
					o := s.Run(t, p.Options(), command...)
					for _, problem := range p.Problems(mpi, o.Run, o.Exit) {
						t.Errorf("%s\n%s", problem, o.Output)
					}
				})
			}
		}
	}
	s.Clean(t)
}
