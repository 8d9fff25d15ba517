package kernel

import (
	"bytes"
	"encoding/binary"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// ownerAt is where a mutex of the GNU C library has the number of the thread that holds it (struct __pthread_mutex_s,
// on all processors with 64 bits). Its first word is the futex for which others wait.
const ownerAt = 8

// waitsForMutex says whether a thread sleeps for a mutex that another one has.
func waitsForMutex(pid, tid, owner int) bool {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/task/" + strconv.Itoa(tid) + "/syscall")
	f := bytes.Fields(text)
	if err != nil || len(f) < 2 || systemCall(f) != unix.SYS_FUTEX {
		return false
	}
	at, err := strconv.ParseUint(string(f[1]), 0, 64)
	if err != nil {
		return false
	}
	var word [4]byte
	local := []unix.Iovec{{Base: &word[0]}}
	local[0].SetLen(len(word))
	n, err := unix.ProcessVMReadv(pid, local, []unix.RemoteIovec{{Base: uintptr(at + ownerAt), Len: len(word)}}, 0)
	return err == nil && n == len(word) && binary.NativeEndian.Uint32(word[:]) == uint32(owner)
}

func (l living) LockedOut(r Stacks, tid, owner int, end time.Time) []uint64 {
	if !waitsForMutex(r.Of().PID, tid, owner) || r.RequestStack(tid) != nil {
		return nil
	}
	pcs, err := r.Stack(end)
	if err != nil {
		return nil
	}
	return pcs
}
