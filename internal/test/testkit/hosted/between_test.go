//go:build !quick

package hosted

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/hosts"
	"unknot/internal/vocab/finding"
)

// TestWhatRanksOfSeveralHostsHaveToDoWithEachOtherIsCompared has each rank on a separate host.
func TestWhatRanksOfSeveralHostsHaveToDoWithEachOtherIsCompared(t *testing.T) {
	t.Parallel()
	s := New(t, hosts.Options{Names: []string{"front", "node1", "node2", "node3"}})
	for i, x := range []struct{ program, code, says string }{
		{"message-lost/broken.c", "message-lost", "is never received."},
		{"message-race/broken.c", "message-race", "ranks 1 and 2 send a matching one, unordered"},
		{"collective-data-mismatch/broken-alltoallv.c", "collective-data-mismatch",
			"In MPI_Alltoallv rank 1 sends rank 2 2 × MPI_INT, but rank 2 expects 3 × MPI_INT from it"},
		{"type-mismatch/broken-fields.c", "type-mismatch", "that is item 1, block 3, field `mass` on both sides"},
	} {
		for _, mpi := range testkit.LibrariesOfMany(i) {
			t.Run(x.program+"/"+mpi, func(t *testing.T) {
				ranks := 3
				if strings.HasPrefix(x.program, "message-lost") || strings.HasPrefix(x.program, "type-mismatch") {
					ranks = 2
				}
				program := s.Compile(t, filepath.Join("../../../check/messages/testdata", x.program), mpi)
				o := s.Run(t, nil, slices.Concat(Launcher(mpi, ranks, "node1", "node2", "node3"), program)...)
				found := false
				for _, f := range o.Run.Findings {
					found = found || string(f.Code) == x.code &&
						strings.Contains(strings.Join(append(finding.Sentences(f.Notes), f.Sentence), "\n"), x.says)
				}
				if !found || !o.Run.Complete || strings.Contains(o.Output, detour) {
					t.Errorf("complete %v %s, no %s with %q\n%s", o.Run.Complete, o.Run.Why, x.code, x.says, o.Output)
				}
				s.Clean(t)
			})
		}
	}
}

// detour is in what is said of hosts that cannot reach each other.
const detour = "have no link of their own"

// TestHostsThatCannotReachEachOtherAreWatched has the agent of node2 listen at an address that node1 has no way to.
// Ranks have others.
func TestHostsThatCannotReachEachOtherAreWatched(t *testing.T) {
	t.Parallel()
	s := New(t, hosts.Options{})
	const hidden = "10.99.0.2/32"
	for _, x := range []struct{ host, command string }{
		{"node2", "addr add " + hidden + " dev lo"},
		{"node2", "route add " + s.Host("front").Address() + "/32 dev eth0 src " + strings.TrimSuffix(hidden, "/32")},
		{"front", "route add " + hidden + " dev eth0"},
		{"node1", "route add unreachable " + hidden},
	} {
		if text, err := s.Host(x.host).Command(t.Context(), nil, "sh", "-c",
			"ip "+x.command).CombinedOutput(); err != nil {
			t.Fatalf("%s: ip %s: %v: %s", x.host, x.command, err, text)
		}
	}
	// The job must not be over before the agents have something to tell each other: from then on nothing is said of
	// links. This one hangs after a message.
	program := s.Compile(t, "../../../../examples/tag-mismatch/broken.c", "openmpi")
	s.Env = append(s.Env, "OMPI_MCA_btl_tcp_if_include="+s.Host("node1").Address()+"/24")
	o := s.Run(t, nil, slices.Concat(Launcher("openmpi", 2, "node1", "node2"), program)...)
	want := "node1 and node2 " + detour + " (no connection: " + strings.TrimSuffix(hidden, "/32")
	if len(o.Run.Findings) != 1 || o.Run.Findings[0].Code != "deadlock" || !o.Run.Complete ||
		strings.Count(o.Output, want) != 1 {
		t.Errorf("complete %v %s, want a deadlock, and once %q\n%s", o.Run.Complete, o.Run.Why, want, o.Output)
	}
	s.Clean(t)
}
