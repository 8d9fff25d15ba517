//go:build !quick

package hosted

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/hosts"
)

// TestRunsOverHostsAreExplored has the message that decides come from another host: a run that goes well shows what
// another one does.
func TestRunsOverHostsAreExplored(t *testing.T) {
	t.Parallel()
	s := New(t, hosts.Options{})
	for _, mpi := range testkit.Libraries(1) {
		t.Run(mpi, func(t *testing.T) {
			program := s.Compile(t, "../whole/testdata/orphan.c", mpi)
			state := filepath.Join(s.Dir, "state-"+mpi)
			argv := slices.Concat([]string{s.Unknot, "explore", "--state", state}, Launcher(mpi, 3, "node1", "node2"),
				program)
			cmd := s.Host("front").Command(t.Context(), s.environment(), argv...)
			text, _ := cmd.CombinedOutput() // its exit status is looked at
			said := strings.Join(strings.Fields(string(text)), " ")
			if status := cmd.ProcessState.ExitCode(); status != 66 || !strings.Contains(said, "deadlock (") ||
				!strings.Contains(said, "orphan.c:") {
				t.Errorf("exit status %d\n%s", status, text)
			}
			s.Clean(t)
		})
	}
}
