package kernel

import (
	"encoding/binary"
	"time"

	"golang.org/x/sys/unix"

	"unknot/internal/kit/procstat"
)

// ownerAt is where a mutex of the GNU C library has the number of the thread that holds it (struct __pthread_mutex_s,
// on all processors with 64 bits). Its first word is the futex for which others wait.
const ownerAt = 8

// waitsForMutex says whether a thread sleeps for a mutex that another one has.
func waitsForMutex(pid, tid, owner int) bool {
	call, waits := procstat.WaitsIn(pid, tid)
	if !waits || call.Number != unix.SYS_FUTEX {
		return false
	}
	var word [4]byte
	local := []unix.Iovec{{Base: &word[0]}}
	local[0].SetLen(len(word))
	remote := []unix.RemoteIovec{{Base: uintptr(call.Arguments[0] + ownerAt), Len: len(word)}}
	n, err := unix.ProcessVMReadv(pid, local, remote, 0)
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
