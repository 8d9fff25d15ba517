package agent

import (
	"bytes"
	"os"
	"strconv"
)

// ownMemory says whether an address is in memory that a process shares with no other, and with no file, by what proc(5) tells.
func ownMemory(pid int, at uint64) bool {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/maps")
	if err != nil {
		return false
	}
	for line := range bytes.Lines(text) {
		f := bytes.Fields(line) // from-end, rights, offset, device, inode, path
		if len(f) < 5 {
			continue
		}
		low, high, _ := bytes.Cut(f[0], []byte("-"))
		from, err := strconv.ParseUint(string(low), 16, 64)
		if err != nil || at < from {
			continue
		}
		if end, err := strconv.ParseUint(string(high), 16, 64); err == nil && at < end {
			return bytes.HasSuffix(f[1], []byte("p")) && string(f[4]) == "0"
		}
	}
	return false
}
