package kernel

import (
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// RaisePriority asks for the priority that the agent may have: with more ranks than cores, polling ranks would leave it
// the share of one of them only. Linux keeps a priority for each thread; later ones inherit it. Without the right to it
// things stay as they are. Where the kernel shares the cores by sessions first (sched(7), autogroup), a session has a
// separate priority.
func RaisePriority() {
	const wanted = -15
	_ = os.WriteFile("/proc/self/autogroup", []byte(strconv.Itoa(wanted)), 0)
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return
	}
	for _, t := range tasks {
		if tid, err := strconv.Atoi(t.Name()); err == nil {
			_ = unix.Setpriority(unix.PRIO_PROCESS, tid, wanted) // which on Linux names a thread
		}
	}
}
