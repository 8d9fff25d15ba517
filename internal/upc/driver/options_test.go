//go:build !quick

package driver

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestOptionsGoToTheirSteps proves for a command line of each kind what the preprocessor, the compiler and the linker
// get of it.
func TestOptionsGoToTheirSteps(t *testing.T) {
	for _, c := range []struct{ line, preprocessor, compiler, linker, inputs string }{
		{"a.upc -O2 -g -lm", "-O2 -g", "-O2 -g", "-O2 -g -lm", "a.upc:upc"},
		{"-I inc -Iinc2 -D X=1 -DY -U Z -include h.h a.upc", "-I inc -Iinc2 -D X=1 -DY -U Z -include h.h", "", "",
			"a.upc:upc"},
		{"-L lib -Llib2 -l m -Wl,-E -Xlinker -z -u sym -static a.o", "", "",
			"-L lib -Llib2 -l m -Wl,-E -Xlinker -z -u sym -static", "a.o:"},
		{"-Wall -Wp,-DX -Wa,-al -Xassembler -x a.upc", "-Wall -Wp,-DX", "-Wall -Wa,-al -Xassembler -x", "-Wall",
			"a.upc:upc"},
		{"-std=gnu99 --param max=3 -march=native -isystem d a.upc", "-std=gnu99 -march=native -isystem d",
			"-std=gnu99 --param max=3 -march=native", "-std=gnu99 --param max=3 -march=native", "a.upc:upc"},
		{"-x upc a.c lib.a b.o libx.so.1 -x c b.upc -x none c.upc d.c", "", "", "",
			"a.c:upc lib.a: b.o: libx.so.1: b.upc:c c.upc:upc d.c:upc"},
		{"-xupc -", "", "", "", "-:upc"},
		{"-MD -MF x.d -MTy a.upc", "-MD -MF x.d -MTy", "", "", "a.upc:upc"},
		{"--mpicc mpicc.mpich -T 4 --save-temps -v a.upc", "-v", "-v", "-v", "a.upc:upc"},
	} {
		o, err := parseOptions(strings.Fields(c.line), nil)
		if err != nil {
			t.Errorf("%s: %v", c.line, err)
			continue
		}
		var inputs []string
		for _, w := range o.words {
			if w.input {
				inputs = append(inputs, w.text[0]+":"+w.lang)
			}
		}
		have := []string{strings.Join(o.arguments(forPreprocessor), " "), strings.Join(o.arguments(forCompiler), " "),
			strings.Join(o.arguments(forLinker), " "), strings.Join(inputs, " ")}
		if want := []string{c.preprocessor, c.compiler, c.linker, c.inputs}; !slices.Equal(have, want) {
			t.Errorf("%s:\nhave %q\nwant %q", c.line, have, want)
		}
	}
}

// TestOwnOptions proves what the options mean that are not passed on.
func TestOwnOptions(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"-c a.upc", "stage 3, output \"\", 0 threads, mpicc \"\", temps false"},
		{"-c -S a.upc -o x", "stage 2, output \"x\", 0 threads, mpicc \"\", temps false"},
		{"-S -c a.upc -ox", "stage 2, output \"x\", 0 threads, mpicc \"\", temps false"},
		{"-E -c a.upc", "stage 1, output \"\", 0 threads, mpicc \"\", temps false"},
		{"-M a.upc", "stage 1, output \"\", 0 threads, mpicc \"\", temps false"},
		{"-fsyntax-only a.upc", "stage 4, output \"\", 0 threads, mpicc \"\", temps false"},
		{"-T4 a.upc --mpicc=/x/mpicc -save-temps", "stage 0, output \"\", 4 threads, mpicc \"/x/mpicc\", temps true"},
		{"-dumpversion", "stage 5, output \"\", 0 threads, mpicc \"\", temps false"},
	} {
		o, err := parseOptions(strings.Fields(c.line), nil)
		if err != nil {
			t.Errorf("%s: %v", c.line, err)
			continue
		}
		have := fmt.Sprintf("stage %d, output %q, %d threads, mpicc %q, temps %v", o.stage, o.output, o.threads,
			o.mpicc, o.saveTemps)
		if have != c.want {
			t.Errorf("%s: %s, want %s", c.line, have, c.want)
		}
	}
}

// TestFilesOfOptions proves that @file stands for the words in it, quoted ones too, and that a file that is not there
// stands for itself.
func TestFilesOfOptions(t *testing.T) {
	dir := t.TempDir()
	inner, outer := filepath.Join(dir, "inner"), filepath.Join(dir, "outer")
	if err := os.WriteFile(inner, []byte("-DA=\"b c\" 'd e'\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(outer, []byte("-O2 @"+inner+"\t-DX=\\\"y\\\" ''"), 0o666); err != nil {
		t.Fatal(err)
	}
	have, err := expand([]string{"a", "@" + outer, "@absent", "z"}, 0)
	want := []string{"a", "-O2", "-DA=b c", "d e", `-DX="y"`, "", "@absent", "z"}
	if err != nil || !slices.Equal(have, want) {
		t.Errorf("%q, %v; want %q", have, err, want)
	}
	if err := os.WriteFile(inner, []byte("@"+inner), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := expand([]string{"@" + inner}, 0); err == nil ||
		!strings.Contains(err.Error(), "option files include each other") {
		t.Errorf("a file that names itself: %v", err)
	}
}

// TestSpellingsOfTypesThatMayAgree proves which declarations of two sources are reported as different, and that the
// unknown is not.
func TestSpellingsOfTypesThatMayAgree(t *testing.T) {
	for _, c := range []struct {
		a, b  string
		agree bool
	}{
		{"shared [5] int [10*THREADS]", "shared [5] int [10*THREADS]", true},
		{"shared [5] int [10*THREADS]", "shared [4] int [10*THREADS]", false},
		{"shared [5] int [10*THREADS]", "shared [5] int []", true},
		{"shared [5] int [3][4]", "shared [5] int [][4]", true},
		{"shared [5] int [3][4]", "shared [5] int [][5]", false},
		{"shared [5] int []", "shared int []", false},
		{"shared int", "shared [] int", false},
		{"shared int", "shared double", false},
		{"shared int", "strict shared int", false},
		{"shared enum e", "shared unsigned int", true},
		{"shared struct s [4]", "shared struct t [4]", true},
		{"shared [2] struct s [4]", "shared struct s [4]", false},
		{"shared [*] int [20]", "shared [5] int [20]", true},
		{"shared int *shared", "shared [] int *shared", false},
	} {
		if have := compatible(c.a, c.b); have != c.agree || compatible(c.b, c.a) != have {
			t.Errorf("compatible(%q, %q) is %v, want %v both ways", c.a, c.b, have, c.agree)
		}
	}
}
