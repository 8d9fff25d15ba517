// Package procstat reads what the kernel says of a process or a thread (proc(5), /proc/PID/stat), of the system call
// that it is in, and of its memory (/proc/PID/maps).
package procstat

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Fields, counted from the state on, which is the third of the file.
const (
	State   = 0 // a letter
	Parent  = 1
	Flags   = 6  // of the kernel's own
	User    = 11 // processor time, in ticks
	System  = 12
	Start   = 19 // in ticks since the machine was started
	EnvFrom = 47 // where the environment is in memory
	EnvTo   = 48
	fields  = 49
)

// Of gives the fields of a process or thread whose directory below /proc is given: all that are named here are there.
// The command's name, which stands before them in parentheses, may hold anything.
func Of(dir string) ([]string, error) {
	text, err := os.ReadFile(filepath.Join(dir, "stat"))
	if err != nil {
		return nil, err
	}
	list := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(list) < fields {
		return nil, fmt.Errorf("%s/stat: %d fields, want %d", dir, len(list), fields)
	}
	return list, nil
}

// Ended says whether the process or thread with these fields has ended, and only waits for its parent to notice.
func Ended(stat []string) bool { return stat[State] == "Z" || stat[State] == "X" }

// PeakMemory is the most resident memory that a process has had, in bytes, by its file status (proc(5), VmHWM); 0 if it
// is gone or does not say.
func PeakMemory(status string) (bytes uint64) {
	text, _ := os.ReadFile(status)
	for line := range strings.Lines(string(text)) {
		if n, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			fmt.Sscan(n, &bytes)
		}
	}
	return bytes << 10
}

// Time is the processor time that the process or thread with these fields has had, in whole ticks.
func Time(stat []string) time.Duration {
	const tick = 10 * time.Millisecond // USER_HZ is 100 on all of Linux
	user, _ := strconv.Atoi(stat[User])
	system, _ := strconv.Atoi(stat[System])
	return time.Duration(user+system) * tick
}
