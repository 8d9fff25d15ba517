package testkit

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"unknot/internal/kit/procstat"
)

// Below lists the processes below one, each with what it is doing: its state, where in the kernel each of its threads
// waits, and its command. It is for the message of a test whose job did not end.
func Below(pid int) string {
	parents := make(map[int]int)
	all, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range all {
		p, err := strconv.Atoi(filepath.Base(dir))
		if err != nil {
			continue
		}
		if stat, err := procstat.Of(dir); err == nil {
			parents[p], _ = strconv.Atoi(stat[procstat.Parent])
		}
	}
	var list strings.Builder
	for _, p := range slices.Sorted(maps.Keys(parents)) {
		up := p
		for up != pid && parents[up] > 1 {
			up = parents[up]
		}
		if up == pid {
			list.WriteString(doing(p, parents[p]))
		}
	}
	return list.String()
}

// doing is a line about a process.
func doing(pid, parent int) string {
	dir := filepath.Join("/proc", strconv.Itoa(pid))
	state := "gone"
	if stat, err := procstat.Of(dir); err == nil {
		state = stat[procstat.State]
	}
	command, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
	line := fmt.Sprintf("pid %d of %d, %s:", pid, parent, state)
	threads, _ := filepath.Glob(filepath.Join(dir, "task", "[0-9]*", "wchan"))
	for _, t := range threads {
		at, _ := os.ReadFile(t)
		line += " " + string(at)
	}
	return line + ": " + strings.ReplaceAll(string(command), "\x00", " ") + "\n"
}
