package ptrace

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"unknot/internal/kit/procstat"
)

// resumed says whether the kernel resumes a system call after a stop so that the program does not notice it
// (signal(7), and -ERESTART… in the kernel's sources): it returns neither early nor with EINTR, and memory is as it
// would have been.
//
// Calls that are not named here are not, such as epoll_wait, semop, sigtimedwait and io_getevents, which return EINTR.
func resumed(pid int, c procstat.SystemCall) bool {
	a := &c.Arguments
	switch c.Number {
	case unix.SYS_PAUSE, unix.SYS_WAIT4, unix.SYS_POLL: // poll is resumed until the time at which it would have returned
		return true
	case unix.SYS_NANOSLEEP: // so are sleeps, but what is left is written where the program wants to know it
		return a[1] == 0
	case unix.SYS_CLOCK_NANOSLEEP:
		return a[3] == 0
	case unix.SYS_FUTEX: // a wait: what was changed meanwhile is seen
		const wait, waitForBits, private, realtime = 0, 9, 128, 256
		op := a[1] &^ (private | realtime)
		return op == wait || op == waitForBits
	case unix.SYS_SELECT:
		return leaves(pid, a[4])
	case unix.SYS_PSELECT6: // with a mask of signals, one that came meanwhile may be handled too early
		return a[5] == 0 && leaves(pid, a[4])
	case unix.SYS_PPOLL:
		return a[3] == 0 && leaves(pid, a[2])
	}
	return false
}

// leaves says whether the kernel can write down how much of a time limit is left, from which it resumes the call: where
// it cannot, or the process does not want that (STICKY_TIMEOUTS, personality(2)), the call returns EINTR.
func leaves(pid int, limit uint64) bool {
	if limit == 0 {
		return true // there is none
	}
	const sticky, size = 0x4000000, 16
	dir := "/proc/" + strconv.Itoa(pid)
	text, err := os.ReadFile(dir + "/personality")
	personality, bad := strconv.ParseUint(strings.TrimSpace(string(text)), 16, 64)
	if err != nil || bad != nil || personality&sticky != 0 {
		return false
	}
	maps, err := os.ReadFile(dir + "/maps")
	for line := range strings.Lines(string(maps)) {
		m, ok := procstat.ReadMapping(strings.TrimSuffix(line, "\n"))
		if ok && limit >= m.From && limit < m.To {
			return err == nil && m.To-limit >= size && strings.HasPrefix(m.Rights, "rw")
		}
	}
	return false
}
