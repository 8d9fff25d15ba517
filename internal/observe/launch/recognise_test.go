package launch

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"unknot/internal/test/testkit"
)

// compile builds a C program with a compiler wrapper and returns its path.
func compile(t *testing.T, compiler, name, text string, flags ...string) string {
	t.Helper()
	testkit.NeedsMPI(t)
	dir := t.TempDir()
	source, out := filepath.Join(dir, name+".c"), filepath.Join(dir, name)
	if err := os.WriteFile(source, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	args := append([]string{source, "-o", out}, flags...)
	if text, err := exec.Command(compiler, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", compiler, err, text)
	}
	return out
}

const (
	mpiProgram   = "#include <mpi.h>\nint main(int c, char **v) { MPI_Init(&c, &v); MPI_Finalize(); return 0; }\n"
	plainProgram = "int main(void) { return 0; }\n"
)

func TestLauncherAndLibraryOfBothMPIs(t *testing.T) {
	for _, c := range []struct {
		mpicc, launcher, soname string
		family                  Family
	}{
		{"mpicc.openmpi", "mpirun.openmpi", "libmpi.so.40", OpenMPI},
		{"mpicc.openmpi", "orterun", "libmpi.so.40", OpenMPI},
		{"mpicc.mpich", "mpiexec.hydra", "libmpich.so.12", MPICH},
		{"mpicc.mpich", "mpirun.mpich", "libmpich.so.12", MPICH},
	} {
		app := compile(t, c.mpicc, "app", mpiProgram)
		j, err := Recognise([]string{"env", "A=1", c.launcher, "-n", "2", app}, Options{})
		if err != nil {
			t.Errorf("%s: %v", c.launcher, err)
			continue
		}
		if j.Family != c.family || j.MPI.Family != c.family || j.MPI.Soname != c.soname || j.Ranks != 2 {
			t.Errorf("%s: %+v", c.launcher, j)
		}
		if filepath.Base(j.MPICC) != c.mpicc {
			t.Errorf("%s: compiler wrapper %s, want %s", c.launcher, j.MPICC, c.mpicc)
		}
		// Without a launcher the program alone has to tell.
		j, err = Recognise([]string{app}, Options{})
		if err != nil || j.MPI.Family != c.family || filepath.Base(j.MPICC) != c.mpicc {
			t.Errorf("%s without a launcher: %+v, %v", c.mpicc, j, err)
		}
	}
}

// The libraries of the MPI standard ABI are nobody's, whatever number MPICH gives them, so any launcher may start their
// programs.
func TestTheStandardABIIsAFamily(t *testing.T) {
	for name, want := range map[string]Family{"libmpi_abi.so.0": Standard, "libmpi_abi.so.12": Standard,
		"libpmpi_abi.so.1": Standard, "libmpi_cray.so.12": MPICH} {
		if family := libraryFamily(name); family != want {
			t.Errorf("%s is of %v, want %v", name, family, want)
		}
	}
}

func TestAlternativesLeadToTheFamily(t *testing.T) {
	dir := t.TempDir()
	for name, want := range map[string]Family{"mpirun.openmpi": OpenMPI, "mpiexec.hydra": MPICH} {
		target, err := exec.LookPath(name)
		if err != nil {
			t.Fatal(err)
		}
		link := filepath.Join(dir, "mpirun")
		os.Remove(link)
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
		if f, err := launcherFamily(link); err != nil || f != want {
			t.Errorf("mpirun -> %s: %v, %v", target, f, err)
		}
	}
	// A launcher whose name tells nothing is asked.
	other := filepath.Join(dir, "mpiexec")
	script := "#!/bin/sh\necho 'Intel(R) MPI Library for Linux* OS, Version 2021.9'\n"
	if err := os.WriteFile(other, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	if f, err := launcherFamily(other); err != nil || f != MPICH {
		t.Errorf("Intel's mpiexec: %v, %v", f, err)
	}
}

func TestMPIBehindALibraryIsFound(t *testing.T) {
	dir := filepath.Dir(compile(t, "mpicc.openmpi", "libdeep.so",
		"#include <mpi.h>\nint deep(void) { return MPI_Finalize(); }\n", "-shared", "-fPIC"))
	app := compile(t, "gcc", "app", "int deep(void);\nint main(void) { return deep(); }\n", "-L"+dir, "-ldeep",
		"-Wl,-rpath,"+dir)
	l, _, err := linkedLibraries(app, os.Environ())
	if err != nil || l.Family != OpenMPI || l.Path == "" {
		t.Errorf("by RUNPATH: %+v, %v", l, err)
	}
	app = compile(t, "gcc", "app", "int deep(void);\nint main(void) { return deep(); }\n", "-L"+dir, "-ldeep")
	if l, _, err := linkedLibraries(app, []string{"LD_LIBRARY_PATH=" + dir}); err != nil || l.Family != OpenMPI {
		t.Errorf("by LD_LIBRARY_PATH: %+v, %v", l, err)
	}
}

func TestProgramsWithOpenSHMEMAreKnown(t *testing.T) {
	const text = "#include <shmem.h>\nint main(void) { shmem_init(); shmem_finalize(); return 0; }\n"
	app := compile(t, "oshcc", "app", text)
	for _, argv := range [][]string{{"oshrun", "-n", "2", app}, {"mpirun.openmpi", "-n", "2", app}, {app},
		{"oshrun", "-n", "2", "sh", "-c", app}} {
		j, err := Recognise(argv, Options{})
		if err != nil || !j.SHMEM || filepath.Base(j.OSHCC) != "oshcc" || j.MPI.Family != OpenMPI {
			t.Errorf("%v: %+v, %v", argv, j, err)
		}
	}
	plain := compile(t, "mpicc.openmpi", "plain", "#include <mpi.h>\nint main(void) { return MPI_Finalize(); }\n")
	if j, err := Recognise([]string{"mpirun.openmpi", "-n", "2", plain}, Options{}); err != nil || j.SHMEM {
		t.Errorf("%+v, %v", j, err)
	}
}

func TestPythonIsAskedForItsMPI(t *testing.T) {
	script := filepath.Join(t.TempDir(), "script.py")
	if err := os.WriteFile(script, []byte("#!/usr/bin/python3\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, argv := range [][]string{{"mpirun.openmpi", "-n", "2", "/usr/bin/python3", script},
		{"mpirun.openmpi", "-n", "2", script}} {
		j, err := Recognise(argv, Options{})
		if err != nil || j.MPI.Soname != "libmpi.so.40" || len(j.Warnings) > 0 {
			t.Errorf("%v: %+v, %v", argv, j, err)
		}
	}
}

// TestIntelMPIAndMVAPICHAreOfMPICHsFamily: they have MPICH's ABI and launcher, under names of their own. By night
// testkit/whole runs programs with them.
func TestIntelMPIAndMVAPICHAreOfMPICHsFamily(t *testing.T) {
	for _, c := range []struct{ name, mpicc, launcher, says string }{
		{"Intel MPI", "mpiicc", "mpirun", "Intel(R) MPI Library for Linux* OS, Version 2021.9 Build 20230307"},
		{"Intel MPI with the compilers of oneAPI", "mpiicx", "mpiexec",
			"Intel(R) MPI Library for Linux* OS, Version 2021.13 Build 20240515"},
		{"MVAPICH", "mpicc", "mpiexec", "HYDRA build details:"},
	} {
		dir := t.TempDir()
		library := compile(t, "gcc", "libmpi.so", "int MPI_Finalize(void) { return 0; }\n", "-shared", "-fPIC",
			"-Wl,-soname,libmpi.so.12")
		path := filepath.Join(dir, "lib", "libmpi.so.12")
		bin := filepath.Join(dir, "bin")
		for _, sub := range []string{filepath.Dir(path), bin} {
			if err := os.Mkdir(sub, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Rename(library, path); err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{c.mpicc: "echo gcc -lmpi", c.launcher: "echo '" + c.says + "'"} {
			if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		app := compile(t, "gcc", "app", "int MPI_Finalize(void);\nint main(void) { return MPI_Finalize(); }\n", path,
			"-Wl,-rpath,"+filepath.Dir(path))
		j, err := Recognise([]string{filepath.Join(bin, c.launcher), "-ppn", "2", "-n", "2", app}, Options{})
		if err != nil || j.Family != MPICH || j.MPI != (Library{MPICH, "libmpi.so.12", path}) ||
			j.MPICC != filepath.Join(bin, c.mpicc) || j.Ranks != 2 || len(j.Warnings) > 0 {
			t.Errorf("%s: %+v, %v", c.name, j, err)
		}
	}
}

// mpi4py that is built for the ABI of the MPI standard chooses a library when it is imported.
func TestPythonThatLoadsItsMPIIsRemarkedOn(t *testing.T) {
	module := compile(t, "gcc", "MPI.so",
		"int printf(const char *, ...);\nint hello(void) { return printf(\"hello\"); }\n", "-shared", "-fPIC")
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "mpi4py"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, from := range map[string]string{"MPI.so": module, "__init__.py": "/dev/null"} {
		text, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, "mpi4py", name), text, 0o755)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PYTHONPATH", dir)
	want := "mpi4py at " + dir + "/mpi4py/MPI.so is not linked with an MPI library but loads one, and is watched " +
		"only if that is the launcher's; hint: with another one, name its compiler with --mpicc"
	j, err := Recognise([]string{"mpirun.mpich", "-n", "2", "/usr/bin/python3", "script.py"}, Options{})
	if err != nil || len(j.Warnings) != 1 || j.Warnings[0] != want || filepath.Base(j.MPICC) != "mpicc.mpich" {
		t.Errorf("%+v, %v", j, err)
	}
}

func TestShellScriptsTakeTheLaunchersMPI(t *testing.T) {
	script := filepath.Join(t.TempDir(), "go.sh")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nexec ./app\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	j, err := Recognise([]string{"mpiexec.hydra", script}, Options{})
	if err != nil || j.MPI.Family != MPICH || len(j.Warnings) > 0 || filepath.Base(j.MPICC) != "mpicc.mpich" {
		t.Errorf("%+v, %v", j, err)
	}
}

func TestWhatCannotBeWatchedIsSaidInOneSentence(t *testing.T) {
	openmpi := compile(t, "mpicc.openmpi", "app", mpiProgram)
	mpich := compile(t, "mpicc.mpich", "app", mpiProgram)
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct {
		argv []string
		want []string
	}{
		{nil, []string{"no command to run", "hint: give the one that starts the job"}},
		{[]string{"mpirun.openmpi", "-n", "2", "./nowhere"}, []string{"./nowhere: no such program", "hint:"}},
		{[]string{"mpirun.openmpi", "-n", "2", "nowhere-in-path"}, []string{"no such program in PATH"}},
		{[]string{"mpirun.openmpi", "-wdir", dir, "./nowhere"}, []string{dir + "/nowhere", "relative to " + dir}},
		{[]string{"mpirun.openmpi", write("plain", "x", 0o644)}, []string{"not executable", "chmod +x"}},
		{[]string{"mpirun.openmpi", write("garbage", "garbage", 0o755)},
			[]string{"neither a program for this machine nor a script"}},
		{[]string{"mpirun.openmpi", write("lost.sh", "#!/nowhere/sh\n", 0o755)},
			[]string{"interpreter /nowhere/sh does not exist"}},
		{[]string{"mpirun.openmpi", compile(t, "gcc", "static", plainProgram, "-static")},
			[]string{"static binary", "without -static"}},
		{[]string{"mpirun.openmpi", compile(t, "gcc", "static-pie", plainProgram, "-static-pie")},
			[]string{"static binary"}},
		{[]string{"mpirun.openmpi", mpich}, []string{"needs MPICH (libmpich.so.12)", "launcher of Open MPI",
			"rank 0 of 1", "start it with mpirun.mpich"}},
		{[]string{"mpiexec.hydra", openmpi}, []string{"needs Open MPI (libmpi.so.40)", "launcher of MPICH",
			"start it with mpirun.openmpi"}},
		{[]string{"/nowhere/mpirun", "-n", "2", openmpi}, []string{"/nowhere/mpirun"}},
		{[]string{"/nowhere/nice", "mpirun.openmpi", openmpi}, []string{"/nowhere/nice: no such program; hint:",
			"start mpirun.openmpi without it"}},
	} {
		_, err := Recognise(c.argv, Options{})
		if err == nil {
			t.Errorf("%v: accepted", c.argv)
			continue
		}
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("%v: more than one line: %v", c.argv, err)
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%v: %v\ndoes not say %q", c.argv, err, want)
			}
		}
	}
	if _, err := Recognise([]string{"mpirun", openmpi}, Options{Environ: []string{"PATH=" + dir}}); err == nil ||
		!strings.Contains(err.Error(), "no such launcher in PATH") {
		t.Errorf("without a launcher: %v", err)
	}
	launcher, err := exec.LookPath("mpirun.openmpi")
	if err != nil {
		t.Fatal(err)
	}
	const want = "time: no such program in PATH; hint: give its path, or start "
	if _, err := Recognise([]string{"time", launcher, openmpi},
		Options{Environ: []string{"PATH=" + dir}}); err == nil ||
		!strings.HasPrefix(err.Error(), want+launcher) {
		t.Errorf("without what stands before the launcher: %v", err)
	}
}

func TestProgramWithoutMPIIsOnlyRemarkedOn(t *testing.T) {
	j, err := Recognise([]string{"mpirun.openmpi", compile(t, "gcc", "app", plainProgram)}, Options{})
	if err != nil || len(j.Warnings) != 1 || !strings.Contains(j.Warnings[0], "not linked with an MPI library") {
		t.Errorf("%+v, %v", j, err)
	}
}

func FuzzReadLinkerCache(f *testing.F) {
	if data, err := os.ReadFile("/etc/ld.so.cache"); err == nil {
		f.Add(data)
	}
	f.Add([]byte("glibc-ld.so.cache1.1"))
	f.Fuzz(func(_ *testing.T, data []byte) { readLinkerCache(data) })
}
