//go:build !quick

package hosted

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
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

// merged is what unknot report says, with some options, of the parts that a job has left, once there are so many.
func (j *Job) merged(t *testing.T, parts int, options ...string) Outcome {
	t.Helper()
	var dir string
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		names, err := filepath.Glob(filepath.Join(j.dir, "unknot-parts-*", "*.part"))
		if err != nil {
			t.Fatal(err)
		}
		if len(names) == parts {
			dir = filepath.Dir(names[0])
			break
		}
		if time.Now().After(end) {
			t.Fatalf("parts %v, want %d\n%s", names, parts, j.Output())
		}
	}
	report := filepath.Join(j.dir, "merged.json")
	cmd := exec.Command(j.site.Unknot, slices.Concat([]string{"report", "--json", report}, options, []string{dir})...)
	said, _ := cmd.CombinedOutput() // its exit status says it
	o := Outcome{Exit: cmd.ProcessState.ExitCode(), Output: string(said),
		Said: strings.Join(strings.Fields(string(said)), " ")}
	text, err := os.ReadFile(report)
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	if err := json.Unmarshal(text, &o.Run); err != nil {
		t.Fatal(err)
	}
	return o
}

// TestPartsOfALostRootSayThatAllWasWell kills the process with the root in the middle of a correct job.
func TestPartsOfALostRootSayThatAllWasWell(t *testing.T) {
	t.Parallel()
	s := New(t, hosts.Options{})
	for _, mpi := range testkit.Libraries(0) {
		t.Run(mpi, func(t *testing.T) {
			j, open := phases(t, s, mpi, nil)
			s.Signal("front", "agent --session", syscall.SIGKILL)
			open()
			o := j.Wait(t)
			if o.Exit != 0 || !strings.Contains(o.Said, "unknot report "+j.dir) {
				t.Errorf("exit status %d\n%s", o.Exit, o.Output)
			}
			m := j.merged(t, 2)
			if m.Exit != 0 || len(m.Run.Findings) > 0 || m.Run.Ranks != 4 || m.Run.Calls == 0 {
				t.Errorf("exit status %d, %d ranks, %d calls\n%s", m.Exit, m.Run.Ranks, m.Run.Calls, m.Output)
			}
			for _, want := range []string{"ranks 0 and 2 on node1 observed to their ends",
				"ranks 1 and 3 on node2 observed to their ends"} {
				if !strings.Contains(m.Said, want) {
					t.Errorf("no %q in\n%s", want, m.Output)
				}
			}
			s.Clean(t)
		})
	}
}

// TestPartsOfALostRootTellADeadlock has ranks of two hosts wait for each other. The user ends the job after a while.
func TestPartsOfALostRootTellADeadlock(t *testing.T) {
	t.Parallel()
	s := New(t, hosts.Options{})
	at := regexp.MustCompile(`MPI_Recv .*at main \(phases\.c:\d+\)`)
	kill := func() { s.Signal("front", "agent --session", syscall.SIGKILL) }
	// how long ranks hang, or the root is lost, is what is tried
	pause := func(d time.Duration) func() { return func() { time.Sleep(d) } }
	for _, c := range []struct {
		name  string
		mpi   []string
		steps func(j *Job, open func()) []func()
	}{
		{"after the root was killed", testkit.Libraries(1), func(_ *Job, open func()) []func() {
			return []func(){kill, open, pause(6 * time.Second)}
		}},
		{"before the root was killed", testkit.Libraries(0), func(_ *Job, open func()) []func() {
			stop := func() { s.Signal("front", "agent --session", syscall.SIGSTOP) }
			return []func(){stop, open, pause(3 * time.Second), kill, pause(5 * time.Second)}
		}},
		{"after the agents have given the root up", testkit.Libraries(1), func(j *Job, open func()) []func() {
			said := func() { j.Await(t, "leaves what it knows in "+j.dir) }
			return []func(){kill, said, open, pause(6 * time.Second)}
		}},
	} {
		for _, mpi := range c.mpi {
			t.Run(c.name+"/"+mpi, func(t *testing.T) {
				j, open := phases(t, s, mpi, soon, "hang")
				for _, step := range c.steps(j, open) {
					step()
				}
				if err := j.Signal(syscall.SIGTERM); err != nil {
					t.Fatal(err)
				}
				if o := j.Wait(t); len(o.Run.Findings) > 0 {
					t.Errorf("%s", o.Output)
				}
				m := j.merged(t, 2)
				if m.Exit != 66 || len(m.Run.Findings) != 1 || !at.MatchString(m.Said) {
					t.Fatalf("exit status %d\n%s", m.Exit, m.Output)
				}
				f := m.Run.Findings[0]
				if f.Code != finding.Deadlock || f.Standing != finding.Manifest || !slices.Equal(f.Ranks, []int{0, 1}) {
					t.Errorf("%s", m.Output)
				}
				s.Clean(t)
			})
		}
	}
}

// TestPartsOfALostRootTellWhatIsWrong has ranks of one host misuse MPI before and after the process with the root is
// killed.
func TestPartsOfALostRootTellWhatIsWrong(t *testing.T) {
	t.Parallel()
	s := New(t, hosts.Options{})
	at := regexp.MustCompile(`MPI_Send .*at mismatch \(phases\.c:\d+\).*MPI_Recv .*at mismatch \(phases\.c:\d+\)`)
	for i, how := range []string{"misuse", "early"} {
		for _, mpi := range testkit.LibrariesOfMany(i) {
			t.Run(how+"/"+mpi, func(t *testing.T) {
				j, open := phases(t, s, mpi, nil, how)
				s.Signal("front", "agent --session", syscall.SIGKILL)
				open()
				if o := j.Wait(t); o.Exit != 0 && o.Exit != 66 {
					t.Errorf("exit status %d\n%s", o.Exit, o.Output)
				}
				m := j.merged(t, 2)
				if m.Exit != 66 || len(m.Run.Findings) != 1 || m.Run.Findings[0].Code != "type-mismatch" ||
					!at.MatchString(m.Said) {
					t.Errorf("exit status %d\n%s", m.Exit, m.Output)
				}
				s.Clean(t)
			})
		}
	}
}

// TestWhatALostSupervisorDidNotHearIsInAPart kills unknot run itself: the job is ended, and the root judges it all the
// same.
func TestWhatALostSupervisorDidNotHearIsInAPart(t *testing.T) {
	t.Parallel()
	s := New(t, hosts.Options{})
	for _, mpi := range testkit.Libraries(1) {
		t.Run(mpi, func(t *testing.T) {
			j, _ := phases(t, s, mpi, nil, "early")
			if err := j.Signal(syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			j.Wait(t)
			m := j.merged(t, 1)
			if m.Exit != 66 || len(m.Run.Findings) != 1 || m.Run.Findings[0].Code != "type-mismatch" {
				t.Errorf("exit status %d\n%s", m.Exit, m.Output)
			}
			s.Clean(t)
		})
	}
}

// TestPartsOfALostRootHaveTheTrace kills the process with the root of a job that records its calls.
func TestPartsOfALostRootHaveTheTrace(t *testing.T) {
	t.Parallel()
	s := New(t, hosts.Options{})
	for _, mpi := range testkit.LibrariesOfMany(1) {
		t.Run(mpi, func(t *testing.T) {
			recorded, joined := filepath.Join(s.Dir, "recorded"), filepath.Join(s.Dir, "joined")
			j, open := phases(t, s, mpi, []string{"--trace", recorded})
			s.Signal("front", "agent --session", syscall.SIGKILL)
			open()
			j.Wait(t)
			if m := j.merged(t, 2); !strings.Contains(m.Said, "calls were recorded: `unknot report --trace FILE "+
				j.dir) {
				t.Errorf("no word of the trace in\n%s", m.Output)
			}
			if m := j.merged(t, 2, "--trace", joined); m.Exit != 0 || strings.Contains(m.Said, "calls were recorded") {
				t.Errorf("exit status %d\n%s", m.Exit, m.Output)
			}
			shown, err := exec.Command(s.Unknot, "trace", "show", joined).CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, shown)
			}
			if !strings.Contains(string(shown), "the root was lost before the job ended") {
				t.Errorf("the trace is said to be whole:\n%s", shown)
			}
			for rank := range 4 {
				if ends := regexp.MustCompile(fmt.Sprintf(`(?m)^rank %d #\d+: MPI_Finalize`,
					rank)); !ends.Match(shown) {
					t.Errorf("no end of rank %d in\n%s", rank, shown)
				}
			}
			s.Clean(t)
		})
	}
}

// TestPartsOfALostRootTellWhatThreadsOfUPCHaveTold kills the process with the root before threads find what is wrong,
// or wait forever.
func TestPartsOfALostRootTellWhatThreadsOfUPCHaveTold(t *testing.T) {
	t.Parallel()
	s := New(t, hosts.Options{})
	for i, c := range []struct {
		verb, way string
		check     func(m Outcome)
	}{
		{"upcc", "locks", func(m Outcome) {
			for _, want := range []string{
				`thread 0 on node1 last at upc_lock \(gated\.upc:27\) and waits for a lock that thread 1 holds or gets first, for \d`,
				`thread 3 on node2 last at upc_barrier \(gated\.upc:33\), for \d`,
			} {
				if !regexp.MustCompile(want).MatchString(m.Said) {
					t.Errorf("no %s in\n%s", want, m.Output)
				}
			}
			if m.Exit != 0 || len(m.Run.Findings) > 0 || m.Run.Language != finding.UPC {
				t.Errorf("exit status %d, language %v\n%s", m.Exit, m.Run.Language, m.Output)
			}
		}},
		{"upc-check", "wrong", func(m Outcome) {
			if m.Exit != 66 || len(m.Run.Findings) != 1 || m.Run.Findings[0].Places[0].Line != 30 {
				t.Errorf("exit status %d\n%s", m.Exit, m.Output)
			}
		}},
	} {
		for _, mpi := range testkit.Libraries(i) {
			t.Run(c.way+"/"+mpi, func(t *testing.T) {
				gate := filepath.Join(s.Dir, "gate-"+c.way)
				program := compileUPC(t, s, c.verb, mpi, "gated.upc")
				j := s.Start(t, nil, slices.Concat(Launcher(mpi, 4, "node1", "node2"),
					[]string{program, gate, c.way})...)
				j.Await(t, "all are there")
				s.Signal("front", "agent --session", syscall.SIGKILL)
				if err := os.WriteFile(gate, nil, 0o600); err != nil {
					t.Fatal(err)
				}
				if c.way == "locks" {
					time.Sleep(3 * time.Second) // for how long they hang is in the words
					if err := j.Signal(syscall.SIGTERM); err != nil {
						t.Fatal(err)
					}
				}
				j.Wait(t)
				c.check(j.merged(t, 2))
				s.Clean(t)
			})
		}
	}
}
