//go:build !quick

package driver

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"unknot/internal/test/testkit"
)

// judge is a compiler that says whether a program's behaviour is defined, by its warnings and by its sanitizers.
type judge struct {
	command string
	flags   []string
	// unable has the programs that the compiler cannot compile, with the reason.
	unable map[string]string
}

// judges are two compilers that evaluate the arguments of calls in opposite orders, so that what depends on the order
// comes out differently. Warnings are switched off that are about style, or about values that C defines.
var judges = []judge{
	{
		command: "gcc",
		flags: []string{"-fopenmp", "-Wsequence-point", "-Wno-address", "-Wno-bool-operation", "-Wno-empty-body",
			"-Wno-infinite-recursion",
			"-Wno-old-style-declaration", "-Wno-overflow", "-Wno-override-init", "-Wno-switch-unreachable",
			"-Wno-type-limits"},
	},
	{
		command: "clang-14",
		flags: []string{"-Wno-bitfield-constant-conversion", "-Wno-constant-conversion", "-Wno-gnu-designator",
			"-Wno-implicit-const-int-float-conversion",
			"-Wno-initializer-overrides", "-Wno-literal-conversion", "-Wno-string-plus-int",
			"-Wno-unevaluated-expression",
			"-Wno-unknown-attributes", "-Wno-unneeded-internal-declaration"},
		unable: map[string]string{
			"float128": "clang 14 does not know _Float128 in C, nor constants of that type",
			"vectors":  "clang does not know __builtin_shuffle",
		},
	},
}

// judged are the options of all judges. Products and sums are not contracted, since the compilers differ in that.
var judged = []string{"-std=gnu11", "-O1", "-ffp-contract=off", "-fsanitize=address,undefined",
	"-fno-sanitize-recover=all",
	"-Werror", "-Wall", "-Wextra", "-Wno-dangling-else", "-Wno-ignored-qualifiers", "-Wno-implicit-fallthrough",
	"-Wno-missing-braces",
	"-Wno-missing-field-initializers", "-Wno-multichar", "-Wno-parentheses", "-Wno-sign-compare",
	"-Wno-unknown-pragmas", "-Wno-unused-value"}

// TestPlainCIsDefined compiles each program of testdata/c with the warnings and the sanitizers of two compilers. They
// must have nothing to say, and the two programs must do the same: what a program prints is what
// TestPlainCBehavesAsWithGCC compares, so it must not be left to the compiler. Nothing of unknot is in this, so each
// eighth program will do unless it is the nightly run.
func TestPlainCIsDefined(t *testing.T) {
	paths, err := filepath.Glob("../testdata/c/*.c")
	if err != nil || len(paths) < 150 {
		t.Fatalf("%d programs: %v", len(paths), err)
	}
	for _, j := range judges {
		for name := range j.unable {
			if !slices.Contains(paths, "../testdata/c/"+name+".c") {
				t.Errorf("%s: there is no such program any more", name)
			}
		}
	}
	for i, path := range paths {
		if i%8 != 0 && !testkit.Nightly() {
			continue
		}
		name := strings.TrimSuffix(filepath.Base(path), ".c")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var first string
			for _, j := range judges {
				if j.unable[name] != "" {
					continue
				}
				got := j.behaviour(t, path)
				if first = cmp.Or(first, got); got != first {
					t.Errorf("with %s:\n%s\nwith %s:\n%s", judges[0].command, first, j.command, got)
				}
			}
		})
	}
}

// behaviour is what a program prints and how it ends.
func (j judge) behaviour(t *testing.T, path string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "program")
	args := append(slices.Concat(judged, j.flags), "-o", program, path, "-lm")
	if out, err := exec.Command(j.command, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v; hint: make deps\n%s", j.command, err, out)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	run := exec.CommandContext(ctx, program)
	run.Env = append(os.Environ(), "ASAN_OPTIONS=detect_leaks=0") // a leak is nothing undefined
	var stdout, stderr bytes.Buffer
	run.Stdout, run.Stderr = &stdout, &stderr
	var exit *exec.ExitError
	if err := run.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if stderr.Len() > 0 {
		t.Errorf("%s has its program say:\n%s", j.command, stderr.String())
	}
	return stdout.String() + "exit status " + strconv.Itoa(run.ProcessState.ExitCode())
}
