package agent

import (
	"bytes"
	"errors"
	"io/fs"
	"math"
	"os"
	"strconv"
	"syscall"
)

// funneled is MPI_THREAD_FUNNELED: up to it only one thread calls MPI (MPI-4.0, 11.6.2).
const funneled = 1

// usersFree says whether the rank has threads that have not called MPI yet, may call it, and are not known to be stuck.
// Threads of the MPI library itself do not count.
func (r *rank) usersFree() bool {
	if r.untold && !r.gone {
		return true
	}
	if r.level <= funneled || r.gone {
		return false
	}
	if r.first == nil {
		return true
	}
	known := make(map[int]bool)
	for _, s := range r.sources {
		if !s.thread.ended {
			known[s.thread.tid] = true
		}
	}
	tids, all := r.first.Users()
	if !all {
		return true
	}
	for _, tid := range tids {
		if !known[tid] && !waitsForSibling(r.pid, tid) {
			return true
		}
	}
	// A thread that sleeps, or is gone, may have called MPI since its process's rings were looked for: it then sleeps on a
	// lock of the MPI library, and nothing is known yet of what it called. Asked last, so that none is missed.
	for _, s := range r.sources {
		if s.thread.ended && s.ring.Pending() > 0 {
			return true
		}
	}
	rings, err := r.rings()
	return err != nil || rings > len(r.sources)
}

// waitsForSibling says whether a thread sleeps, without a time limit, on a futex that only another thread of its process
// will wake, see futex(2): a private one, or that of pthread_join, which the kernel wakes when the thread joined ends. A
// thread that has ended waits for nobody and does nothing.
func waitsForSibling(pid, tid int) bool {
	tasks := "/proc/" + strconv.Itoa(pid) + "/task/"
	text, err := os.ReadFile(tasks + strconv.Itoa(tid) + "/syscall")
	if err != nil {
		return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ESRCH)
	}
	f := bytes.Fields(text)
	if len(f) == 3 && string(f[0]) == "-1" && string(f[1]) == "0x0" {
		return true // no stack: the main thread has left by pthread_exit
	}
	if len(f) < 5 || string(f[0]) != futexCall {
		return false
	}
	op, err := strconv.ParseUint(string(f[2]), 0, 64)
	if err != nil || string(f[4]) != "0x0" {
		return false
	}
	const (
		private    = 128
		command    = 127 &^ private
		wait       = 0
		waitBitset = 9
	)
	if op&command != wait && op&command != waitBitset {
		return false
	}
	if op&private != 0 {
		return true
	}
	joined, err := strconv.ParseUint(string(f[3]), 0, 64)
	if err != nil || joined == 0 {
		return false
	}
	_, err = os.Stat(tasks + strconv.FormatUint(joined&math.MaxUint32, 10))
	return err == nil
}
