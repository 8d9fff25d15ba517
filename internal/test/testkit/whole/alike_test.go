package whole

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"unknot/internal/test/testkit"
)

// TestLibrariesWithTheABIOfMPICH: Intel MPI and MVAPICH have MPICH's ABI, its launcher, and names of their own for all.
// Neither can be had here, so each is stood in for by MPICH under its names: the library, what the header says of
// itself, the compiler command and what the launcher says.
func TestLibrariesWithTheABIOfMPICH(t *testing.T) {
	if !testkit.Nightly() || !slices.Contains(testkit.Both(), "mpich") {
		t.Skip("a probe for each is compiled anew: make nightly runs it; internal/observe/launch tests how they are recognised")
	}
	unknot := buildUnknot(t)
	source, err := filepath.Abs(examples + "/recv-recv/broken.c")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, macro, version, mpicc, launcher, says string }{
		{"Intel MPI", "I_MPI_VERSION", "2021.9.0", "mpiicc", "mpirun",
			"Intel(R) MPI Library for Linux* OS, Version 2021.9 Build 20230307"},
		{"MVAPICH", "MVAPICH2_VERSION", "2.3.7", "mpicc", "mpiexec", "HYDRA build details:"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := keptDir(t, "unknot-alike-")
			for _, sub := range []string{"bin", "lib", "include"} {
				if err := os.Mkdir(filepath.Join(dir, sub), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			renamed(t, dir, c.macro, c.version)
			compiler := filepath.Join(dir, "bin", c.mpicc)
			script(t, compiler, fmt.Sprintf("line='gcc -I%s/include -L%s/lib -Wl,-rpath,%s/lib'\n[ \"$1\" != -show ] "+
				"|| { echo \"$line -lmpi\"; exit; }\nexec $line \"$@\" -lmpi\n", dir, dir, dir))
			script(t, filepath.Join(dir, "bin", c.launcher),
				fmt.Sprintf("[ \"$1\" != --version ] || { echo '%s'; exit; }\nexec mpirun.mpich \"$@\"\n", c.says))
			program := filepath.Join(dir, "program")
			made(t, compiler, "-g", "-o", program, source)
			doctor := exec.Command(unknot, "doctor", program)
			doctor.Env = append(os.Environ(), "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"))
			out, _ := doctor.CombinedOutput() // of other libraries it may say that they have no compiler command
			for _, want := range []string{
				fmt.Sprintf("ok    launcher: %s/bin/%s, MPICH\n", dir, c.launcher),
				fmt.Sprintf("ok    probe: %s builds it for %s %s (libmpi.so.12)\n", compiler, c.name, c.version),
			} {
				if !strings.Contains(string(out), want) {
					t.Errorf("unknot doctor does not say %q:\n%s", want, out)
				}
			}
			waits(t, unknot, dir, filepath.Join(dir, "bin", c.launcher), "broken.c:13", program)
		})
	}
}

// renamed copies MPICH's library and header to dir: the library as libmpi.so.12, the header with a version of somebody
// else instead of its own.
func renamed(t *testing.T, dir, macro, version string) {
	t.Helper()
	path, err := exec.Command("gcc", "-print-file-name=libmpich.so.12").Output()
	if err != nil {
		t.Fatal(err)
	}
	library, err := os.ReadFile(strings.TrimSpace(string(path)))
	if err != nil {
		t.Fatal(err)
	}
	library = bytes.ReplaceAll(library, []byte("libmpich.so.12\x00"), []byte("libmpi.so.12\x00\x00\x00"))
	for name, text := range map[string][]byte{"libmpi.so.12": library, "libmpi.so": library} {
		if err := os.WriteFile(filepath.Join(dir, "lib", name), text, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	text, err := exec.Command("mpicc.mpich", "-E", "-include", "mpi.h", "-x", "c", "/dev/null").Output()
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`(?m)^# 1 "(.*)/mpi\.h"`).FindSubmatch(text)
	if m == nil {
		t.Fatal("mpicc.mpich does not say where its mpi.h is")
	}
	made(t, "cp", "-r", string(m[1])+"/.", filepath.Join(dir, "include"))
	own := `s/^#define MPICH_VERSION .*/#define ` + macro + ` "` + version + `"/`
	made(t, "sed", "-i", own, filepath.Join(dir, "include", "mpi.h"))
}

// script writes a shell script.
func script(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o755); err != nil {
		t.Fatal(err)
	}
}
