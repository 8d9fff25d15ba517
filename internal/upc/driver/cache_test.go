//go:build !quick

package driver

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"unknot/internal/kit/scratch"
)

// wrapper makes a compiler wrapper of our own that calls a real one.
func wrapper(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "mpicc")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestKitIsMadeOnce proves that compilers which start together make one kit for all, that the next one finds it, and
// that a changed wrapper gets another one.
func TestKitIsMadeOnce(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	log := filepath.Join(t.TempDir(), "log")
	mpicc := wrapper(t, `echo "$@" >> `+log+`; exec mpicc.openmpi "$@" -O0 -g0`)
	var wg sync.WaitGroup
	kits, errs := make([]kit, 3), make([]error, 3)
	for i := range kits {
		wg.Go(func() { kits[i], errs[i] = prepare(t.Context(), mpicc) })
	}
	wg.Wait()
	for i := range kits {
		if errs[i] != nil || kits[i] != kits[0] || !kits[i].fresh() {
			t.Fatalf("compiler %d: kit %v, error %v", i, kits[i], errs[i])
		}
	}
	before, err := os.Stat(kits[0].archive())
	if err != nil {
		t.Fatal(err)
	}
	calls, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	sources, _ := filepath.Glob(filepath.Join(kits[0].internal(), "*.c"))
	if n := strings.Count(string(calls), " -c "); n != len(sources) {
		t.Errorf("%d calls of the compiler for %d sources", n, len(sources))
	}
	same := func() bool {
		k, err := prepare(t.Context(), mpicc)
		if err != nil {
			t.Fatal(err)
		}
		now, err := os.Stat(k.archive())
		return err == nil && os.SameFile(before, now)
	}
	if !same() {
		t.Error("the kit was made again, though nothing has changed")
	}
	if err := os.Chtimes(mpicc, time.Time{}, time.Unix(1e9, 0)); err != nil {
		t.Fatal(err)
	}
	if same() {
		t.Error("the kit was not made again, though the wrapper has changed")
	}
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(kits[0].dir), ".*"))
	if len(left) > 0 {
		t.Errorf("left in the cache: %q", left)
	}
}

// TestKitThatCannotBeMade proves that what prevents the runtime is reported in a sentence.
func TestKitThatCannotBeMade(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for _, c := range []struct{ script, want string }{
		{`echo "x.c:1: error: no mpi here" >&2; exit 1`,
			"cannot compile the UPC runtime (exit status 1): x.c:1: error: no mpi here; hint:"},
		{`echo "sh: 1: gcc: not found" >&2; exit 127`, "finds no C compiler; hint: install gcc"},
	} {
		_, err := prepare(t.Context(), wrapper(t, c.script))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.script, err, c.want)
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_CACHE_HOME", file)
	if _, err := prepare(t.Context(), "/bin/true"); err == nil ||
		!strings.Contains(err.Error(), "cannot cache the UPC runtime") {
		t.Errorf("a cache that is a file: %v", err)
	}
}

// TestLeftoversOfKilledCompilersAreRemoved proves that what a compiler has left that was killed goes with the next
// compilation, even if the kit is there, and that the directory of one that still runs stays.
func TestLeftoversOfKilledCompilersAreRemoved(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	cache, err := cacheDir()
	if err != nil {
		t.Fatal(err)
	}
	used, err := scratch.New(cache, kitPrefix)
	if err != nil {
		t.Fatal(err)
	}
	defer used.Remove()
	mpicc := wrapper(t, `exec mpicc.mpich "$@" -O0 -g0`)
	for range 2 {
		for _, name := range []string{".upc-1", ".upck-1"} {
			if err := os.Mkdir(filepath.Join(cache, name), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(cache, name, "lock"), nil, 0o600); err != nil { // nobody holds it
				t.Fatal(err)
			}
		}
		if _, err := prepare(t.Context(), mpicc); err != nil {
			t.Fatal(err)
		}
		left, _ := filepath.Glob(filepath.Join(cache, ".*"))
		if len(left) != 1 || left[0] != filepath.Dir(used.Path) {
			t.Errorf("left in the cache: %q, want only what is in use, %s", left, filepath.Dir(used.Path))
		}
	}
}
