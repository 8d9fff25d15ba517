package agent

import (
	"bytes"
	"errors"
	"io/fs"
	"math"
	"os"
	"slices"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"unknot/internal/objects"
)

// Slumber is how a thread sleeps until another one of its process wakes it.
type Slumber struct {
	Call string // the system call with its arguments and where the thread made it; "" if the thread is gone
	// how often it has given up the processor: the same as long as it has not been awake; "" if that is not known
	Turns string
}

// slumber is what was seen of a thread that sleeps so.
type slumber struct {
	Slumber
	since time.Time
	seen  time.Time
}

// asleep says whether a thread has slept without a break, for some time until now, on what only another thread of its
// process can wake it from, or has been gone for that time. It is asked once in each round of detection, so what it
// finds was so already when the calls of all threads were looked at.
func (r *rank) asleep(tid int, now time.Time) bool {
	s, sleeps := r.processes.Sleep(r.pid, tid)
	if !sleeps {
		delete(r.slumbers, tid)
		return false
	}
	e := r.slumbers[tid]
	if e == nil || e.Slumber != s || s.Call != "" && s.Turns == "" {
		objects.Set(&r.slumbers, tid, &slumber{Slumber: s, since: now, seen: now})
		return false
	}
	e.seen = now
	return now.Sub(e.since) >= stuckFor
}

// forgetSleepers drops what was seen of threads that nobody has asked about in this round.
func (r *rank) forgetSleepers(now time.Time) {
	for tid, e := range r.slumbers {
		if !e.seen.Equal(now) {
			delete(r.slumbers, tid)
		}
	}
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

// roused says whether a thread of the rank that sleeps may be woken by something else than the threads that the program
// has started: by a timer; by a handler of a signal that the system sends when time is up or data has come (sem_post
// may be called there, POSIX.1, 2.4.3); by a thread that the C library or a run-time system has started in its own way,
// as for asynchronous I/O; or by a function of MPI's that calls one of the program's, of which nothing is known.
//
// It is asked before the threads that sleep are looked at: what still sleeps then was not woken by what has been idle
// before.
func (r *rank) roused(now time.Time) bool {
	if !r.rouse.at.Equal(now) {
		r.rouse.at, r.rouse.is = now, r.mayRouse()
	}
	return r.rouse.is
}

func (r *rank) mayRouse() bool {
	if len(r.unknown) > 0 || r.first.Alarmed() {
		return true
	}
	known := make(map[int]bool)
	users, _ := r.first.Users()
	for _, tid := range users {
		known[tid] = true
	}
	for _, s := range r.sources {
		if !s.thread.ended { // else it may still run what the program wants to have done at its end
			known[s.thread.tid] = true
		}
	}
	return r.processes.Roused(r.pid, known)
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
