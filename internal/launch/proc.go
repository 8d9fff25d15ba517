package launch

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// procFile is a file that the kernel has of a process; "" for name is their directory.
func procFile(pid int, name string) string {
	return filepath.Join("/proc", strconv.Itoa(pid), name)
}

// statOf is the state of a process and what follows it in proc(5), nothing if it has gone.
func statOf(pid int) []string {
	stat, _ := os.ReadFile(procFile(pid, "stat"))
	return strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
}

// parentOf is the parent of a process, 0 if it has gone.
func parentOf(pid int) int {
	stat := statOf(pid)
	if len(stat) < 2 {
		return 0
	}
	parent, _ := strconv.Atoi(stat[1])
	return parent
}
