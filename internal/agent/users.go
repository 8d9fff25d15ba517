package agent

import (
	"bytes"
	"os"
	"strconv"
)

// usersFree says whether the rank has threads that never called MPI, may call it, and are not known to be stuck. Threads of
// the MPI library itself do not count.
func (r *rank) usersFree() bool {
	if r.level < 2 || r.gone { // below MPI_THREAD_SERIALIZED only one thread calls MPI
		return false
	}
	var first *thread
	known := make(map[int]bool)
	for _, t := range r.threads {
		known[t.ring.TID] = true
		if t.ring.Thread == 0 {
			first = t
		}
	}
	if first == nil {
		return true
	}
	tids, all := first.ring.Users()
	if !all {
		return true
	}
	for _, tid := range tids {
		if !known[tid] && !waitsForSibling(r.pid, tid) {
			return true
		}
	}
	return false
}

// waitsForSibling says whether a thread sleeps, without a time limit, on a private futex: only another thread of its
// process can wake it, see futex(2). A thread that has ended waits for nobody and does nothing.
func waitsForSibling(pid, tid int) bool {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/task/" + strconv.Itoa(tid) + "/syscall")
	if err != nil {
		return os.IsNotExist(err)
	}
	f := bytes.Fields(text)
	if len(f) < 5 || string(f[0]) != futexCall {
		return false
	}
	op, err := strconv.ParseUint(string(f[2]), 0, 64)
	if err != nil {
		return false
	}
	const (
		private    = 128
		command    = 127 &^ private
		wait       = 0
		waitBitset = 9
	)
	if op&private == 0 || op&command != wait && op&command != waitBitset {
		return false
	}
	return string(f[4]) == "0x0"
}
