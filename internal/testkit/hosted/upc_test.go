package hosted

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"unknot/internal/finding"
	"unknot/internal/testkit"
	"unknot/internal/testkit/hosts"
)

// TestThreadsOfUPCOnSeveralHostsAreWatched has threads 0 and 2 on one host, and 1 and 3 on the other.
func TestThreadsOfUPCOnSeveralHostsAreWatched(t *testing.T) {
	t.Parallel()
	s := New(t, hosts.Options{})
	for _, mpi := range testkit.Both() {
		program := compileUPC(t, s, "upcc", mpi)
		for _, x := range []struct {
			way, says string
			ranks     []int
			hosts     string
		}{
			{"fine", "", nil, ""},
			{"locks", "thread 0 is at upc_lock (ways.upc:15) and waits for a lock that thread 1 holds or gets first", []int{0, 1}, "node1 node2"},
			{"end", "Deadlock: threads 0, 2 and 3 are at upc_barrier (ways.upc:21) and thread 1 has ended.", []int{0, 1, 2, 3}, "node1 node2 node1 node2"},
		} {
			t.Run(mpi+"/"+x.way, func(t *testing.T) {
				o := s.Run(t, nil, slices.Concat(Launcher(mpi, 4, "node1", "node2"), []string{program, x.way})...)
				s.Clean(t)
				if x.says == "" {
					if o.Exit != 0 || len(o.Run.Findings) != 0 || !o.Run.UPC {
						t.Errorf("exit status %d, %d findings, UPC %v\n%s", o.Exit, len(o.Run.Findings), o.Run.UPC, o.Output)
					}
					return
				}
				if o.Exit != 66 || len(o.Run.Findings) != 1 {
					t.Fatalf("exit status %d, %d findings\n%s", o.Exit, len(o.Run.Findings), o.Output)
				}
				f := o.Run.Findings[0]
				var where []string
				for _, p := range f.Places {
					where = append(where, p.Host)
				}
				if f.Code != finding.UPCDeadlock || !strings.Contains(f.Sentence, x.says) || fmt.Sprint(f.Ranks) != fmt.Sprint(x.ranks) || strings.Join(where, " ") != x.hosts {
					t.Errorf("ranks %v on %v: %s\nwant ranks %v on %s: %s\n%s", f.Ranks, where, f.Sentence, x.ranks, x.hosts, x.says, o.Output)
				}
			})
		}
	}
}

// compileUPC compiles testdata/ways.upc by a verb of unknot.
func compileUPC(t *testing.T, s *Site, verb, mpi string) string {
	t.Helper()
	program := filepath.Join(s.Dir, verb+"-"+mpi)
	compile := exec.Command(s.Unknot, verb, "-g", "--mpicc", "mpicc."+mpi, "-o", program, "testdata/ways.upc")
	if text, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", compile.Args, err, text)
	}
	return program
}

// TestFindingsOfUPCOnOtherHostsAreInTheReport has a program of upc-check find that its threads hold locks that they wait for.
func TestFindingsOfUPCOnOtherHostsAreInTheReport(t *testing.T) {
	t.Parallel()
	s := New(t, hosts.Options{})
	program := compileUPC(t, s, "upc-check", "openmpi")
	o := s.Run(t, nil, slices.Concat(Launcher("openmpi", 4, "node1", "node2"), []string{program, "locks"})...)
	s.Clean(t)
	if o.Exit != 66 || len(o.Run.Findings) != 1 {
		t.Fatalf("exit status %d, %d findings\n%s", o.Exit, len(o.Run.Findings), o.Output)
	}
	if f := o.Run.Findings[0]; f.Code != finding.UPCDeadlock || f.Check == "" || fmt.Sprint(f.Ranks) != "[0 1]" || strings.Count(o.Output, f.Hint) > 1 {
		t.Errorf("%s", o.Output)
	}
}
