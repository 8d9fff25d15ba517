package procstat

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// await looks at a process until it does what is expected.
func await(t *testing.T, pid int, is func(Activity) bool) Activity {
	t.Helper()
	for {
		if a := Doing(pid, pid); is(a) {
			return a
		} else if a.State == 0 || a.State == 'Z' {
			t.Fatalf("process %d has ended", pid)
		}
	}
}

func start(t *testing.T, name string, args ...string) int {
	t.Helper()
	c := exec.Command(name, args...)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Process.Kill(); c.Wait() })
	return c.Process.Pid
}

func TestWhatAThreadWaitsIn(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	a := await(t, start(t, "cat", pipe), func(a Activity) bool { return a.Call == "open" && a.State == 'S' })
	if a.On != pipe || !a.Restarts {
		t.Errorf("a process that opens a pipe: %+v", a)
	}
	both, err := os.OpenFile(pipe, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer both.Close()
	reads := start(t, "cat", pipe)
	if a := await(t, reads, func(a Activity) bool { return a.Call == "read" && a.State == 'S' }); a.On != pipe ||
		!a.Restarts {
		t.Errorf("a process that reads from a pipe: %+v", a)
	}
	sleeps := start(t, "sleep", "600")
	if a := await(t, sleeps, func(a Activity) bool {
		return a.Call == "clock_nanosleep" ||
			a.Call == "nanosleep"
	}); a.Restarts {
		t.Errorf("a process that sleeps would not notice a signal: %+v", a)
	}
	syscall.Kill(sleeps, syscall.SIGSTOP)
	await(t, sleeps, func(a Activity) bool { return a.State == 'T' })
	if a := Doing(1<<22+1, 1<<22+1); a != (Activity{}) {
		t.Errorf("a process that is none: %+v", a)
	}
}
