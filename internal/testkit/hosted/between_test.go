package hosted

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"unknot/internal/testkit"
	"unknot/internal/testkit/hosts"
)

// TestWhatRanksOfSeveralHostsHaveToDoWithEachOtherIsCompared has each rank on a host of its own.
func TestWhatRanksOfSeveralHostsHaveToDoWithEachOtherIsCompared(t *testing.T) {
	t.Parallel()
	s := New(t, hosts.Options{Names: []string{"front", "node1", "node2", "node3"}})
	for i, x := range []struct{ program, code, says string }{
		{"message-lost/broken.c", "message-lost", "is never received."},
		{"message-race/broken.c", "message-race", "ranks 1 and 2 send a matching one, unordered"},
		{"collective-data-mismatch/broken-alltoallv.c", "collective-data-mismatch", "In MPI_Alltoallv rank 1 sends rank 2 2 × MPI_INT, but rank 2 expects 3 × MPI_INT from it"},
		{"type-mismatch/broken-fields.c", "type-mismatch", "that is item 1, block 3, field `mass` on both sides"},
	} {
		for _, mpi := range testkit.LibrariesOfMany(i) {
			t.Run(x.program+"/"+mpi, func(t *testing.T) {
				ranks := 3
				if strings.HasPrefix(x.program, "message-lost") || strings.HasPrefix(x.program, "type-mismatch") {
					ranks = 2
				}
				program := s.Compile(t, filepath.Join("../../check/messages/testdata", x.program), mpi)
				o := s.Run(t, nil, slices.Concat(Launcher(mpi, ranks, "node1", "node2", "node3"), program)...)
				found := false
				for _, f := range o.Run.Findings {
					found = found || string(f.Code) == x.code && strings.Contains(strings.Join(append(f.Notes, f.Sentence), "\n"), x.says)
				}
				if !found || !o.Run.Complete {
					t.Errorf("complete %v %s, no %s with %q\n%s", o.Run.Complete, o.Run.Why, x.code, x.says, o.Output)
				}
				s.Clean(t)
			})
		}
	}
}
