//go:build !quick

package probe

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// heapSources puts into a directory what the library that follows the heap is made of.
func heapSources(t *testing.T) string {
	t.Helper()
	dir := runtimeDir(t)
	write(t, filepath.Join(dir, "heap.c"), string(heapSource))
	return dir
}

// heapDriver compiles testdata/heapdriver.c. With renamed, the functions of the library are in it under other names.
func heapDriver(t *testing.T, dir string, renamed bool, flags ...string) string {
	t.Helper()
	object, program := filepath.Join(dir, "driver.o"), filepath.Join(dir, "driver")
	command := func(words ...string) {
		t.Helper()
		if out, err := exec.Command(words[0], words[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", words[0], err, out)
		}
	}
	command(append([]string{"cc", "-std=gnu11", "-g", "-O1", "-fno-builtin", "-Wall", "-Wextra", "-Werror", "-I", dir,
		"-c", "-o", object, "testdata/heapdriver.c"}, flags...)...)
	if renamed {
		words := []string{"objcopy"}
		for _, name := range []string{"malloc", "calloc", "realloc", "reallocarray", "free", "memalign",
			"aligned_alloc", "posix_memalign", "valloc", "pvalloc",
			"malloc_usable_size", "munmap", "sbrk", "brk", "_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm"} {
			words = append(words, "--redefine-sym", name+"=heap_"+name)
		}
		command(append(words, object)...)
	}
	command(append([]string{"cc", "-pthread", "-o", program, object}, flags...)...)
	return program
}

// scenes runs each scene of the driver.
func scenes(t *testing.T, command ...string) {
	for _, scene := range []string{"kinds", "ends", "threads"} {
		t.Run(scene, func(t *testing.T) {
			out := start(t, command[0], append(command[1:], scene)...).wait(t)
			if strings.TrimSpace(out) != "right" {
				t.Errorf("%s: %s", scene, out)
			}
		})
	}
}

func TestTheHeapIsFollowed(t *testing.T) {
	dir := heapSources(t)
	library := filepath.Join(t.TempDir(), "heap.so")
	args := slices.Concat(compilerFlags[:], heapOptions[:], []string{"-shared", "-o", library, "heap.c"})
	if _, err := run(t.Context(), dir, "cc", append(args, systemLibraries[:]...)...); err != nil {
		t.Fatal(err)
	}
	scenes(t, "env", "LD_PRELOAD="+library, heapDriver(t, dir, false))
}

func TestTheHeapIsFollowedCleanly(t *testing.T) {
	dir := heapSources(t)
	scenes(t, heapDriver(t, dir, true, append([]string{"-DHEAP_INCLUDED"}, sanitize...)...))
}
