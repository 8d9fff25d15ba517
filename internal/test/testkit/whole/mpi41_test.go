package whole

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"unknot/internal/test/testkit"
	"unknot/internal/vocab/finding"
)

// standard is the version of MPI that a library follows, 41 for 4.1.
func standard(t *testing.T, mpi string) int {
	t.Helper()
	source := filepath.Join(t.TempDir(), "version.c")
	if err := os.WriteFile(source, []byte("#include <mpi.h>\nversion MPI_VERSION MPI_SUBVERSION\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	text, err := exec.Command("mpicc."+mpi, "-E", source).Output()
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`(?m)^version (\d) (\d)$`).FindSubmatch(text)
	if m == nil {
		t.Fatalf("mpicc.%s: its mpi.h does not say its version", mpi)
	}
	n, _ := strconv.Atoi(string(m[1]) + string(m[2]))
	return n
}

// TestWhatMPI41AddedIsFollowed runs with the libraries of `make matrix` that have it.
func TestWhatMPI41AddedIsFollowed(t *testing.T) {
	unknot := buildUnknot(t)
	for _, mpi := range testkit.Both() {
		t.Run(mpi, func(t *testing.T) {
			if standard(t, mpi) < 41 {
				t.Skip("this library follows an older standard: make matrix runs it with others")
			}
			path, err := filepath.Abs("testdata/mpi41.c")
			if err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			program, err := Compile(Program{Path: path, Text: string(text)}, mpi, programCache(t))
			if err != nil {
				t.Fatal(err)
			}
			watched := func(args ...string) (Result, finding.Run) {
				dir := keptDir(t, "unknot-mpi41-")
				report := filepath.Join(dir, "out.json")
				argv := slices.Concat([]string{unknot, "run", "--json", report}, Launcher(mpi, 2), program, args)
				r, err := Run(argv, dir, Settings(dir), 10*time.Minute)
				if err != nil {
					t.Fatal(err)
				}
				run, err := ReadRun(report)
				if err != nil {
					t.Fatalf("%v\n%s\nagain: %s", err, r.Output, repeat(dir, argv))
				}
				return r, run
			}
			if r, run := watched(); r.Exit != 0 || len(run.Findings) > 0 {
				t.Errorf("the correct program: exit status %d\n%s", r.Exit, r.Output)
			}
			r, run := watched("hang")
			if len(run.Findings) != 1 || run.Findings[0].Code != finding.Livelock ||
				!strings.Contains(r.Output, "MPI_Request_get_status_all") {
				t.Errorf("ranks that ask forever: exit status %d\n%s", r.Exit, r.Output)
			}
		})
	}
}
