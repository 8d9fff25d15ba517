package kernel

import (
	"os"
	"strconv"

	"unknot/internal/kit/priority"
)

// RaisePriority asks for the priority that the agent may have: with more ranks than cores, polling ranks would leave it
// the share of one of them only. Where the kernel shares the cores by sessions first (sched(7), autogroup), a session has a
// separate priority.
func RaisePriority() {
	_ = os.WriteFile("/proc/self/autogroup", []byte(strconv.Itoa(priority.Raised)), 0)
	priority.Raise()
}
