package procstat

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Activity is what a thread does, as the kernel says.
type Activity struct {
	State byte // the letter of State: R, S, D, T, t …; 0 if the thread is gone
	// Call is the system call that it is in, by its name or "system call N"; "" if it is in none, or that may not be
	// asked.
	Call string
	// On is what that call is about: the path or kind of a file, "" if that is not known.
	On string
	// Restarts says that a handler of a signal may run without the program's noticing it: the call continues afterwards
	// (signal(7)).
	Restarts bool
	// Inside says that only another thread of the same process can end the call: it waits without a time limit for what
	// no other process sees (futex(2), FUTEX_PRIVATE_FLAG).
	Inside bool
	// Value is that of the word on which it waits in a futex (futex(2)): in pthread_join the thread that is to end.
	Value uint32
	// PC and SP are its instruction and its stack pointer if it waits in the kernel; 0 if they may not be asked.
	PC, SP uint64
	// Others is how many other threads of the process run.
	Others int
}

// Doing tells what a thread does.
func Doing(pid, tid int) Activity {
	process := "/proc/" + strconv.Itoa(pid)
	dir := process + "/task/" + strconv.Itoa(tid)
	stat, err := Of(dir)
	if err != nil || len(stat[State]) == 0 {
		return Activity{}
	}
	a := Activity{State: stat[State][0], Others: running(process, tid)}
	waits, err := suspendedOf(pid, tid)
	if err != nil {
		return a
	}
	a.PC, a.SP = waits.pc, waits.sp
	if !waits.in {
		a.Restarts = a.State == 'R'
		return a
	}
	number, arg := waits.call.Number, waits.call.Arguments
	call, known := calls()[number]
	a.Call = call.name
	if !known {
		a.Call = "system call " + strconv.Itoa(number)
		return a
	}
	switch call.about {
	case descriptor:
		a.On = file(process, arg[0])
	case path:
		a.On = textAt(pid, arg[0])
	case pathAt:
		a.On = textAt(pid, arg[1])
	}
	a.Restarts = call.restarts
	switch {
	case number == unix.SYS_FUTEX:
		a.Restarts = arg[3] == 0 // without a time limit
		a.Inside = a.Restarts && arg[1]&futexPrivate != 0
		a.Value = uint32(arg[2])
	case strings.HasPrefix(a.On, "socket:"):
		a.Restarts = false // it may have a time limit
	}
	return a
}

// futexPrivate is FUTEX_PRIVATE_FLAG of linux/futex.h.
const futexPrivate = 128

// call is one in which threads may wait for long.
type call struct {
	name     string
	about    about
	restarts bool
}

// about says what the arguments of a call name.
type about uint8

const (
	nothing    about = iota
	descriptor       // the first is a file descriptor
	path             // the first is a path
	pathAt           // the second is one
)

// callsOfAll are those that each machine has.
func callsOfAll() map[int]call {
	return map[int]call{
		unix.SYS_READ: {"read", descriptor, true}, unix.SYS_READV: {"readv", descriptor, true},
		unix.SYS_PREAD64: {"pread", descriptor, true},
		unix.SYS_WRITE:   {"write", descriptor, true}, unix.SYS_WRITEV: {"writev", descriptor, true},
		unix.SYS_PWRITE64: {"pwrite", descriptor, true},
		unix.SYS_OPENAT:   {"open", pathAt, true}, unix.SYS_FLOCK: {"flock", descriptor, true},
		unix.SYS_FCNTL: {"fcntl", descriptor, true},
		unix.SYS_FSYNC: {"fsync", descriptor, true}, unix.SYS_FDATASYNC: {"fdatasync", descriptor, true},
		unix.SYS_CLOSE: {"close", descriptor, true},
		unix.SYS_WAIT4: {"wait4", nothing, true}, unix.SYS_WAITID: {"waitid", nothing, true},
		unix.SYS_FUTEX: {"futex", nothing, false}, unix.SYS_RESTART_SYSCALL: {"restart_syscall", nothing, false},
		unix.SYS_NANOSLEEP: {"nanosleep", nothing, false}, unix.SYS_CLOCK_NANOSLEEP: {"clock_nanosleep",
			nothing, false},
		unix.SYS_PPOLL: {"ppoll", nothing, false}, unix.SYS_PSELECT6: {"pselect", nothing, false},
		unix.SYS_EPOLL_PWAIT: {"epoll_pwait", nothing, false},
		unix.SYS_RECVFROM:    {"recvfrom", descriptor, false}, unix.SYS_RECVMSG: {"recvmsg", descriptor, false},
		unix.SYS_SENDTO:  {"sendto", descriptor, false},
		unix.SYS_SENDMSG: {"sendmsg", descriptor, false}, unix.SYS_ACCEPT: {"accept", descriptor, false},
		unix.SYS_ACCEPT4: {"accept", descriptor, false},
		unix.SYS_CONNECT: {"connect", descriptor, false}, unix.SYS_SEMTIMEDOP: {"semop", nothing, false},
		unix.SYS_SEMOP:  {"semop", nothing, false},
		unix.SYS_MSGRCV: {"msgrcv", nothing, false}, unix.SYS_MSGSND: {"msgsnd", nothing, false},
		unix.SYS_RT_SIGSUSPEND:   {"sigsuspend", nothing, false},
		unix.SYS_RT_SIGTIMEDWAIT: {"sigwait", nothing, false}, unix.SYS_IO_GETEVENTS: {"io_getevents", nothing, false},
		unix.SYS_SCHED_YIELD:     {"sched_yield", nothing, true},
		unix.SYS_MQ_TIMEDRECEIVE: {"mq_receive", descriptor, false}, unix.SYS_MQ_TIMEDSEND: {"mq_send",
			descriptor, false},
	}
}

// file is what a descriptor of a process stands for: a path, or a kind with a number.
func file(process string, number uint64) string {
	to, err := os.Readlink(process + "/fd/" + strconv.FormatUint(number, 10))
	if err != nil {
		return ""
	}
	return to
}

// textAt is the string at an address of a process, "" if it cannot be read.
func textAt(pid int, at uint64) string {
	memory, err := os.Open(filepath.Join("/proc", strconv.Itoa(pid), "mem"))
	if err != nil {
		return ""
	}
	defer memory.Close()
	text := make([]byte, unix.PathMax)
	n, _ := memory.ReadAt(text, int64(at)) // what there is up to the end of a page
	end := bytes.IndexByte(text[:n], 0)
	if end < 0 {
		return ""
	}
	return string(text[:end])
}

// running counts the threads of a process, except for one, that run.
func running(process string, but int) (n int) {
	tasks, err := os.ReadDir(process + "/task")
	if err != nil {
		return 0
	}
	for _, t := range tasks {
		if t.Name() == strconv.Itoa(but) {
			continue
		}
		if s, err := Of(process + "/task/" + t.Name()); err == nil && s[State] == "R" {
			n++
		}
	}
	return n
}

// Process is the state in a word: running, asleep, uninterruptible, stopped or traced; "" if the thread is gone.
func (a Activity) Process() string {
	switch a.State {
	case 'R':
		return "running"
	case 'S', 'I':
		return "asleep"
	case 'D':
		return "uninterruptible"
	case 'T':
		return "stopped"
	case 't':
		return "traced"
	}
	return ""
}
