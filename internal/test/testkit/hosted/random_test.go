//go:build !quick

package hosted

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/hosts"
	"unknot/internal/test/testkit/oracle"
	"unknot/internal/test/testkit/whole"
	"unknot/internal/vocab/finding"
)

// TestRandomProgramsAreJudgedOverHostsAsOnOne runs random programs with their ranks on one host, on two and on four.
// What is reported of a deadlock has to be true by all legal runs that the reference knows; where nothing is left to
// MPI, all findings are the same on all numbers of hosts. A job that hangs untold does not end. Nightly 200 programs.
func TestRandomProgramsAreJudgedOverHostsAsOnOne(t *testing.T) {
	t.Parallel()
	names := []string{"front", "node1", "node2", "node3", "node4"}
	s := New(t, hosts.Options{Names: names})
	broken, sound := 2, 1
	if testkit.Nightly() {
		broken, sound = 130, 70
	}
	programs, compared := broken+sound, 0
	for seed := uint64(1); broken > 0 || sound > 0; seed++ {
		p := oracle.Generate(seed)
		stuck, exact := oracle.Stuck(p, oracle.Legal{})
		meets, all := oracle.Meets(p, oracle.Legal{})
		left := &sound
		if len(stuck) > 0 {
			left = &broken
		}
		if !p.Ends() || !exact || !all || len(p.Ranks) < 3 || *left == 0 {
			continue
		}
		*left--
		fixed := !chooses(p, meets)
		if fixed {
			compared++
		}
		mpi := []string{"openmpi", "mpich", "mpich", "mpich"}[seed%4]
		t.Run(fmt.Sprintf("%d/%s", seed, mpi), func(t *testing.T) {
			source := whole.Program{Path: filepath.Join(t.TempDir(), "program.c"), Text: p.Source()}
			if err := os.WriteFile(source.Path, []byte(source.Text), 0o644); err != nil {
				t.Fatal(err)
			}
			program, err := whole.CompileBy([]string{"mpicc." + mpi, "-g", "-w"}, source, s.Dir)
			if err != nil {
				t.Fatal(err)
			}
			var first string
			for _, on := range [][]string{names[1:2], names[1:3], names[1:5]} {
				o := s.Run(t, nil, slices.Concat(Launcher(mpi, len(p.Ranks), on...), program)...)
				hung := slices.ContainsFunc(o.Run.Findings, func(f finding.Finding) bool {
					return f.Code == finding.Deadlock
				})
				if !o.Run.Complete || hung && len(stuck) == 0 || o.Exit != 0 && o.Exit != 66 {
					t.Errorf("on %d hosts: complete %v, exit status %d, told to hang %v, can hang %v\n%s\n%s", len(on),
						o.Run.Complete, o.Exit, hung, len(stuck) > 0, p, o.Output)
				}
				told, err := whole.Lasting(o.Run.Findings)
				switch {
				case err != nil:
					t.Fatal(err)
				case len(on) == 1:
					first = told
				case told != first && fixed:
					t.Errorf("on one host:\n%s\non %d:\n%s\n%s", first, len(on), told, p)
				}
			}
		})
	}
	t.Logf("%d programs, of which %d leave nothing to MPI", programs, compared)
	s.Clean(t)
}

// chooses says whether a receive or probe meets one message in some run, and another in another one, or something else
// is left to MPI: which requests are found complete, and how long ranks stay in a collective that need not wait for
// all.
func chooses(p *oracle.Program, meets map[oracle.Pair]bool) bool {
	met := make(map[oracle.Name]oracle.Name)
	for pair := range meets {
		if before, ok := met[pair.Recv]; ok && before != pair.Send {
			return true
		}
		met[pair.Recv] = pair.Send
	}
	for _, calls := range p.Ranks {
		seq := make([]int, len(p.Comms))
		for i := range calls {
			switch c := &calls[i]; c.Kind {
			case oracle.Waitany, oracle.Waitsome:
				return true
			case oracle.Collective:
				if p.Wave(c.Comm, seq[c.Comm]).Gather != oracle.Barrier {
					return true
				}
				seq[c.Comm]++
			}
		}
	}
	return false
}
