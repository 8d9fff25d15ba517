package priority

import (
	"os"
	"runtime"
	"strconv"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
)

// policies are those of the threads of this process, each with its nice value.
func policies(t *testing.T) map[[2]int]int {
	t.Helper()
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[[2]int]int)
	for _, task := range tasks {
		tid, _ := strconv.Atoi(task.Name())
		if a, err := unix.SchedGetAttr(tid, 0); err == nil {
			seen[[2]int{int(a.Policy), int(a.Nice)}]++
		}
	}
	return seen
}

// more has some goroutines keep a thread each, and calls do meanwhile.
func more(do func()) {
	var ready, over sync.WaitGroup
	end := make(chan bool)
	for range 8 {
		ready.Add(1)
		over.Go(func() {
			runtime.LockOSThread()
			ready.Done()
			<-end
			runtime.UnlockOSThread()
		})
	}
	ready.Wait()
	do()
	close(end)
	over.Wait()
}

// TestUrgencyOfAllThreadsIsUndone also has threads that are started meanwhile.
func TestUrgencyOfAllThreadsIsUndone(t *testing.T) {
	before, err := unix.SchedGetAttr(0, 0)
	if err != nil {
		t.Fatal(err)
	}
	more(func() {
		undo := Urgent()
		more(func() {
			seen := policies(t)
			if os.Geteuid() == 0 && seen[[2]int{unix.SCHED_RR, 0}] == 0 && seen[[2]int{unix.SCHED_NORMAL, Raised}] == 0 {
				t.Errorf("no thread is urgent: %v", seen)
			}
			if len(seen) != 1 {
				t.Errorf("some threads are urgent, others not: %v", seen)
			}
			undo()
			if seen = policies(t); len(seen) != 1 || seen[[2]int{int(before.Policy), int(before.Nice)}] == 0 {
				t.Errorf("after that: %v", seen)
			}
		})
	})
}
