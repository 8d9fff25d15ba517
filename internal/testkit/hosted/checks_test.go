package hosted

import (
	"os"
	"slices"
	"testing"

	"unknot/internal/testkit"
	"unknot/internal/testkit/hosts"
	"unknot/internal/testkit/whole/pairs"
)

// oneHost are calls that work only if all ranks are on one host.
func oneHost() []string { return []string{"MPI_Win_allocate_shared", "MPI_COMM_TYPE_SHARED"} }

// left are programs in which MPICH 4.0 fails on one host and leaves the rank on the other in an RMA call for ever, also without unknot.
func left() []string {
	return []string{"rma-type-mismatch/broken-mixed.c", "rma-type-mismatch/broken-result.c"}
}

// TestProgramsOfChecksAreJudgedOverHostsAsOnOne holds the findings of programs of checks whose ranks are on two hosts in turn to what they are on one:
// nightly those of all, with both libraries.
func TestProgramsOfChecksAreJudgedOverHostsAsOnOne(t *testing.T) {
	t.Parallel()
	s := New(t, hosts.Options{})
	const every = 40
	turn, apart := 0, 0
	for _, dir := range pairs.Directories(t, "../../..") {
		list := pairs.Programs(t, dir)
		for i := range list {
			p := &list[i]
			if p.Ranks(t) < 2 || !p.Apart() || slices.ContainsFunc(oneHost(), func(call string) bool { return p.Says(t, call) }) {
				apart++
				continue
			}
			turn++
			if turn%every != 1 && !testkit.Nightly() {
				continue
			}
			for _, mpi := range testkit.LibrariesOfMany(turn / every) {
				if !p.Runs(mpi) || mpi == "mpich" && slices.Contains(left(), p.Name()) {
					continue
				}
				t.Run(p.Name()+"/"+mpi, func(t *testing.T) {
					dir, err := os.MkdirTemp(s.Dir, "work-")
					if err != nil {
						t.Fatal(err)
					}
					command := slices.Concat(Launcher(mpi, p.Ranks(t), "node1", "node2"), []string{"-wdir", dir}, p.Compile(t, mpi, s.cache))
					o := s.Run(t, p.Options(), command...)
					for _, problem := range p.Problems(mpi, o.Run, o.Exit) {
						t.Errorf("%s\n%s", problem, o.Output)
					}
				})
			}
		}
	}
	t.Logf("%d programs, and %d that want one rank, one host or one agent", turn, apart)
	s.Clean(t)
}
