package launch

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// start runs a shell command with the session in its environment, and reaps it in the background.
func start(t *testing.T, session, script string) (pid int, gone <-chan struct{}) {
	t.Helper()
	cmd := exec.Command("/bin/sh", "-c", script)
	cmd.Env = append(os.Environ(), envSession+"="+session)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = cmd.Wait()
	}()
	t.Cleanup(func() {
		_ = syscall.Kill(cmd.Process.Pid, syscall.SIGKILL)
		<-done
	})
	return cmd.Process.Pid, done
}

func TestMembersOfASessionAreKilledAndNobodyElse(t *testing.T) {
	mine, other := t.TempDir(), t.TempDir()
	_, gone := start(t, mine, "exec sleep 60")
	stranger, alive := start(t, other, "exec sleep 60")
	KillMembers(mine)
	<-gone
	select {
	case <-alive:
		t.Errorf("process %d of another session was killed", stranger)
	default:
	}
}

func TestRanksAreThoseThatStillMapTheirRing(t *testing.T) {
	session := t.TempDir()
	pid, gone := start(t, session, "exec sleep 60")
	// It has a ring's name, but does not map anything there: the pid may be another process's by now.
	name := filepath.Join(session, "ring."+strconv.Itoa(pid)+"."+strconv.Itoa(pid))
	if err := os.WriteFile(name, make([]byte, 4096), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := Ranks(session); len(got) != 0 {
		t.Errorf("ranks %v, want none", got)
	}
	if n := AwaitRanks(session, 10*time.Minute); n != 0 {
		t.Errorf("%d killed, want none", n)
	}
	// We map one, and are a rank therefore.
	own := filepath.Join(session, fmt.Sprintf("ring.%d.%d", os.Getpid(), os.Getpid()))
	if err := os.Rename(name, own); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(own, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := syscall.Mmap(int(f.Fd()), 0, 4096, syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	if got := Ranks(session); len(got) != 1 || got[0] != os.Getpid() {
		t.Errorf("ranks %v, want ourselves, %d", got, os.Getpid())
	}
	if err := syscall.Munmap(m); err != nil {
		t.Fatal(err)
	}
	select {
	case <-gone:
		t.Error("a process that is no rank was killed")
	default:
	}
}

// job starts a shell script as a separate job.
func job(t *testing.T, script string) *Process {
	t.Helper()
	j, err := Recognise([]string{"/bin/sh", "-c", script}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { null.Close() })
	p, err := j.Start(Injection{Session: t.TempDir()}, Streams{In: null, Out: null, Err: null})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestExitStatusIsTheLaunchers(t *testing.T) {
	for script, want := range map[string]int{"exit 0": 0, "exit 7": 7, "kill -TERM $$": 143, "kill -KILL $$": 137} {
		p := job(t, script)
		<-p.Done
		if p.Exit != want {
			t.Errorf("%s: exit status %d, want %d", script, p.Exit, want)
		}
	}
}

func TestEndInsistsOnlyWhereItMust(t *testing.T) {
	ready := filepath.Join(t.TempDir(), "ready")
	for script, want := range map[string]int{
		"trap 'exit 3' TERM; touch %s; while :; do sleep 0.01; done": 3,
		"trap '' TERM; touch %s; while :; do sleep 0.01; done":       137,
	} {
		os.Remove(ready)
		p := job(t, strings.ReplaceAll(script, "%s", ready))
		for deadline := time.Now().Add(10 * time.Minute); ; time.Sleep(time.Millisecond) {
			if _, err := os.Stat(ready); err == nil {
				break
			}
			if time.Now().After(deadline) {
				t.Fatal("the script did not start")
			}
		}
		grace := 10 * time.Minute
		if want == 137 {
			grace = 50 * time.Millisecond
		}
		p.End(t.TempDir(), grace, grace)
		if p.Exit != want {
			t.Errorf("%s: exit status %d, want %d", script, p.Exit, want)
		}
	}
}
