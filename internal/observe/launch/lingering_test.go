package launch

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// A launcher lingers when the ranks have ended and nothing lives that it has started. What else of the session is there
// forbids to end it.
func TestALauncherLingersThatHasNothingToWaitFor(t *testing.T) {
	dir := t.TempDir()
	sleep, err := exec.LookPath("sleep")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(sleep)
	if err != nil {
		t.Fatal(err)
	}
	launcher := filepath.Join(dir, "mpirun.mpich") // what is named so, and does nothing
	if err := os.WriteFile(launcher, text, 0o755); err != nil {
		t.Fatal(err)
	}
	script := "exec " + launcher + " 60"
	for _, c := range []struct {
		name          string
		script, other string
		rank          string // what is known of one: "ended", "lives", or "" for nothing
		stopped       bool
		want, alone   bool
	}{
		{"it does nothing", script, "", "ended", false, true, true},
		{"its script waits for it", launcher + " 60; true", "", "ended", false, true, true},
		{"something else of its script is there", script, "exec sleep 60", "ended", false, true, false},
		{"it has started something", "sleep 60 & " + script, "", "ended", false, false, false},
		{"it is stopped", script, "", "ended", true, false, false},
		{"a rank lives", script, "", "lives", false, false, false},
		{"there was no rank", script, "", "", false, false, false},
		{"it is no launcher", "exec sleep 60", "", "ended", false, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			session := t.TempDir()
			pid, gone := start(t, session, c.script)
			t.Cleanup(func() { KillMembers(session) })
			if c.other != "" {
				start(t, session, c.other)
			}
			rank := os.Getpid()
			if c.rank == "ended" {
				done := exec.Command("true")
				if err := done.Run(); err != nil {
					t.Fatal(err)
				}
				rank = done.Process.Pid
			}
			if c.rank != "" {
				if err := os.WriteFile(filepath.Join(session, "ring."+strconv.Itoa(rank)+"."+strconv.Itoa(rank)), nil,
					0o600); err != nil {
					t.Fatal(err)
				}
			}
			if c.stopped {
				defer syscall.Kill(pid, syscall.SIGCONT)
				if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
					t.Fatal(err)
				}
			}
			looks := 20 // what was started has to come to its execve
			if c.want {
				looks = 3000
			}
			var l Lingering
			for range looks {
				l = FindLingering(session)
				if c.want && len(l.Launchers) == 1 && l.Alone == c.alone {
					break
				}
				time.Sleep(10 * time.Millisecond)
			}
			if got := len(l.Launchers) == 1; got != c.want || l.Alone != c.alone {
				t.Fatalf("%+v, want lingering %v, alone %v", l, c.want, c.alone)
			}
			if !c.want {
				return
			}
			l.End(time.Second)
			if l.Launchers[0] == pid {
				<-gone
			}
			if lives(l.Launchers[0]) {
				t.Error("it lives on")
			}
		})
	}
}
