package whole

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"unknot/internal/test/testkit"
)

// TestProgramsThatActOnMoreThanMPIAreNotCalledFree explores programs of which one run shows nothing wrong, but that may
// do something else in the next.
func TestProgramsThatActOnMoreThanMPIAreNotCalledFree(t *testing.T) {
	besideMPI(t, "beside", []string{"hour.c", "flag.c", "shared.c", "signal.c"}, func(text string) *regexp.Regexp {
		want, _ := directive(text, "WANT")
		return regexp.MustCompile(`(?m)^unknot: free as far as tried: .*` + want)
	})
}

// TestOrdinaryProgramsStayFree explores programs that ask for the time, draw random numbers, read input and write
// output, and act on MPI alone.
func TestOrdinaryProgramsStayFree(t *testing.T) {
	besideMPI(t, "ordinary", []string{"timings.c", "patience.c", "stdin.c", "script.py"},
		func(text string) *regexp.Regexp {
			return regexp.MustCompile(
				`(?m)^unknot: free: no run that MPI allows deadlocks, .* \(1 control flow, 1 run\)(; 3 more runs with other clocks and random numbers made the same calls)?$`)
		})
}

// directive is what the comments of a source say after a word and a colon.
func directive(text, word string) (says string, there bool) {
	for line := range strings.Lines(text) {
		if _, says, there = strings.Cut(strings.TrimSpace(line), word+": "); there {
			return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(says), "*/")), true
		}
	}
	return "", false
}

// besideMPI explores the programs of a directory of testdata, nightly all with both libraries and else some of them, by
// turns, and holds the verdicts to what is wanted.
func besideMPI(t *testing.T, name string, often []string, want func(text string) *regexp.Regexp) {
	testkit.NeedsMPI(t)
	unknot := testkit.Unknot(t)
	if testkit.Nightly() || os.Getenv("UNKNOT_ALL") != "" {
		often = nil
		files, err := filepath.Glob(filepath.Join("testdata", name, "*.[cfp]*"))
		if err != nil || len(files) < 12 {
			t.Fatal(files, err)
		}
		for _, f := range files {
			often = append(often, filepath.Base(f))
		}
	}
	for turn, file := range often {
		libraries := testkit.LibrariesOfMany(turn)
		if filepath.Ext(file) == ".py" {
			libraries = []string{"openmpi"} // mpi4py's
		}
		for _, mpi := range libraries {
			t.Run(strings.ReplaceAll(file, ".", "_")+"/"+mpi, func(t *testing.T) {
				path, err := filepath.Abs(filepath.Join("testdata", name, file))
				if err != nil {
					t.Fatal(err)
				}
				source, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				dir := keptDir(t, "unknot-beside-")
				here := filepath.Join(dir, "here")
				if err := os.Mkdir(here, 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, "input.txt"), []byte("12\n"), 0o644); err != nil {
					t.Fatal(err)
				}
				argv := append([]string{unknot, "explore", "--state", "../state"}, Launcher(mpi, 2)...)
				argv = append(argv, compileBeside(t, path, string(source), mpi, dir)...)
				if strings.Contains(string(source), "/* STDIN */") {
					argv = append([]string{"sh", "-c", `exec "$@" < ../input.txt`, "sh"}, argv...)
				}
				r, err := Run(argv, here, Settings(dir), 10*time.Minute)
				if err != nil {
					t.Fatal(err)
				}
				if w := want(string(source)); !w.MatchString(r.Output) {
					t.Errorf("want a line that matches %v\n%s\n%s", w, r.Output, repeat(here, argv))
				}
				if len(r.Left) > 0 {
					t.Errorf("left behind: %v", r.Left)
				}
			})
		}
	}
}

// compileBeside compiles a program in a directory, with the flags that it asks for, and gives the command that runs it.
func compileBeside(t *testing.T, path, source, mpi, dir string) []string {
	t.Helper()
	if filepath.Ext(path) == ".py" {
		return []string{"/usr/bin/python3", path}
	}
	line, err := compiler(filepath.Ext(path))
	if err != nil {
		t.Fatal(err)
	}
	line[0] = strings.ReplaceAll(line[0], "%", mpi)
	more, _ := directive(source, "FLAGS")
	out := filepath.Join(dir, "program")
	line = append(append(line, strings.Fields(more)...), "-o", out, path)
	cmd := exec.Command(line[0], line[1:]...)
	cmd.Dir = dir
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", line, err, text)
	}
	return []string{out}
}
