package launch

import (
	"path/filepath"
	"strconv"

	"unknot/internal/kit/procstat"
)

// procFile is a file that the kernel has of a process; "" for name is their directory.
func procFile(pid int, name string) string {
	return filepath.Join("/proc", strconv.Itoa(pid), name)
}

// parentOf is the parent of a process, 0 if it has gone.
func parentOf(pid int) int {
	stat, err := procstat.Of(procFile(pid, ""))
	if err != nil {
		return 0
	}
	parent, _ := strconv.Atoi(stat[procstat.Parent])
	return parent
}
