package reports

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"unknot/internal/upc/layout"
)

// write makes the file of a thread that waits at a barrier.
func write(t *testing.T, session string, thread, threads, pid int) {
	t.Helper()
	var text bytes.Buffer
	w := layout.Waits{Mark: layout.WaitsMark, Job: 1, Thread: uint64(thread), Threads: uint64(threads),
		PID: uint64(pid), Turn: 1, Looks: 3, Kind: layout.AtBarrier}
	if err := binary.Write(&text, binary.NativeEndian, w); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(session, fmt.Sprintf("%s%d", layout.WaitsPrefix, pid)), text.Bytes(),
		0o600); err != nil {
		t.Fatal(err)
	}
}

func add(t *testing.T, session, text string) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(session, layout.FindingsName), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
}

// TestWhatThreadsOfAnotherHostTellIsCopied has a thread on each of two hosts, both of the same process number.
func TestWhatThreadsOfAnotherHostTellIsCopied(t *testing.T) {
	here, there := t.TempDir(), t.TempDir()
	for i, session := range []string{here, there} {
		if err := Prepare(session); err != nil {
			t.Fatal(err)
		}
		write(t, session, i, 2, os.Getpid())
	}
	c := NewCopier(there)
	if !c.Any() {
		t.Error("no threads are seen")
	}
	paste := func() {
		t.Helper()
		copied := c.Take()
		if err := copied.Paste(here, "node7", 3); err != nil {
			t.Fatal(err)
		}
	}
	paste()
	all, err := waits(here)
	if err != nil || len(all[1]) != 2 {
		t.Fatalf("%v, %v", all, err)
	}
	for i, host := range []string{"", "node7"} {
		if w := &all[1][i]; w.thread != i || w.host != host || !w.waiting() || w.looks != 3 {
			t.Errorf("thread %d on %q, waiting %v, %d looks; want thread %d on %q, waiting, 3 looks", w.thread, w.host,
				w.waiting(), w.looks, i, host)
		} else if maps, err := w.memory(); err != nil || maps == nil {
			t.Errorf("thread %d: no memory map: %v", i, err)
		}
	}
	if w := all[1][1]; !bytes.Contains([]byte(w.maps), []byte("[stack]")) {
		t.Errorf("the memory map of the other host's thread is %q", w.maps)
	}

	read := func() string {
		text, err := os.ReadFile(filepath.Join(here, layout.FindingsName))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	add(t, here, "{1}\n")
	add(t, there, "{2}\n{3")
	paste()
	if got := read(); got != "{1}\n{2}\n" {
		t.Errorf("copied while a line is written: %q", got)
	}
	add(t, there, "}\n")
	paste()
	paste()
	if got := read(); got != "{1}\n{2}\n{3}\n" {
		t.Errorf("copied when it is complete: %q", got)
	}
}

// TestTheMemoryMapOutlivesTheProcess: what a thread of an ended process was at is named by the map that it had.
func TestTheMemoryMapOutlivesTheProcess(t *testing.T) {
	session := t.TempDir()
	if err := Prepare(session); err != nil {
		t.Fatal(err)
	}
	child := exec.Command("cat")
	end, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	write(t, session, 0, 1, child.Process.Pid)
	k := NewKeeper(session)
	alive := func(int) bool { return false } // nobody has noticed that it ends
	k.Look(time.Now(), alive)
	before := k.Last().Threads[0].Maps
	if err := end.Close(); err != nil {
		t.Fatal(err)
	}
	// It stays a zombie, without memory, until it is waited for.
	var info unix.Siginfo
	if err := unix.Waitid(unix.P_PID, child.Process.Pid, &info, unix.WEXITED|unix.WNOWAIT, nil); err != nil {
		t.Fatal(err)
	}
	k.Look(time.Now(), alive)
	if after := k.Last().Threads[0].Maps; after == "" || after != before {
		t.Errorf("the memory map is %q, and was %q", after, before)
	}
	if err := child.Wait(); err != nil {
		t.Error(err)
	}
}

// TestThreadsOfOtherHostsAreToldWhenTheseHaveAnsweredTwice: what they reported first may be from before the others
// began to wait.
func TestThreadsOfOtherHostsAreToldWhenTheseHaveAnsweredTwice(t *testing.T) {
	session := t.TempDir()
	if n := roundsOf(session); n != -1 {
		t.Errorf("%d rounds without other hosts", n)
	}
	j := judge{}
	for look := 1; look <= 30; look++ {
		if err := Rounds(session, 7+look/10); err != nil {
			t.Fatal(err)
		}
		all := threads("lock 1", "lock 0")
		for i := range all {
			all[i].looks = uint64(look)
		}
		if told := j.stuck(1, all, roundsOf(session)); told != (look >= 20) {
			t.Fatalf("look %d, at round %d: told %v", look, roundsOf(session), told)
		}
	}
}
