package priority

import (
	"errors"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// Urgent has the threads of this process, and those that they start, run before all that are not urgent (sched(7),
// SCHED_RR), for what takes little of the processor and must not wait for it. Without the right to that they get what
// Raise asks for. The function that it returns undoes it. No process must be started meanwhile, which would be urgent
// too.
func Urgent() (undo func()) {
	before, err := unix.SchedGetAttr(0, 0)
	if err != nil {
		return func() {}
	}
	if all(&unix.SchedAttr{Policy: unix.SCHED_RR, Priority: 1}) != nil {
		Raise()
	}
	return func() { _ = all(before) } // what was allowed to them before is allowed still
}

// all sets how the threads of this process are scheduled, also of those that start meanwhile.
func all(a *unix.SchedAttr) error {
	for changed := true; changed; {
		changed = false
		tasks, err := os.ReadDir("/proc/self/task")
		if err != nil {
			return err
		}
		for _, t := range tasks {
			tid, err := strconv.Atoi(t.Name())
			if err != nil {
				continue
			}
			if now, err := unix.SchedGetAttr(tid, 0); err != nil || alike(now, a) {
				continue
			}
			if err := unix.SchedSetAttr(tid, a, 0); errors.Is(err, unix.ESRCH) {
				continue
			} else if err != nil {
				return err
			}
			changed = true
		}
	}
	return nil
}

func alike(a, b *unix.SchedAttr) bool {
	return a.Policy == b.Policy && a.Priority == b.Priority && a.Nice == b.Nice
}
