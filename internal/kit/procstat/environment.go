package procstat

import (
	"os"
	"strconv"
	"strings"
)

// Environment are the environment variables that a process was started with, "NAME=VALUE"; none if they may not be
// asked.
func Environment(pid int) []string {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	if err != nil || len(text) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00")
}
