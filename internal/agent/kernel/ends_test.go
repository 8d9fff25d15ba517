package kernel

import (
	"os"
	"os/exec"
	"slices"
	"syscall"
	"testing"
	"time"
)

// TestEndsAreInOrder kills processes one after the other and asks only when all have gone.
func TestEndsAreInOrder(t *testing.T) {
	e := newEnds()
	var commands []*exec.Cmd
	for range 8 {
		c := exec.Command("sleep", "1000")
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		commands = append(commands, c)
		e.add(c.Process.Pid)
		if !slices.Equal(ancestors(c.Process.Pid)[:1], []int{os.Getpid()}) {
			t.Errorf("ancestors of a child: %v, want first %d", ancestors(c.Process.Pid), os.Getpid())
		}
	}
	before := monotonic()
	order := []int{3, 0, 7, 1, 6, 2, 5, 4}
	for _, i := range order {
		_ = commands[i].Process.Kill()
		_ = commands[i].Wait()
	}
	for nth, i := range order {
		end, ok := e.of(commands[i].Process.Pid)
		if !ok || end.Nth != nth+1 || end.Nanos < before || end.Nanos > before+uint64(time.Minute) {
			t.Errorf("process %d: %+v, %v, want number %d", i, end, ok, nth+1)
		}
	}
	if _, ok := e.of(1); ok {
		t.Error("a process that is not watched has ended")
	}
	var none *ends
	if _, ok := none.of(1); ok || none.lives(1) {
		t.Error("without a watch an end is known, or a life")
	}
}

// TestALateWatchSeesTheEnd adds a process that has gone already.
func TestALateWatchSeesTheEnd(t *testing.T) {
	c := exec.Command("true")
	if err := c.Run(); err != nil {
		t.Fatal(err)
	}
	e := newEnds()
	e.add(c.Process.Pid)
	if _, ok := e.of(c.Process.Pid); !ok {
		t.Error("the end is not known")
	}
}

// TestAProcessThatIsWatchedTwiceEndsOnce: the ring of a program that a rank executes has the same process.
func TestAProcessThatIsWatchedTwiceEndsOnce(t *testing.T) {
	e := newEnds()
	first, second := start(t, "sleep", "1000"), start(t, "sleep", "1000")
	for _, pid := range []int{first, second, first} {
		e.add(pid)
	}
	for nth, pid := range []int{first, second} {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		until(t, "the end of a process", func() bool {
			_, ended := e.of(pid)
			return ended
		})
		e.collect()
		if end, _ := e.of(pid); end.Nth != nth+1 {
			t.Errorf("process %d has ended as number %d, want %d", nth, end.Nth, nth+1)
		}
	}
}
