//go:build !quick

package hosted

import (
	"slices"
	"strings"
	"testing"

	"unknot/internal/test/testkit/hosts"
)

// TestHostsOfAnAllocationAreStagedBySlurm has nodes that the command line does not name, and looks at what Slurm is
// asked to copy.
func TestHostsOfAnAllocationAreStagedBySlurm(t *testing.T) {
	t.Parallel()
	s := New(t, hosts.Options{Slurm: true, Separate: map[string]bool{"node1": true, "node2": true}})
	front := s.Hosts()[0]
	do(t, front,
		`mkdir /run/bin; printf '#!/bin/sh\n/usr/bin/sbcast "$@"; s=$?; echo "$s $2" >> /run/copied; exit $s\n' > /run/bin/sbcast; chmod +x /run/bin/sbcast`)
	s.Env = []string{"PATH=/run/bin:/usr/bin:/bin:/usr/sbin:/sbin"}
	program := s.deadlocked(t, "mpich")
	command := slices.Concat([]string{"salloc", "--quiet", "--nodes=2", "--ntasks-per-node=1"},
		[]string{s.Unknot, "run", "--stage", "mpirun.mpich", "-ppn", "1", "-n", "2", program})
	run := func() string {
		cmd := front.Command(t.Context(), s.environment(), command...)
		text, _ := cmd.CombinedOutput()
		says(t, string(text), "  Ranks 0 and 1 wait for each other: each receives before it sends\\.")
		says(t, string(text), "unknot: 1 error, 0 warnings; 2 ranks, 4 calls watched")
		if status := cmd.ProcessState.ExitCode(); status != 66 {
			t.Errorf("exit status %d", status)
		}
		return string(text)
	}
	says(t, run(), "unknot: --stage: copied unknot and the probe, [0-9]+ MiB, to /tmp/unknot-0 of node1, node2")
	if again := run(); strings.Contains(again, "--stage") {
		t.Errorf("staged again:\n%s", again)
	}
	copied := strings.Split(strings.TrimSpace(do(t, front, "cat /run/copied")), "\n")
	if len(copied) != 2 || copied[0] != "0 "+s.Unknot || !strings.HasPrefix(copied[1], "0 ") ||
		!strings.HasSuffix(copied[1], ".so") {
		t.Errorf("sbcast was asked for, with exit statuses: %q; want unknot and the probe, once", copied)
	}
	s.onlyStaged(t)
}
