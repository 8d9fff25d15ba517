// Package breakpoint counts how often a thread of another process executes an instruction, by a hardware breakpoint of
// the kernel's performance events (perf_event_open(2), PERF_TYPE_BREAKPOINT). The thread is not stopped, nothing of its
// process is changed, and the kernel takes the breakpoint away when the counter is closed or its owner dies.
package breakpoint

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Counter is a breakpoint of one thread.
type Counter struct{ fd int }

// executes is HW_BREAKPOINT_X of linux/hw_breakpoint.h.
const executes = 4

// Open counts from now on how often a thread executes the instruction at an address. The error is the kernel's:
// EACCES or EPERM (errors.Is, fs.ErrPermission) where performance events are not allowed, ENOSPC where the thread has
// four breakpoints already.
func Open(tid int, at uint64) (*Counter, error) {
	bytes := uint64(unsafe.Sizeof(uintptr(0))) // as AMD64 wants it
	if runtime.GOARCH == "arm64" {
		bytes = 4
	}
	attributes := unix.PerfEventAttr{
		Type: unix.PERF_TYPE_BREAKPOINT, Size: uint32(unsafe.Sizeof(unix.PerfEventAttr{})),
		Bits: unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv, Bp_type: executes, Ext1: at, Ext2: bytes,
	}
	fd, err := unix.PerfEventOpen(&attributes, tid, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("breakpoint of thread %d: %w", tid, err)
	}
	return &Counter{fd}, nil
}

// Executed is how often the thread has executed the instruction. It may be asked after the thread has ended.
func (c *Counter) Executed() (uint64, error) {
	var b [8]byte
	n, err := unix.Read(c.fd, b[:])
	if err != nil {
		return 0, fmt.Errorf("reading a breakpoint: %w", err)
	}
	if n < len(b) { // the kernel could not keep the breakpoint in place
		return 0, fmt.Errorf("reading a breakpoint: it was not kept in place")
	}
	return binary.NativeEndian.Uint64(b[:]), nil
}

// Close takes the breakpoint away.
func (c *Counter) Close() { unix.Close(c.fd) }
