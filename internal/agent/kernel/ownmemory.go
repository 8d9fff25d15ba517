package kernel

import (
	"fmt"
	"os"
	"strings"

	"unknot/internal/kit/procstat"
)

// ownMemory says whether an address is in memory that a process shares with no other, and with no file.
func ownMemory(pid int, at uint64) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(text)) {
		if m, ok := procstat.ReadMapping(strings.TrimSuffix(line, "\n")); ok && m.From <= at && at < m.To {
			return strings.HasSuffix(m.Rights, "p") && m.Inode == 0
		}
	}
	return false
}
