package probe

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"unknot/internal/shmem/layout"
	"unknot/internal/test/testkit"
	upc "unknot/internal/upc/layout"
)

// oshcc is the compiler wrapper of this machine.
func oshcc(t *testing.T) string {
	t.Helper()
	testkit.NeedsMPI(t)
	path, err := exec.LookPath("oshcc")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestProbeIsMadeOnceAndKept(t *testing.T) {
	compiler := oshcc(t)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	first, err := Build(t.Context(), Options{Compiler: compiler})
	if err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(first)
	if err != nil {
		t.Fatal(err)
	}
	second, err := Build(t.Context(), Options{Compiler: compiler})
	after, serr := os.Stat(second)
	if err != nil || serr != nil || first != second || before.ModTime() != after.ModTime() {
		t.Errorf("%s, then %s: %v, %v", first, second, err, serr)
	}
}

func TestCompilerThatCannotIsNamed(t *testing.T) {
	oshcc(t)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for script, want := range map[string]string{
		"echo 'no licence' >&2; exit 1": "cannot compile the probe for OpenSHMEM (exit status 1): no licence",
		"exit 1": "cannot compile the probe for OpenSHMEM (exit status 1): it does not " +
			"say why; hint:",
		"echo '# 1 \"empty.c\"'": "finds no shmem.h with functions of OpenSHMEM",
	} {
		bad := filepath.Join(t.TempDir(), "oshcc")
		if err := os.WriteFile(bad, []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		_, err := Build(t.Context(), Options{Compiler: bad, FallbackDir: t.TempDir()})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", script, err)
		}
	}
}

// The structs in C are as long as those in Go, and their fields are where these are.
func TestLayoutIsTheSameInCAndInGo(t *testing.T) {
	compiler := oshcc(t)
	var s upc.Stream
	var site layout.Site
	var j layout.Job
	var b strings.Builder
	b.WriteString("#include <stddef.h>\n#include <stdint.h>\n#include <stdatomic.h>\n" + string(layout.Header()))
	for _, c := range []struct {
		what string
		is   uintptr
	}{
		{"sizeof(struct uks_site)", unsafe.Sizeof(site)}, {"sizeof(struct uks_job)", unsafe.Sizeof(j)},
		{"offsetof(struct uks_stream, records)", unsafe.Sizeof(s)},
		{"offsetof(struct uks_stream, written)", unsafe.Offsetof(s.Written)}, {"offsetof(struct uks_stream, looks)",
			unsafe.Offsetof(s.Looks)},
		{"offsetof(struct uks_stream, calls)", unsafe.Offsetof(s.Calls)}, {"offsetof(struct uks_stream, read)",
			unsafe.Offsetof(s.Read)},
		{"offsetof(struct uks_job, tickets)", unsafe.Offsetof(j.Tickets)}, {"offsetof(struct uks_job, entered)",
			unsafe.Offsetof(j.Entered)}, {"offsetof(struct uks_job, sites)", unsafe.Offsetof(j.Sites)},
		{"offsetof(struct uks_site, done)", unsafe.Offsetof(site.Done)}, {"offsetof(struct uks_site, name)",
			unsafe.Offsetof(site.Name)},
		{"UKS_END", layout.End}, {"UKS_COLLECTIVE_FINALIZE", uintptr(layout.FinalizeCall)},
		{"UKS_WRONG_SIZE", uintptr(layout.WrongSize)},
		{"UKS_NOT_HELD", uintptr(layout.NotHeld)}, {"UKS_ARG_CTX", uintptr(layout.ArgCtx)}, {"UKS_WRITE", layout.Write},
		{"UKS_SEES", layout.Sees},
	} {
		b.WriteString("_Static_assert(" + c.what + " == " + strconv.FormatUint(uint64(c.is), 10) + ", \"" +
			c.what + "\");\n")
	}
	source := filepath.Join(t.TempDir(), "sizes.c")
	if err := os.WriteFile(source, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(compiler, "-std=gnu11", "-fsyntax-only", source).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
