//go:build !quick

package hosted

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/hosts"
	"unknot/internal/test/testkit/whole"
)

// TestExamplesAreReportedOverHostsAsOnOne holds the findings of examples whose ranks are on two hosts in turn to what
// they are on one; nightly all of them.
func TestExamplesAreReportedOverHostsAsOnOne(t *testing.T) {
	t.Parallel()
	all, err := whole.Load("../../../../examples")
	if err != nil {
		t.Fatal(err)
	}
	sources, err := filepath.Abs("../../../../examples") // those in Python are run from there
	if err != nil {
		t.Fatal(err)
	}
	s := New(t, hosts.Options{Shared: []string{sources}})
	const every = 12
	for i, x := range all {
		if i%every != 0 && !testkit.Nightly() || x.Want.Ranks < 2 {
			continue
		}
		for _, mpi := range testkit.LibrariesOfMany(i / every) {
			if !slices.Contains(x.Want.MPI, mpi) {
				continue
			}
			if mpi == "openmpi" && strings.Contains(x.Broken.Text, "MPI_Win_") {
				t.Logf("%s, %s: left out, as %s", x.Name, mpi, noWindows)
				continue
			}
			run := func(p whole.Program) Outcome {
				return s.Run(t, x.Want.Flags, slices.Concat(Launcher(mpi, x.Want.Ranks, "node1", "node2"),
					s.Compile(t, p.Path, mpi))...)
			}
			t.Run(x.Name+"/"+mpi+"/broken", func(t *testing.T) {
				o := run(x.Broken)
				for _, problem := range append(whole.CheckBroken(x, o.Run, o.Exit), whole.CheckHistory(&o.Run)...) {
					t.Errorf("%s\n%s", problem, o.Output)
				}
			})
			t.Run(x.Name+"/"+mpi+"/fixed", func(t *testing.T) {
				o := run(x.Fixed)
				for _, problem := range whole.CheckFixed(x, o.Run, o.Exit) {
					t.Errorf("%s\n%s", problem, o.Output)
				}
			})
		}
	}
	s.Clean(t)
}
