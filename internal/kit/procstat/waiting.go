package procstat

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// SystemCall is a system call that a thread waits in. One that the kernel has restarted after a stop, under a number
// that says nothing of it (restart_syscall(2)), has that under which it began, if that can be said.
type SystemCall struct {
	Number    int
	Arguments [6]uint64
}

// suspended is what the kernel says of a thread that waits.
type suspended struct {
	pc, sp uint64 // 0 if they may not be asked, and if it runs
	call   SystemCall
	in     bool // it is in a system call
}

func suspendedOf(pid, tid int) (s suspended, err error) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/task/" + strconv.Itoa(tid) + "/syscall")
	if err != nil {
		return s, err
	}
	f := bytes.Fields(text)
	if len(f) == 3 || len(f) == 9 { // not "running"
		s.sp, _ = strconv.ParseUint(string(f[len(f)-2]), 0, 64) // the kernel writes them
		s.pc, _ = strconv.ParseUint(string(f[len(f)-1]), 0, 64)
	}
	if len(f) < 7 { // "running", or outside of all calls
		return s, nil
	}
	s.call.Number, _ = strconv.Atoi(string(f[0])) // the kernel writes it
	for i := range s.call.Arguments {
		s.call.Arguments[i], _ = strconv.ParseUint(string(f[1+i]), 0, 64)
	}
	if s.call.Number == unix.SYS_RESTART_SYSCALL {
		if number, ok := began(pid, s.pc); ok {
			s.call.Number = number
		}
	}
	s.in = true
	return s, nil
}

// WaitsIn is the system call that a thread waits in; false if it waits in none, or that may not be asked.
func WaitsIn(pid, tid int) (SystemCall, bool) {
	s, err := suspendedOf(pid, tid)
	return s.call, err == nil && s.in
}
