package doctor

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"unknot/internal/probe"
)

// examine returns the lines about probes and programs.
func examine(t *testing.T, program string) (string, bool) {
	t.Helper()
	var out strings.Builder
	works := Examine(t.Context(), program, &out)
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
	if works || !strings.HasPrefix(lines, "fail ") || !strings.Contains(lines, "hint: build one with `unknot probe build -o ") {
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
	if works || !strings.Contains(lines, "fail  program: no probe in UNKNOT_PROBE_DIR="+dir+" is for libmpich.so.12; hint:") {
		t.Errorf("none for the program: %v\n%s", works, lines)
	}
}
