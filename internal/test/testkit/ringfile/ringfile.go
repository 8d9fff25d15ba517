// Package ringfile makes rings for tests, which write them as a probe would.
package ringfile

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"unsafe"

	"unknot/internal/observe/ring"
)

// New is a ring of this process, of so many slots, with its header and the words of its slots, which are mapped again.
func New(t testing.TB, slots uint64) (r *ring.Ring, h *ring.RingHeader, words []uint64) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ring")
	file := make([]byte, ring.RingBytes(int(slots)))
	h = (*ring.RingHeader)(unsafe.Pointer(&file[0]))
	h.Magic, h.Version, h.Slots, h.PID, h.TID = ring.Magic, ring.Version, uint32(slots), uint32(os.Getpid()), 1
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := syscall.Mmap(int(f.Fd()), 0, len(file), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	if r, err = ring.Open(path); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); syscall.Munmap(m) })
	words = unsafe.Slice((*uint64)(unsafe.Pointer(&m[ring.HeaderSize])), slots*ring.WordsNext)
	return r, (*ring.RingHeader)(unsafe.Pointer(&m[0])), words
}
