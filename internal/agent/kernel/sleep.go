package kernel

import (
	"bytes"
	"errors"
	"io/fs"
	"math"
	"os"
	"slices"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// Slumber is how a thread sleeps until another one of its process wakes it.
type Slumber struct {
	Call string // the system call with its arguments and where the thread made it; "" if the thread is gone
	// how often it has given up the processor: the same as long as it has not been awake; "" if that is not known
	Turns string
}

// waitsForSibling says whether a thread sleeps, without a time limit, on a futex that only another thread of its
// process will wake, see futex(2), and in which call: a private one, or that of pthread_join, which the kernel wakes
// when the thread joined ends. That has the thread's number, or, from version 2.43 of the C library on, is in memory of
// the process alone. A thread that has ended waits for nobody and does nothing.
func waitsForSibling(pid, tid int) (string, bool) {
	tasks := "/proc/" + strconv.Itoa(pid) + "/task/"
	text, err := os.ReadFile(tasks + strconv.Itoa(tid) + "/syscall")
	if err != nil {
		return "", errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ESRCH)
	}
	f := bytes.Fields(text)
	if len(f) == 3 && string(f[0]) == "-1" && string(f[1]) == "0x0" {
		return "", true // no stack: the main thread has left by pthread_exit
	}
	if len(f) < 5 || systemCall(f) != unix.SYS_FUTEX {
		return "", false
	}
	op, err := strconv.ParseUint(string(f[2]), 0, 64)
	if err != nil || string(f[4]) != "0x0" {
		return "", false
	}
	const (
		private    = 128
		command    = 127 &^ private
		wait       = 0
		waitBitset = 9
	)
	if op&command != wait && op&command != waitBitset {
		return "", false
	}
	if op&private != 0 {
		return string(text), true
	}
	joined, err := strconv.ParseUint(string(f[3]), 0, 64)
	if err != nil || joined == 0 {
		return "", false
	}
	if _, err := os.Stat(tasks + strconv.FormatUint(joined&math.MaxUint32, 10)); err == nil {
		return string(text), true
	}
	at, err := strconv.ParseUint(string(f[1]), 0, 64)
	return string(text), err == nil && ownMemory(pid, at)
}

// systemCall is the number of the system call that a thread is in, as the kernel writes it with its arguments; -1 if it
// is in none.
func systemCall(fields [][]byte) int {
	if len(fields) == 0 {
		return -1
	}
	n, err := strconv.Atoi(string(fields[0]))
	if err != nil { // "running"
		return -1
	}
	return n
}

// switches is how often a thread has left the processor, as the kernel writes it; "" if it does not tell.
func switches(pid, tid int) string {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/task/" + strconv.Itoa(tid) + "/status")
	if err != nil {
		return ""
	}
	at := bytes.Index(text, []byte("voluntary_ctxt_switches:"))
	if at < 0 {
		return ""
	}
	return string(text[at:])
}

// roused says whether a timer, the handler of such a signal or a thread that is not among the known ones may wake a
// thread of a process.
func roused(pid int, known map[int]bool) bool {
	dir := "/proc/" + strconv.Itoa(pid)
	if timers, err := os.ReadFile(dir + "/timers"); err == nil && len(bytes.TrimSpace(timers)) > 0 {
		return true
	}
	status, err := os.ReadFile(dir + "/status")
	if err != nil {
		return true
	}
	_, caught, found := bytes.Cut(status, []byte("SigCgt:"))
	if !found {
		return true
	}
	mask, err := strconv.ParseUint(string(bytes.Fields(caught)[0]), 16, 64)
	const sources = 1<<(syscall.SIGVTALRM-1) | 1<<(syscall.SIGPROF-1) | 1<<(syscall.SIGIO-1)
	return err != nil || mask&sources != 0 || strangers(pid, known)
}

// strangers says whether a thread that neither has called MPI nor was started by the program, in a way that the probe
// sees, does something else than to wait for events, as those of MPI libraries do.
func strangers(pid int, known map[int]bool) bool {
	dir := "/proc/" + strconv.Itoa(pid) + "/task"
	list, err := os.ReadDir(dir)
	if err != nil {
		return true
	}
	return slices.ContainsFunc(list, func(e os.DirEntry) bool {
		if tid, err := strconv.Atoi(e.Name()); err != nil || known[tid] {
			return false
		}
		text, err := os.ReadFile(dir + "/" + e.Name() + "/syscall")
		if err != nil {
			return true
		}
		f := bytes.Fields(text)
		return !slices.Contains(idleCalls(), systemCall(f))
	})
}
