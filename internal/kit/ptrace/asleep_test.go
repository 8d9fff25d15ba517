package ptrace

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"unknot/internal/kit/procstat"
)

// waiting is the program of testdata whose threads wait in system calls.
type waiting struct {
	pid     int
	threads []waitingThread
	out     *bufio.Reader
	end     io.Closer
}

type waitingThread struct {
	tid     int
	name    string
	resumed bool // what it waits in is resumed after a stop
	stops   int
	call    string
}

func startWaiting(t *testing.T) *waiting {
	t.Helper()
	program := filepath.Join(t.TempDir(), "waits")
	if out, err := exec.Command("gcc", "-std=gnu11", "-Wall", "-Werror", "-o", program, "testdata/waits.c",
		"-lpthread").CombinedOutput(); err != nil {
		t.Fatalf("%s", out)
	}
	c := exec.Command(program)
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Process.Kill(); c.Wait() })
	w := &waiting{pid: c.Process.Pid, out: bufio.NewReader(out), end: in}
	const threads = 21
	for range threads {
		line, err := w.out.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		var one waitingThread
		var resumed int
		if _, err := fmt.Sscan(line, &one.tid, &one.name, &resumed); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		one.resumed = resumed == 1
		w.threads = append(w.threads, one)
	}
	return w
}

// results ends the program: what the call of each thread has returned, by its name.
func (w *waiting) results(t *testing.T) map[string]string {
	t.Helper()
	w.end.Close()
	text, err := io.ReadAll(w.out)
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[string]string)
	for line := range strings.Lines(string(text)) {
		name, result, _ := strings.Cut(strings.TrimSpace(line), ": ")
		got[name] = result
	}
	if len(got) != len(w.threads) {
		t.Fatalf("%d threads have ended, want %d:\n%s", len(got), len(w.threads), text)
	}
	return got
}

// TestSystemCallsThatAreResumedReturnAsEver stops threads that wait, over and over: their calls return what they would
// have returned, and not earlier. Threads in other calls are not stopped.
func TestSystemCallsThatAreResumedReturnAsEver(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("threads that wait are stopped on x86-64 only")
	}
	w := startWaiting(t)
	const often = 20
	for range often {
		for i := range w.threads {
			one := &w.threads[i]
			_, in := procstat.WaitsIn(w.pid, one.tid)
			doing := procstat.Doing(w.pid, one.tid)
			seen, err := LookAsleep(w.pid, one.tid, 1<<12)
			switch {
			case errors.Is(err, ErrCut): // or it has not begun to wait, or is on its way back to sleep
			case err != nil:
				t.Errorf("%s: %v", one.name, err)
			case !one.resumed:
				t.Errorf("%s was stopped", one.name)
			default:
				one.stops++
				if in && doing.PC == seen.PC {
					one.call = doing.Call
				}
				if len(seen.Registers) < 16 || seen.SP == 0 || len(seen.Stack) == 0 {
					t.Errorf("%s: seen at %#x, with the stack at %#x and %d bytes of it", one.name, seen.PC, seen.SP,
						len(seen.Stack))
				}
			}
		}
	}
	got := w.results(t)
	for _, one := range w.threads {
		if result := got[one.name]; strings.Contains(result, "is") {
			t.Errorf("%s: after %d stops, its result %s", one.name, one.stops, result)
		}
		if one.resumed && one.stops == 0 {
			t.Errorf("%s was not stopped", one.name)
		}
		if one.call == "restart_syscall" {
			t.Errorf("%s waits in %s, want the call that was restarted", one.name, one.call)
		}
	}
}

// TestOtherSystemCallsAreCutShort shows why threads in other calls are not stopped.
func TestOtherSystemCallsAreCutShort(t *testing.T) {
	w := startWaiting(t)
	for _, one := range w.threads {
		if one.resumed {
			continue
		}
		for doing := procstat.Doing(w.pid, one.tid); doing.State != 'S' || doing.Call == ""; {
			doing = procstat.Doing(w.pid, one.tid)
		}
		if _, err := Look(w.pid, one.tid, 1<<12); err != nil {
			t.Fatal(err)
		}
	}
	got := w.results(t)
	for _, name := range []string{"waits_for_events", "waits_for_semaphore", "waits_for_signal", "wants_rest",
		"selects_with_fixed_limit"} {
		if !strings.HasSuffix(got[name], " is wrong") {
			t.Errorf("%s: %s, want it cut short", name, got[name])
		}
	}
}
