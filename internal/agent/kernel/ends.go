package kernel

import (
	"os"
	"strconv"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"unknot/internal/kit/procstat"
)

// ends knows in which order the processes of this node ended, however close together: a launcher kills the other ranks
// of a failed job within a millisecond, and a killed process cannot say when it was. The kernel puts the descriptors of
// processes on an epoll instance's list one by one as they end. It is used by several goroutines.
type ends struct {
	mu      sync.Mutex
	epoll   int
	at      map[int]Ending // by process id
	watched map[int]bool   // by process id: those of which it will be noticed
}

// Ending is the end of a process.
type Ending struct {
	Nth   int    // from 1
	Nanos uint64 // CLOCK_MONOTONIC when it was noticed
	Late  bool   // it had ended before it was watched: its place in the order is not known
}

func newEnds() *ends {
	epoll, err := syscall.EpollCreate1(syscall.EPOLL_CLOEXEC)
	if err != nil {
		epoll = -1
	}
	return &ends{epoll: epoll, at: make(map[int]Ending), watched: make(map[int]bool)}
}

// add begins to watch a process, which may be watched already: it is when a rank executes another program. Where the
// kernel has no descriptors of processes (Linux before 5.3), nothing is known.
func (e *ends) add(pid int) {
	e.collect() // another process may have had its number
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.watched[pid] {
		return
	}
	fd, err := unix.PidfdOpen(pid, 0)
	switch err { // the descriptor is closed on execve
	case nil:
	case unix.ESRCH:
		e.note(pid)
		e.late(pid)
		return
	default:
		return
	}
	if zombie(pid) {
		syscall.Close(fd)
		e.note(pid)
		e.late(pid)
		return
	}
	event := syscall.EpollEvent{Events: syscall.EPOLLIN | syscall.EPOLLONESHOT, Fd: int32(fd), Pad: int32(pid)}
	if syscall.EpollCtl(e.epoll, syscall.EPOLL_CTL_ADD, fd, &event) != nil {
		syscall.Close(fd)
		return
	}
	e.watched[pid] = true
}

func (e *ends) note(pid int) {
	e.at[pid] = Ending{Nth: len(e.at) + 1, Nanos: monotonic()}
}

func (e *ends) late(pid int) {
	at := e.at[pid]
	at.Late = true
	e.at[pid] = at
}

// collect notes the processes that have ended since the last call.
func (e *ends) collect() {
	e.mu.Lock()
	defer e.mu.Unlock()
	var events [64]syscall.EpollEvent
	for {
		n, err := syscall.EpollWait(e.epoll, events[:], 0)
		if err != nil || n == 0 {
			return
		}
		for _, event := range events[:n] {
			e.note(int(event.Pad))
			delete(e.watched, int(event.Pad))
			syscall.Close(int(event.Fd))
		}
	}
}

// lives says of a process that is watched, without a look at its files, that it has not ended.
func (e *ends) lives(pid int) bool {
	if e == nil {
		return false
	}
	e.collect()
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.watched[pid]
}

// of tells of a process that is no more; false if its end could not be watched.
func (e *ends) of(pid int) (Ending, bool) {
	if e == nil {
		return Ending{}, false
	}
	e.collect()
	e.mu.Lock()
	defer e.mu.Unlock()
	at, ok := e.at[pid]
	return at, ok
}

// monotonic is the clock by which probes note the time of a death.
func monotonic() uint64 {
	var now unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &now) // Linux has it
	return uint64(now.Nano())
}

// ancestors are the processes above a rank's, up to the supervisor: the launcher is among them.
func ancestors(pid int) []int {
	var out []int
	const deepest = 64
	for range deepest {
		s, err := procstat.Of("/proc/" + strconv.Itoa(pid))
		if err != nil {
			break
		}
		pid, err = strconv.Atoi(s[procstat.Parent])
		if err != nil || pid <= 1 || pid == os.Getppid() {
			break
		}
		out = append(out, pid)
	}
	return out
}

// Await is the end of a process that has been seen in another way: its last threads may still be ending.
func Await(p Processes, pid int) (Ending, bool) {
	for range 50 {
		if at, ok := p.End(pid); ok {
			return at, true
		}
		time.Sleep(time.Millisecond)
	}
	return Ending{}, false
}
