//go:build !quick

package probe

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestOutsideCallsHearAndChangeNothing: what the functions of the C library do is the same with those of the probe
// before them, which say that something may have been heard, also with the names that the headers give them if they
// check sizes.
func TestOutsideCallsHearAndChangeNothing(t *testing.T) {
	for _, c := range []struct{ cc, flags string }{
		{"cc", "-O0 -fsanitize=undefined"}, {"cc", "-O2 -D_FORTIFY_SOURCE=2"},
		{"cc", "-O2 -D_FILE_OFFSET_BITS=64 -D_FORTIFY_SOURCE=2"}, {"clang-14", "-O2 -D_FORTIFY_SOURCE=2"},
	} {
		t.Run(c.cc+c.flags, func(t *testing.T) {
			dir := runtimeDir(t)
			library, program := filepath.Join(dir, "outside.o"), filepath.Join(dir, "program")
			for _, words := range [][]string{
				{c.cc, "-std=gnu11", "-g", "-O1", "-D_FORTIFY_SOURCE=2", "-Wall", "-Wextra", "-Werror", "-I", dir, "-c",
					"-o", library, filepath.Join(dir, "outside/outside.c")},
				append(append([]string{c.cc, "-std=gnu11", "-g", "-Wall", "-Wextra", "-Werror", "-Wno-unused-result",
					"-I", dir}, strings.Fields(c.flags)...), "-o", program, "testdata/outside.c", library),
				{program, t.TempDir()},
			} {
				if out, err := exec.Command(words[0], words[1:]...).CombinedOutput(); err != nil {
					t.Fatalf("%s: %v\n%s", words[0], err, out)
				}
			}
		})
	}
}

// compileWithOutside compiles a program of testdata with sources of the layer outside, each by itself as in a probe,
// and gives its path.
func compileWithOutside(t *testing.T, program string, sources ...string) string {
	t.Helper()
	dir := runtimeDir(t)
	out := filepath.Join(dir, "program")
	words := []string{"cc", "-std=gnu11", "-g", "-pthread", "-Wall", "-Wextra", "-Werror", "-Wno-unused-result", "-I",
		dir, "-o", out, filepath.Join("testdata", program)}
	for _, source := range sources {
		object := filepath.Join(dir, filepath.Base(source)+".o")
		make := []string{"cc", "-std=gnu11", "-g", "-O2", "-D_FORTIFY_SOURCE=2", "-Wall", "-Wextra", "-Werror", "-I",
			dir, "-c", "-o", object, filepath.Join(dir, source)}
		if text, err := exec.Command(make[0], make[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", make, err, text)
		}
		words = append(words, object)
	}
	if text, err := exec.Command(words[0], words[1:]...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", words, err, text)
	}
	return out
}

// TestOutsideCallsNoteWhatACallHasToDoWithOthers: which file it asks for, reads or changes, and whether it has to do
// with another process.
func TestOutsideCallsNoteWhatACallHasToDoWithOthers(t *testing.T) {
	program := compileWithOutside(t, "interactions.c", "outside/outside.c")
	if out, err := exec.Command(program, t.TempDir()).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestOtherClocksAreSoundAndFarApart: a program that sees other clocks sees them agree, waits until moments of theirs,
// and draws other random numbers. All processes of a run see the same, and in two runs the numbers of seconds, minutes,
// hours and days are odd and even by turns.
func TestOtherClocksAreSoundAndFarApart(t *testing.T) {
	program := compileWithOutside(t, "clocks.c", "outside/outside.c", "outside/clocks.c")
	dir := t.TempDir()
	var wall, steady, now [4]int64
	for number := range 4 {
		for again := range 2 {
			out, err := exec.Command(program, fmt.Sprint(number), filepath.Join(dir, "clock")).CombinedOutput()
			if err != nil {
				t.Fatalf("number %d: %v\n%s", number, err, out)
			}
			before := wall[number]
			if _, err := fmt.Sscan(string(out), &wall[number], &steady[number], &now[number]); err != nil {
				t.Fatalf("number %d: %v\n%s", number, err, out)
			}
			if ahead := wall[number]; number == 0 && (ahead != 0 || steady[0] != 0) || number > 0 &&
				(ahead < 0 || ahead > 7*86400 || steady[number] < 0) {
				t.Errorf("number %d: clocks are %d s and %d s ahead", number, ahead, steady[number])
			}
			if again == 1 && wall[number]-before > 60 {
				t.Errorf("number %d: in another process of the run, clocks are %d s ahead, not %d", number,
					wall[number], before)
			}
		}
	}
	if apart := steady[2] - steady[1]; apart < 86400+3600+60-600 || apart > 86400+3600+60+600 {
		t.Errorf("those that count from the start are %d s apart", apart)
	}
	if now[1]/86400%2 != 0 || now[2]/86400%2 != 1 || now[1]/3600%2 != 0 || now[2]/3600%2 != 1 {
		t.Errorf("it is %d and %d, want an even day and hour, and odd ones", now[1], now[2])
	}
}
