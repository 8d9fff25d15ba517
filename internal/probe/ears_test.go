package probe

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestEarsHearAndChangeNothing: what the functions of the C library do is the same with those of the probe before them, which say that something may have been heard, also with
// the names that the headers give them if they check sizes.
func TestEarsHearAndChangeNothing(t *testing.T) {
	for _, c := range []struct{ cc, flags string }{
		{"cc", "-O0 -fsanitize=undefined"}, {"cc", "-O2 -D_FORTIFY_SOURCE=2"}, {"cc", "-O2 -D_FILE_OFFSET_BITS=64 -D_FORTIFY_SOURCE=2"}, {"clang-14", "-O2 -D_FORTIFY_SOURCE=2"},
	} {
		t.Run(c.cc+c.flags, func(t *testing.T) {
			dir := runtimeDir(t)
			library, program := filepath.Join(dir, "ears.o"), filepath.Join(dir, "program")
			for _, words := range [][]string{
				{c.cc, "-std=gnu11", "-g", "-O1", "-D_FORTIFY_SOURCE=2", "-Wall", "-Wextra", "-Werror", "-I", dir, "-c", "-o", library, filepath.Join(dir, "ears/ears.c")},
				append(append([]string{c.cc, "-std=gnu11", "-g", "-Wall", "-Wextra", "-Werror", "-Wno-unused-result", "-I", dir}, strings.Fields(c.flags)...), "-o", program, "testdata/ears.c", library),
				{program, t.TempDir()},
			} {
				if out, err := exec.Command(words[0], words[1:]...).CombinedOutput(); err != nil {
					t.Fatalf("%s: %v\n%s", words[0], err, out)
				}
			}
		})
	}
}
