//go:build !quick

package doctor

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"unknot/internal/observe/probe"
)

// examine returns the lines about probes and programs.
func examine(t *testing.T, program string) (string, bool) {
	t.Helper()
	var out strings.Builder
	works := Examine(t.Context(), program, printed(&out))
	var lines []string
	for line := range strings.Lines(out.String()) {
		if strings.Contains(line, "probe: ") || strings.Contains(line, "program: ") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, ""), works
}

// program compiles a small one with a wrapper.
func program(t *testing.T, mpicc string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "app")
	source := out + ".c"
	text := "#include <mpi.h>\nint main(int c, char **v) { MPI_Init(&c, &v); MPI_Finalize(); return 0; }\n"
	if err := os.WriteFile(source, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if text, err := exec.Command(mpicc, source, "-o", out).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", mpicc, err, text)
	}
	return out
}

func TestPrebuiltProbesAreLookedAt(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("UNKNOT_PROBE_DIR", filepath.Join(dir, "nowhere"))
	lines, works := examine(t, "")
	if works || !strings.HasPrefix(lines, "fail ") ||
		!strings.Contains(lines, "hint: build one with `unknot probe build -o ") {
		t.Errorf("a directory that does not exist: %v\n%s", works, lines)
	}
	t.Setenv("UNKNOT_PROBE_DIR", dir)
	if lines, works := examine(t, ""); works || !strings.Contains(lines, "no prebuilt probe in "+dir) {
		t.Errorf("an empty directory: %v\n%s", works, lines)
	}
	if _, err := probe.Prebuild(t.Context(), "mpicc.openmpi", dir); err != nil {
		t.Fatal(err)
	}
	lines, works = examine(t, program(t, "mpicc.openmpi"))
	found := strings.Contains(lines, "ok    probe: UNKNOT_PROBE_DIR="+dir+" has one for Open MPI 4.")
	if !works || !found || strings.Contains(lines, "fail") {
		t.Errorf("a probe for the program: %v\n%s", works, lines)
	}
	lines, works = examine(t, program(t, "mpicc.mpich"))
	if works || !strings.Contains(lines, "fail  program: no probe in UNKNOT_PROBE_DIR="+dir+
		" is for libmpich.so.12; hint:") {
		t.Errorf("none for the program: %v\n%s", works, lines)
	}
}

// TestWhatUnknotMpiccCanDoIsSaid has wrappers that call gcc, gcc without its headers for plugins, clang, and something
// else.
func TestWhatUnknotMpiccCanDoIsSaid(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for _, c := range []struct{ calls, want string }{
		{`exec mpicc.mpich "$@"`, "ok    unknot mpicc: " + dir + "/mpicc calls gcc\n"},
		{`for a; do [ "$a" = -print-file-name=plugin ] && echo /nowhere && exit; done; exec mpicc.mpich "$@"`,
			"warn  unknot mpicc: " + dir + "/mpicc calls gcc; accesses to variables by their names are not seen: " +
				"/nowhere/include/gcc-plugin.h is not there; hint: install"},
		{`MPICH_CC=clang-14 exec mpicc.mpich "$@"`, "ok    unknot mpicc: " + dir +
			"/mpicc calls clang; which accesses to windows are atomic or volatile is not known\n"},
		{`echo other compiler`, "warn  unknot mpicc: " + dir +
			"/mpicc calls a compiler that cannot be used here (other compiler); hint: gcc, gfortran and clang can"},
	} {
		if err := os.WriteFile(filepath.Join(dir, "mpicc"), []byte("#!/bin/sh\n"+c.calls+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		e := &examination{tell: printed(&out)}
		e.accesses(t.Context(), []string{filepath.Join(dir, "mpicc")})
		if !strings.Contains(out.String(), c.want) {
			t.Errorf("%s:\n%s\nwant %s", c.calls, out.String(), c.want)
		}
	}
}

// printed prints each check.
func printed(to io.Writer) func(Check) {
	return func(c Check) { fmt.Fprintln(to, c) }
}
