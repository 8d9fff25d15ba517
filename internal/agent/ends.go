package agent

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

// ends knows in which order the processes of this node ended, however close together: a launcher kills the other ranks
// of a failed job within a millisecond, and a killed process cannot say when it was. The kernel puts the descriptors of
// processes on an epoll instance's list one by one as they end. It is used by several goroutines.
type ends struct {
	mu    sync.Mutex
	epoll int
	at    map[int]ending // by process id
}

// ending is the end of a process.
type ending struct {
	nth   int    // from 1
	nanos uint64 // CLOCK_MONOTONIC when it was noticed
	late  bool   // it had ended before it was watched: its place in the order is not known
}

func newEnds() *ends {
	epoll, err := syscall.EpollCreate1(syscall.EPOLL_CLOEXEC)
	if err != nil {
		epoll = -1
	}
	return &ends{epoll: epoll, at: make(map[int]ending)}
}

// add begins to watch a process. Where the kernel has no descriptors of processes (Linux before 5.3), nothing is known.
func (e *ends) add(pid int) {
	const sysPidfdOpen = 434 // the same on all processors
	e.mu.Lock()
	defer e.mu.Unlock()
	fd, _, errno := syscall.Syscall(sysPidfdOpen, uintptr(pid), 0, 0)
	switch errno {
	case 0:
		syscall.CloseOnExec(int(fd))
	case syscall.ESRCH:
		e.note(pid)
		e.late(pid)
		return
	default:
		return
	}
	if zombie(pid) {
		syscall.Close(int(fd))
		e.note(pid)
		e.late(pid)
		return
	}
	event := syscall.EpollEvent{Events: syscall.EPOLLIN | syscall.EPOLLONESHOT, Fd: int32(fd), Pad: int32(pid)}
	if syscall.EpollCtl(e.epoll, syscall.EPOLL_CTL_ADD, int(fd), &event) != nil {
		syscall.Close(int(fd))
	}
}

func (e *ends) note(pid int) {
	e.at[pid] = ending{nth: len(e.at) + 1, nanos: monotonic()}
}

func (e *ends) late(pid int) {
	at := e.at[pid]
	at.late = true
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
			syscall.Close(int(event.Fd))
		}
	}
}

// of tells of a process that is no more; false if its end could not be watched.
func (e *ends) of(pid int) (ending, bool) {
	if e == nil {
		return ending{}, false
	}
	e.collect()
	e.mu.Lock()
	defer e.mu.Unlock()
	at, ok := e.at[pid]
	return at, ok
}

// monotonic is the clock by which probes note the time of a death.
func monotonic() uint64 {
	const clockMonotonic = 1
	var now syscall.Timespec
	syscall.Syscall(syscall.SYS_CLOCK_GETTIME, clockMonotonic, uintptr(unsafe.Pointer(&now)), 0)
	return uint64(now.Nano())
}

// ancestors are the processes above a rank's, up to the supervisor: the launcher is among them.
func ancestors(pid int) []int {
	var out []int
	const deepest = 64
	for range deepest {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			break
		}
		fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
		if len(fields) < 2 {
			break
		}
		pid, err = strconv.Atoi(fields[1])
		if err != nil || pid <= 1 || pid == os.Getppid() {
			break
		}
		out = append(out, pid)
	}
	return out
}

// await is of for a process whose end has been seen in another way: its last threads may still be ending.
func (e *ends) await(pid int) (ending, bool) {
	for range 50 {
		if at, ok := e.of(pid); ok {
			return at, true
		}
		time.Sleep(time.Millisecond)
	}
	return ending{}, false
}
