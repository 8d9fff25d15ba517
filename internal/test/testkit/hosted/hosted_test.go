//go:build !quick

package hosted

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/hosts"
	"unknot/internal/vocab/finding"
)

func TestADeadlockOverTwoHostsIsReported(t *testing.T) {
	t.Parallel()
	s := New(t, hosts.Options{})
	for _, mpi := range testkit.Both() {
		t.Run(mpi, func(t *testing.T) {
			program := s.Compile(t, "../../../../examples/recv-recv/broken.c", mpi)
			o := s.Run(t, nil, slices.Concat(Launcher(mpi, 2, "node1", "node2"), program)...)
			if o.Exit != 66 || len(o.Run.Findings) != 1 {
				t.Fatalf("exit status %d, %d findings\n%s", o.Exit, len(o.Run.Findings), o.Output)
			}
			f := o.Run.Findings[0]
			if f.Code != finding.Deadlock || f.Standing != finding.Manifest || fmt.Sprint(f.Ranks) != "[0 1]" ||
				f.Sentence != "Ranks 0 and 1 wait for each other: each receives before it sends." {
				t.Errorf("%s", o.Output)
			}
			for i, p := range f.Places {
				if want := fmt.Sprintf("node%d", i+1); p.Host != want || p.Rank != i || p.Line == 0 {
					t.Errorf("rank %d is said to be on %s at %s:%d, want rank %d on %s", p.Rank, p.Host, p.File,
						p.Line, i, want)
				}
			}
			if want := "node1 node2"; strings.Join(o.Run.Hosts, " ") != want || !o.Run.Complete {
				t.Errorf("hosts %v, want %s; complete: %v, %s", o.Run.Hosts, want, o.Run.Complete, o.Run.Why)
			}
			s.Clean(t)
		})
	}
}
