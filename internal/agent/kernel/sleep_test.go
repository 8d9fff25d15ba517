package kernel

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// TestAThreadThatOnlyItsOwnProcessWakesIsSeen: glibc 2.43 joins a thread by a futex that is not private, and has not
// the thread's number. One in memory that is shared may be woken by another process, and one with a time limit by
// itself.
func TestAThreadThatOnlyItsOwnProcessWakesIsSeen(t *testing.T) {
	const (
		wait    = 9   // FUTEX_WAIT_BITSET
		private = 128 // FUTEX_PRIVATE_FLAG
	)
	limit := &unix.Timespec{Sec: 1 << 40}
	for name, c := range map[string]struct {
		op, mapped int
		value      uint32
		limit      *unix.Timespec
		want       bool
	}{
		"private":                     {wait | private, unix.MAP_SHARED, 2, nil, true},
		"in its own memory":           {wait, unix.MAP_PRIVATE, 2, nil, true},
		"with the number of a thread": {wait, unix.MAP_SHARED, uint32(os.Getpid()), nil, true},
		"in shared memory":            {wait, unix.MAP_SHARED, 2, nil, false},
		"with a time limit":           {wait, unix.MAP_PRIVATE, 2, limit, false},
	} {
		memory, err := unix.Mmap(-1, 0, os.Getpagesize(), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANONYMOUS|c.mapped)
		if err != nil {
			t.Fatal(err)
		}
		word := (*uint32)(unsafe.Pointer(&memory[0]))
		*word = c.value
		tids, over := make(chan int), make(chan syscall.Errno)
		go func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			tids <- unix.Gettid()
			_, _, errno := unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(word)), uintptr(c.op), uintptr(c.value),
				uintptr(unsafe.Pointer(c.limit)), 0, 0xffffffff)
			over <- errno
		}()
		tid := <-tids
		for at, text := fmt.Sprintf(" %p ", word), ""; !strings.Contains(text, at); runtime.Gosched() {
			is, err := os.ReadFile(fmt.Sprintf("/proc/self/task/%d/syscall", tid))
			if err != nil {
				t.Fatal(err)
			}
			text = string(is)
		}
		if _, got := waitsForSibling(os.Getpid(), tid); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
		for woken := uintptr(0); woken == 0; {
			woken, _, _ = unix.Syscall(unix.SYS_FUTEX, uintptr(unsafe.Pointer(word)), uintptr(1|c.op&private), 1)
		}
		if errno := <-over; errno != 0 {
			t.Errorf("%s: %v", name, errno)
		}
		if err := unix.Munmap(memory); err != nil {
			t.Error(err)
		}
	}
}
