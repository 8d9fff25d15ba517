//go:build !quick

package packaging

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"unknot/internal/test/testkit"
)

// needsNoCompiler installs the package beside both MPI libraries, of which nothing compiles, and runs programs that
// were built elsewhere: in the matrix's Debian of the same release. QEMU runs that for another kind of machine, and
// what unknot says has to be the same there.
func (p packages) needsNoCompiler(t *testing.T) {
	for _, arch := range []string{"amd64", "arm64"} {
		t.Run(arch, func(t *testing.T) {
			release := "bookworm"
			if arch != runtime.GOARCH {
				release += "-" + arch
			}
			cache := filepath.Dir(kept(t))
			bare, full := filepath.Join(cache, "bare", release), filepath.Join(cache, "matrix", release)
			chroot(t, release, bare, "openmpi-bin", "mpich")
			chroot(t, release, full, "gcc", "gfortran", "libc6-dev", "libopenmpi-dev", "libmpich-dev")
			d := copied(t, bare)
			run(t, "cp", p.debOf(arch), filepath.Join(d.root, "home/ada"))
			d.must(t, "root", "cd /home/ada && apt install --no-install-recommends ./unknot_*.deb")
			if got, status := d.as(t, "ada", "command -v gcc cc clang"); status == 0 {
				t.Fatalf("there is a compiler: %s", got)
			}
			if got := d.must(t, "ada",
				"unknot doctor"); !regexp.MustCompile(
				`probe: part of this unknot are those for .*\bOpen MPI 4\.1\.0\b`).MatchString(got) {
				t.Errorf("unknot doctor does not say which probes are in the package:\n%s", got)
			}
			for _, library := range testkit.Both() {
				d.compiledBy(t, full, library, "broken.c", read(t, "../examples/recv-recv/broken.c"))
				d.compiledBy(t, full, library, "fixed.c", read(t, "../examples/recv-recv/fixed.c"))
				d.compiledBy(t, full, library, "orphan.c",
					snippet(t, "../cmd/unknot/testdata/explore.txtar", "orphan.c"))
				d.compiledBy(t, full, library, "jumps.c", snippet(t, "../cmd/unknot/testdata/escape.txtar",
					"escape.cc"))
				d.compiledBy(t, full, library, "fortran.f90", read(t, "../examples/fortran-use-mpi/broken.f90"))
				d.judges(t, library)
			}
		})
	}
}

// TestTheHeadersAreTheSameForBothMachines: probes for one are made of the other's.
func TestTheHeadersAreTheSameForBothMachines(t *testing.T) {
	if !testkit.Nightly() {
		t.Skip("it takes packages from Debian's mirror, and is for make nightly and make test-packages")
	}
	said := run(t, "../scripts/sameheaders.sh")
	if got := strings.Count(said, ": the same for "); got != 9 {
		t.Errorf("%d headers were compared, want those of both libraries in four releases, and the standard ABI's:\n%s",
			got, said)
	}
}

// chroot makes a Debian with packages by scripts/chroot.sh, or adds them to it. Where that is for another kind of
// machine, of which this kernel runs no programs, the test is skipped.
func chroot(t *testing.T, release, dir string, packages ...string) {
	t.Helper()
	said, err := exec.Command("../scripts/chroot.sh", append([]string{release, dir}, packages...)...).CombinedOutput()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.ExitCode() == 77:
		t.Skip(strings.TrimSpace(string(said)))
	case err != nil:
		t.Fatalf("scripts/chroot.sh %s %s: %v\n%s", release, dir, err, said)
	}
}

// snippet is a file of a test script.
func snippet(t *testing.T, script, name string) string {
	t.Helper()
	archive, err := txtar.ParseFile(script)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == name })
	if i < 0 {
		t.Fatalf("%s has no %s", script, name)
	}
	return string(archive.Files[i].Data)
}

// compiledBy puts a program into the home directory that a library's compiler command in another Debian has made of a
// file: "openmpi-broken" of broken.c.
func (d debian) compiledBy(t *testing.T, full, library, file, source string) {
	t.Helper()
	sources := t.TempDir()
	if err := os.WriteFile(filepath.Join(sources, file), []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	name, language, _ := strings.Cut(file, ".")
	command := map[string]string{"c": "mpicc.", "f90": "mpif90."}[language] + library
	program := run(t, "../scripts/inside.sh", "-b", sources, full, "sh", "-euc",
		`cd "$2" && $1 -g -w -o /tmp/program "$3" && cat /tmp/program`, "compile", command, sources, file)
	if err := os.WriteFile(filepath.Join(d.root, "home/ada", library+"-"+name), []byte(program), 0o755); err != nil {
		t.Fatal(err)
	}
}

// judges runs the programs of a library as an ordinary user, and reads what unknot says of them.
func (d debian) judges(t *testing.T, library string) {
	t.Helper()
	mpirun := "mpirun." + library
	for _, c := range []struct {
		command string
		status  int
		want    []string
	}{
		{"unknot run " + mpirun + " -n 2 ./" + library + "-broken", 66, []string{
			"unknot: error: deadlock (manifest)\n  Ranks 0 and 1 wait for each other: each receives before it sends.\n",
			"\n  rank 0   MPI_Recv  from rank 1, tag 0, MPI_COMM_WORLD, 1 × MPI_INT\n           at main " +
				"(broken.c:13)\n           waits for a message from rank 1\n",
			"\n  rank 1   MPI_Recv  from rank 0, tag 0, MPI_COMM_WORLD, 1 × MPI_INT\n           at main " +
				"(broken.c:13)\n           waits for a message from rank 0\n",
			"\nunknot: 1 error, 0 warnings; 2 ranks, 4 calls watched\n",
		}},
		{"unknot run --json found.json " + mpirun + " -n 2 ./" + library + "-fixed && cat found.json", 0,
			[]string{`"complete": true,`, `"calls": 8,`, `"findings": [],`}},
		{"unknot run " + mpirun + " -n 2 ./" + library + "-fortran", 66, []string{
			"\n  rank 0   MPI_Allreduce  MPI_SUM, MPI_COMM_WORLD, 1 × MPI_INTEGER\n           at main program " +
				"fortran_use_mpi (fortran.f90:13)\n",
			"\n  rank 1   MPI_Recv  from rank 0, tag 0, MPI_COMM_WORLD, 1 × MPI_INTEGER\n           at main program " +
				"fortran_use_mpi (fortran.f90:16)\n",
		}},
		// A call that an error handler has left by a jump waits for nobody.
		{"unknot run --no-check=all --json found.json " + mpirun + " -n 2 ./" + library + "-jumps && cat found.json", 0,
			[]string{`"findings": [],`}},
		// It does not happen unless a replay forces it.
		{"unknot explore --json found.json " + mpirun + " -n 4 ./" + library + "-orphan", 66, []string{
			"unknot: error: deadlock (confirmed)\n",
			"\n  rank 3   MPI_Recv  from rank 2, tag 0, MPI_COMM_WORLD, 1 × MPI_INT\n           at main (orphan.c:25)\n",
			"1. Rank 3's 1st receive from any source (MPI_Recv) matches the message from rank 2",
		}},
		{"unknot replay found.json " + mpirun + " -n 4 ./" + library + "-orphan", 66, []string{
			"unknot: error: deadlock (manifest)\n", "at main (orphan.c:25)\n",
		}},
	} {
		// Open MPI does not always remove its directory for a user when a run of an exploration is stopped.
		got, status := d.as(t, "ada", "rm -f met; "+c.command+
			"; status=$?; find /tmp /dev/shm -mindepth 1 ! -path '/tmp/ompi.*' | sed 's/^/left: /'; exit $status")
		if status != c.status || strings.Contains(got, "left: ") {
			t.Errorf("%s: exit status %d, want %d, and nothing left behind:\n%s", c.command, status, c.status, got)
		}
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s does not say %q:\n%s", c.command, want, got)
			}
		}
	}
}
