package ptrace

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"unknot/internal/kit/procstat"
)

func start(t *testing.T, script string) *exec.Cmd {
	t.Helper()
	c := exec.Command("bash", "-c", script)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Process.Kill(); c.Wait() })
	return c
}

func awaitState(pid int, states string) {
	for {
		for _, s := range states {
			if rune(procstat.Doing(pid, pid).State) == s {
				return
			}
		}
	}
}

func TestAThreadThatRunsGoesOn(t *testing.T) {
	pid := start(t, "while :; do :; done").Process.Pid
	awaitState(pid, "R")
	var before uint64
	for range 3 {
		seen, err := Look(pid, pid, 1<<16)
		if err != nil {
			t.Fatal(err)
		}
		if seen.PC == 0 || seen.SP == 0 || seen.SP == before || len(seen.Stack) == 0 {
			t.Errorf("seen at %#x, with the stack at %#x and %d bytes of it", seen.PC, seen.SP, len(seen.Stack))
		}
		awaitState(pid, "R")
	}
}

func TestAProcessThatWasStoppedStaysSo(t *testing.T) {
	c := start(t, "while :; do :; done")
	pid := c.Process.Pid
	awaitState(pid, "R")
	c.Process.Signal(syscall.SIGSTOP)
	awaitState(pid, "T")
	if _, err := Look(pid, pid, 1<<12); err != nil {
		t.Fatal(err)
	}
	awaitState(pid, "T")
	c.Process.Signal(syscall.SIGCONT)
	awaitState(pid, "R")
}

// A signal that comes while somebody looks is for the process all the same.
func TestNoSignalIsLost(t *testing.T) {
	program := filepath.Join(t.TempDir(), "counts")
	if out, err := exec.Command("gcc", "-Wall", "-Werror", "-o", program, "testdata/counts.c").CombinedOutput(); err != nil {
		t.Fatalf("%s", out)
	}
	c := exec.Command(program)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Process.Kill(); c.Wait() })
	pid := c.Process.Pid
	for signals(t, pid, "SigCgt")>>(syscall.SIGTERM-1)&1 == 0 {
	}
	const sent = 40
	for range sent {
		c.Process.Signal(syscall.SIGUSR1)
		if _, err := Look(pid, pid, 1<<12); err != nil {
			t.Fatal(err)
		}
		for signals(t, pid, "ShdPnd") != 0 { // two that wait at the same time would be one
		}
	}
	c.Process.Signal(syscall.SIGTERM)
	err := c.Wait()
	var status *exec.ExitError
	if !errors.As(err, &status) || status.ExitCode() != sent {
		t.Errorf("%v, want exit status %d: the number of signals", err, sent)
	}
}

// signals are those of a set that the kernel has of a process, a bit for each.
func signals(t *testing.T, pid int, set string) (bits uint64) {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, set+":"); ok {
			bits, err = strconv.ParseUint(strings.TrimSpace(rest), 16, 64)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return bits
}

func TestAThreadThatHasEndedIsGone(t *testing.T) {
	c := start(t, "exit 0")
	c.Wait()
	if _, err := Look(c.Process.Pid, c.Process.Pid, 1<<12); !errors.Is(err, ErrGone) {
		t.Errorf("%v, want %v", err, ErrGone)
	}
}
