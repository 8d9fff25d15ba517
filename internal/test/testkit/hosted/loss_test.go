//go:build !quick

package hosted

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/hosts"
	"unknot/internal/vocab/finding"
)

// soon are options of a job that loses something for good: 30 seconds are long if nothing else is waited for.
var soon = []string{"--link-timeout", "8s"}

// phases starts testdata/phases.c with four ranks on two hosts in turn, and returns when its first phase is over. open
// lets it go on.
func phases(t *testing.T, s *Site, mpi string, options []string, how ...string) (j *Job, open func()) {
	t.Helper()
	return through(t, s, "testdata/phases.c", mpi, options, how...)
}

// through does so with another program that has phases.
func through(t *testing.T, s *Site, program, mpi string, options []string, how ...string) (j *Job, open func()) {
	t.Helper()
	gate := filepath.Join(s.Dir, "gate-"+mpi)
	if err := os.RemoveAll(gate); err != nil {
		t.Fatal(err)
	}
	j = s.Start(t, options, slices.Concat(Launcher(mpi, 4, "node1", "node2"), s.Compile(t, program, mpi),
		[]string{gate}, how)...)
	j.Await(t, "phase 1 is over")
	return j, func() {
		if err := os.WriteFile(gate, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestALostAgentIsSaidAndDisturbsNobody kills the agent of a host in the middle of a job, which runs to its end.
func TestALostAgentIsSaidAndDisturbsNobody(t *testing.T) {
	t.Parallel()
	s := New(t, hosts.Options{})
	said := regexp.MustCompile(
		`ranks 1 and 3 on node2 not observed since \d\d:\d\d:\d\d, when the link to its agent was lost; findings about them are incomplete`)
	for _, mpi := range testkit.Libraries(0) {
		t.Run(mpi, func(t *testing.T) {
			j, open := phases(t, s, mpi, nil)
			s.Signal("node2", "agent --joined", syscall.SIGKILL)
			open()
			o := j.Wait(t)
			if o.Exit != 0 || !strings.Contains(o.Output, "phase 2 is over") || len(o.Run.Findings) > 0 {
				t.Errorf("exit status %d\n%s", o.Exit, o.Output)
			}
			if o.Run.Complete || !said.MatchString(o.Run.Why) || !said.MatchString(o.Said) {
				t.Errorf("complete %v: %q\n%s", o.Run.Complete, o.Run.Why, o.Output)
			}
			s.Clean(t)
		})
	}
}

// TestACutThatHealsLosesNothing has two ranks on different hosts wait for each other after the link of one was cut for
// five seconds.
func TestACutThatHealsLosesNothing(t *testing.T) {
	t.Parallel()
	s := New(t, hosts.Options{})
	j, open := phases(t, s, "mpich", nil, "hang")
	s.Cut("front", "node2")
	time.Sleep(5 * time.Second) // how long a link is cut is what is tried
	s.Heal("front", "node2")
	open()
	o := j.Wait(t)
	if o.Exit != 66 || len(o.Run.Findings) != 1 || !o.Run.Complete {
		t.Fatalf("exit status %d, complete %v: %s\n%s", o.Exit, o.Run.Complete, o.Run.Why, o.Output)
	}
	f := o.Run.Findings[0]
	if f.Code != finding.Deadlock || f.Standing != finding.Manifest || !slices.Equal(f.Ranks, []int{0, 1}) {
		t.Errorf("%s", o.Output)
	}
	s.Clean(t)
}

// TestAnEndedRunLeavesNothing interrupts unknot, and kills it, while ranks wait on other hosts.
func TestAnEndedRunLeavesNothing(t *testing.T) {
	t.Parallel()
	s := New(t, hosts.Options{})
	names := map[syscall.Signal]string{syscall.SIGINT: "SIGINT", syscall.SIGTERM: "SIGTERM"}
	for i, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGKILL} {
		libraries := testkit.Libraries(i)
		if sig == syscall.SIGKILL { // nobody is left who could end the launchers, which differ
			libraries = testkit.Both()
		}
		for _, mpi := range libraries {
			t.Run(mpi+"/"+sig.String(), func(t *testing.T) {
				j, _ := phases(t, s, mpi, nil)
				if err := j.Signal(sig); err != nil {
					t.Fatal(err)
				}
				o := j.Wait(t)
				if want := "the run was ended by " + names[sig]; !strings.Contains(o.Output, want) &&
					sig != syscall.SIGKILL {
					t.Errorf("exit status %d, want %q\n%s", o.Exit, want, o.Output)
				}
				s.Clean(t)
			})
		}
	}
}

// TestADaemonThatHangsIsEnded has Open MPI's daemon on a host do nothing any more when the job is ended.
func TestADaemonThatHangsIsEnded(t *testing.T) {
	t.Parallel()
	s := New(t, hosts.Options{})
	j, _ := phases(t, s, "openmpi", nil)
	s.Signal("node1", "orted", syscall.SIGSTOP)
	if err := j.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if o, want := j.Wait(t), "on node1: 2 ranks were still running after the launcher had exited, and were ended too"; !strings.Contains(o.Output, want) {
		t.Errorf("want %q\n%s", want, o.Output)
	}
	s.Clean(t)
	for _, name := range s.Host("node1").Files("/tmp") {
		if strings.HasPrefix(filepath.Base(name), "ompi.") &&
			len(s.Host("node1").Files(filepath.Join("/tmp", filepath.Base(name)))) > 0 {
			t.Errorf("%s is not empty", name)
		}
	}
}

// TestALostRootLetsTheJobFinish kills the process that has the root.
func TestALostRootLetsTheJobFinish(t *testing.T) {
	t.Parallel()
	s := New(t, hosts.Options{})
	for _, mpi := range testkit.Libraries(1) {
		t.Run(mpi, func(t *testing.T) {
			j, open := phases(t, s, mpi, nil)
			s.Signal("front", "agent --session", syscall.SIGKILL)
			open()
			o := j.Wait(t)
			if o.Exit != 0 || !strings.Contains(o.Output, "phase 2 is over") {
				t.Errorf("exit status %d\n%s", o.Exit, o.Output)
			}
			if o.Run.Complete || !strings.Contains(o.Output, "the agent process died") {
				t.Errorf("complete %v\n%s", o.Run.Complete, o.Output)
			}
			s.Clean(t)
		})
	}
}

// TestARootLostAtTheEndLeavesNothing kills the process that has the root when the launcher has ended, and the agents of
// slow hosts still have something to tell each other, which nobody wants to hear any more.
func TestARootLostAtTheEndLeavesNothing(t *testing.T) {
	t.Parallel()
	s := New(t, hosts.Options{})
	for _, mpi := range testkit.Libraries(0) {
		t.Run(mpi, func(t *testing.T) {
			j, open := phases(t, s, mpi, []string{"--log", "detect"})
			s.Delay("front", "node1", 100*time.Millisecond)
			open()
			j.Await(t, "the job is over")
			s.Signal("front", "agent --session", syscall.SIGKILL)
			o := j.Wait(t)
			if want := "its last analysis is missing"; o.Exit != 0 || o.Run.Complete ||
				!strings.Contains(o.Output, want) {
				t.Errorf("exit status %d, complete %v, want %q\n%s", o.Exit, o.Run.Complete, want, o.Output)
			}
			s.Heal("front", "node1")
			s.Clean(t)
		})
	}
}

// TestAHostThatIsGoneIsSaid takes a whole host away: what becomes of the job is for its launcher to say.
func TestAHostThatIsGoneIsSaid(t *testing.T) {
	t.Parallel()
	for _, mpi := range testkit.Both() {
		t.Run(mpi, func(t *testing.T) {
			s := New(t, hosts.Options{})
			j, open := phases(t, s, mpi, soon)
			s.Host("node2").Kill()
			open()
			o := j.Wait(t)
			if o.Exit == 0 || len(o.Run.Findings) > 0 || strings.Contains(o.Output, "phase 2 is over") {
				t.Errorf("exit status %d\n%s", o.Exit, o.Output)
			}
			if want := "ranks 1 and 3 on node2 not observed since"; o.Run.Complete || !strings.Contains(o.Said, want) {
				t.Errorf("complete %v: %q, want %q\n%s", o.Run.Complete, o.Run.Why, want, o.Output)
			}
			s.Clean(t)
		})
	}
}
