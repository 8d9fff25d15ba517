//go:build !quick

package symbol

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestProgramsThatWaitForVariablesAreRecognised compiles programs of two directories: threads order themselves in those
// of the first one.
func TestProgramsThatWaitForVariablesAreRecognised(t *testing.T) {
	compilers := map[string]string{".c": "gcc", ".cc": "g++", ".f90": "gfortran"}
	for dir, want := range map[string]bool{"waits": true, "works": false} {
		sources, err := filepath.Glob(filepath.Join("testdata", dir, "*"))
		if err != nil || len(sources) == 0 {
			t.Fatalf("no programs in %s: %v", dir, err)
		}
		for _, source := range sources {
			for _, flags := range [][]string{{"-O0"}, {"-O1"}, {"-O2"}, {"-O3", "-march=x86-64-v3"}, {"-Os", "-no-pie"},
				{"-O2", "-fno-plt", "-fcf-protection"}} {
				t.Run(filepath.Base(source)+flags[0], func(t *testing.T) {
					t.Parallel()
					program := filepath.Join(t.TempDir(), "program")
					command := append(flags, "-g", "-fopenmp", "-o", program, source, "-lm")
					out, err := exec.Command(compilers[filepath.Ext(source)], command...).CombinedOutput()
					if err != nil {
						t.Fatalf("%v: %v\n%s", flags, err, out)
					}
					at, got := ownOrderOf(t, program)
					if got != want {
						t.Errorf("%v: %v, at %#x", flags, got, at)
					}
				})
			}
		}
	}
}

// ownOrderOf is where the threads of a program order themselves.
func ownOrderOf(t *testing.T, program string) (at uint64, some bool) {
	f, err := os.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	mod := &module{path: program, content: f}
	mod.guarded(headers, mod.findOwnOrder)
	if !mod.own.looked {
		t.Fatal("the program was not read")
	}
	return mod.own.at, mod.own.some
}
