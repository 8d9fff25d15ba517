//go:build !quick

package hosted

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/hosts"
	"unknot/internal/vocab/finding"
)

// TestRelaysStandOnHostsOfTheirOwn has five hosts with a rank each, under two levels of relays: one for each two hosts,
// on the first of them.
func TestRelaysStandOnHostsOfTheirOwn(t *testing.T) {
	t.Parallel()
	names := []string{"node1", "node2", "node3", "node4", "node5"}
	s := New(t, hosts.Options{Names: append([]string{"front"}, names...)})
	for i, x := range []struct {
		name, how string
		kills     string // the host whose agent is killed before the ranks go on
	}{
		{name: "well"},
		{name: "hang", how: "hang"},
		{name: "a relay is lost", kills: "node3"},
	} {
		for _, mpi := range testkit.LibrariesOfMany(i) {
			t.Run(x.name+"/"+mpi, func(t *testing.T) {
				gate := filepath.Join(s.Dir, fmt.Sprint("gate-", i, mpi))
				argv := slices.Concat(Launcher(mpi, 5, names...), s.Compile(t, "testdata/phases.c", mpi),
					[]string{gate, x.how})
				j := s.Start(t, []string{"--fan-in", "2"}, argv...)
				j.Await(t, "phase 1 is over")
				if x.kills != "" {
					s.Signal(x.kills, "agent --joined", syscall.SIGKILL)
				}
				if err := os.WriteFile(gate, nil, 0o600); err != nil {
					t.Fatal(err)
				}
				o := j.Wait(t)
				switch {
				case x.how == "" && (o.Exit != 0 || len(o.Run.Findings) > 0 || o.Run.Complete != (x.kills == "") ||
					!strings.Contains(o.Output, "phase 2 is over")):
					t.Errorf("exit status %d, complete %v %s\n%s", o.Exit, o.Run.Complete, o.Run.Why, o.Output)
				case x.how == "":
				case o.Exit != 66 || len(o.Run.Findings) != 1 || o.Run.Findings[0].Code != finding.Deadlock ||
					!slices.Equal(o.Run.Findings[0].Ranks, []int{0, 1}):
					t.Errorf("exit status %d, want the deadlock of ranks 0 and 1\n%s", o.Exit, o.Output)
				}
				if want := "rank 2 on node3 not observed since"; x.kills != "" && !strings.Contains(o.Said, want) {
					t.Errorf("%q is not said\n%s", want, o.Output)
				}
				s.Clean(t)
			})
		}
	}
}
