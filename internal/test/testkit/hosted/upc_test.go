//go:build !quick

package hosted

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/hosts"
	"unknot/internal/vocab/finding"
)

// TestThreadsOfUPCOnSeveralHostsAreWatched has threads 0 and 2 on one host, and 1 and 3 on the other.
func TestThreadsOfUPCOnSeveralHostsAreWatched(t *testing.T) {
	t.Parallel()
	s := New(t, hosts.Options{})
	for i, x := range []struct {
		way, says string
		ranks     []int
		hosts     string
	}{
		{"fine", "", nil, ""},
		{"locks", "thread 0 is at upc_lock (ways.upc:15) and waits for a lock that thread 1 holds or gets first",
			[]int{0, 1}, "node1 node2"},
		{"end", "Deadlock: threads 0, 2 and 3 are at upc_barrier (ways.upc:21) and thread 1 has ended.",
			[]int{0, 1, 2, 3}, "node1 node2 node1 node2"},
	} {
		for _, mpi := range testkit.Libraries(i) {
			program := compileUPC(t, s, "upcc", mpi, "ways.upc")
			t.Run(mpi+"/"+x.way, func(t *testing.T) {
				o := s.Run(t, nil, slices.Concat(Launcher(mpi, 4, "node1", "node2"), []string{program, x.way})...)
				s.Clean(t)
				if x.says == "" {
					if o.Exit != 0 || len(o.Run.Findings) != 0 || o.Run.Language != finding.UPC {
						t.Errorf("exit status %d, %d findings, UPC %v\n%s", o.Exit, len(o.Run.Findings),
							o.Run.Language, o.Output)
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
				if f.Code != finding.UPCDeadlock || !strings.Contains(f.Sentence, x.says) ||
					fmt.Sprint(f.Ranks) != fmt.Sprint(x.ranks) || strings.Join(where, " ") != x.hosts {
					t.Errorf("ranks %v on %v: %s\nwant ranks %v on %s: %s\n%s", f.Ranks, where, f.Sentence, x.ranks,
						x.hosts, x.says, o.Output)
				}
			})
		}
	}
}

// compileUPC compiles a program of testdata by a verb of unknot.
func compileUPC(t *testing.T, s *Site, verb, mpi, source string) string {
	t.Helper()
	program := filepath.Join(s.Dir, verb+"-"+mpi)
	compile := exec.Command(s.Unknot, verb, "-g", "--mpicc", "mpicc."+mpi, "-o", program,
		filepath.Join("testdata", source))
	if text, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", compile.Args, err, text)
	}
	return program
}

// TestFindingsOfUPCOnOtherHostsAreInTheReport has a program of upc-check find that its threads hold locks that they
// wait for.
func TestFindingsOfUPCOnOtherHostsAreInTheReport(t *testing.T) {
	t.Parallel()
	s := New(t, hosts.Options{})
	program := compileUPC(t, s, "upc-check", "openmpi", "ways.upc")
	o := s.Run(t, nil, slices.Concat(Launcher("openmpi", 4, "node1", "node2"), []string{program, "locks"})...)
	s.Clean(t)
	if o.Exit != 66 || len(o.Run.Findings) != 1 {
		t.Fatalf("exit status %d, %d findings\n%s", o.Exit, len(o.Run.Findings), o.Output)
	}
	if f := o.Run.Findings[0]; f.Code != finding.UPCDeadlock || f.Check == "" || fmt.Sprint(f.Ranks) != "[0 1]" ||
		strings.Count(o.Output, f.Hint) > 1 {
		t.Errorf("%s", o.Output)
	}
}

// TestRacesBetweenHostsAreTold has threads 0 and 2 on one host, and 1 and 3 on the other; unknot runs on a third one.
// What they record is more than the ring of a thread holds.
func TestRacesBetweenHostsAreTold(t *testing.T) {
	t.Parallel()
	s := New(t, hosts.Options{})
	for i, way := range []string{"right", "wrong"} {
		for _, mpi := range testkit.Libraries(i) {
			program := compileRaces(t, s, mpi)
			t.Run(mpi+"/"+way, func(t *testing.T) {
				o := s.Run(t, []string{"--race-sampling", "all", "--confirm"},
					slices.Concat(Launcher(mpi, 4, "node1", "node2"), []string{program, way})...)
				s.Clean(t)
				var told []string
				for _, f := range o.Run.Findings {
					if f.Code != finding.UPCRace || f.Standing != finding.Manifest {
						t.Errorf("%s, %s: %s", f.Code, f.Standing, f.Sentence)
					}
					told = append(told, f.Sentence)
					if alone := "threads can be made to meet only if all of them are on the host of unknot"; !strings.Contains(strings.Join(finding.Sentences(f.Notes), "\n"), alone) {
						t.Errorf("notes %q, want %q", f.Notes, alone)
					}
				}
				if way == "right" {
					if o.Exit != 0 || len(told) > 0 || len(o.Run.Notes) > 0 || !o.Run.Complete {
						t.Errorf("exit status %d\n%s", o.Exit, o.Output)
					}
					return
				}
				slices.Sort(told)
				want := []string{
					"Data race on `ring[0]`, which thread 0 owns: thread 3 writes it at `ring[(MYTHREAD + 1) % " +
						"THREADS]` (apart.upc:16:5) and thread 0 reads it at " +
						"`ring[MYTHREAD]` (apart.upc:19:14), and nothing orders the two accesses.",
					"Data race on `sum`, which thread 0 owns: thread 0 writes it at apart.upc:34:9 and thread 1 " +
						"writes it at apart.upc:34:9, and nothing orders the " +
						"two accesses.",
				}
				if o.Exit != 66 || !slices.Equal(told, want) {
					t.Errorf("exit status %d, want\n%s\ngot\n%s\n%s", o.Exit, strings.Join(want, "\n"),
						strings.Join(told, "\n"), o.Output)
				}
			})
		}
	}
}

// compileRaces compiles testdata/apart.upc to record its accesses.
func compileRaces(t *testing.T, s *Site, mpi string) string {
	t.Helper()
	program := filepath.Join(s.Dir, "apart-"+mpi)
	compile := exec.Command(s.Unknot, "upcc", "--check=race", "-g", "--mpicc", "mpicc."+mpi, "-o", program,
		"testdata/apart.upc")
	if text, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", compile.Args, err, text)
	}
	return program
}

// TestThreadsThatRecordDoNotWaitForALostRoot kills the process that has the root while threads of other hosts record
// more than they have room for.
func TestThreadsThatRecordDoNotWaitForALostRoot(t *testing.T) {
	t.Parallel()
	s := New(t, hosts.Options{})
	program := compileRaces(t, s, "mpich")
	j := s.Start(t, []string{"--race-sampling", "all"}, slices.Concat(Launcher("mpich", 2, "node1", "node2"),
		[]string{program, "right", "long"})...)
	j.Await(t, "all are there")
	s.Signal("front", "agent --session", syscall.SIGKILL)
	if o := j.Wait(t); o.Exit != 0 || !strings.Contains(o.Output, "sum ") || o.Run.Complete {
		t.Errorf("exit status %d, complete %v\n%s", o.Exit, o.Run.Complete, o.Output)
	}
	s.Clean(t)
}
