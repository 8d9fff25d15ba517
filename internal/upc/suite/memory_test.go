//go:build !quick

package suite

import (
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// perThread are the bytes of a program that each thread has for itself: writable sections, of which upcr_shared is its
// part of shared objects.
func perThread(t *testing.T, program string) (bytes int64) {
	t.Helper()
	f, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, s := range f.Sections {
		if s.Flags&elf.SHF_WRITE != 0 && s.Flags&elf.SHF_ALLOC != 0 {
			bytes += int64(s.Size)
		}
	}
	return bytes
}

// A thread's part in the checks has at most 128 KiB of memory, also with 64 threads, and a call that is followed takes
// at most 512 bytes. What malloc gives grows with the number of threads by the same for each.
func TestMemory(t *testing.T) {
	text, err := os.ReadFile("../../../bench/upccheck/programs/memory.upc")
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t)
	plain := filepath.Join(b.dir, "plain")
	if err := os.WriteFile(plain+".upc", text, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := b.compile("-O1", "-g", "-o", plain, plain+".upc"); err != nil {
		t.Fatal(err)
	}
	program := shared.compile(t, "mpich", true, []string{"-s", "-O1"}, source{"program.upc", string(text)})
	fixed := perThread(t, program) - perThread(t, plain)
	allocated, level := map[int]int64{}, int64(0)
	for _, threads := range []int{2, 6} {
		var given [2][2]int64
		for i, path := range []string{plain, program} {
			status, told := run(t, launch{mpi: "mpich", threads: threads}, path)
			if n, err := fmt.Sscanf(told, "allocated=%d level=%d", &given[i][0], &given[i][1]); n != 2 || status != 0 {
				t.Fatalf("%d threads: status %d, %v:\n%s", threads, status, err, told)
			}
		}
		allocated[threads] = given[1][0] - given[0][0]
		level = max(level, given[1][1]-given[0][1])
	}
	each := (allocated[6] - allocated[2] + 3) / 4
	for _, threads := range []int64{2, 64} {
		total := fixed + allocated[2] + each*(threads-2)
		t.Logf("%d threads: %d bytes in the program, %d allocated", threads, fixed, total-fixed)
		if total > 128<<10 {
			t.Errorf("with %d threads: %d bytes a thread, %d of them in the program", threads, total, fixed)
		}
	}
	if level > 512 {
		t.Errorf("a call that is followed takes %d bytes", level)
	}
}
