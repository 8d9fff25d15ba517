package whole

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"unknot/internal/kit/scratch"
	"unknot/internal/observe/access"
	"unknot/internal/test/testkit"
)

// compiler gives the command that compiles a source with this ending; "%" stands for the name of the MPI. Warnings are
// errors, except for those that the MPI libraries' own headers cause: mpif.h declares constants that no program uses
// all of, and MPICH's MPI_STATUSES_IGNORE looks to the compiler like an array without elements.
func compiler(extension string) ([]string, error) {
	switch extension {
	case ".c":
		return strings.Fields("mpicc.% -g -pthread -Wall -Wextra -Werror -Wno-stringop-overflow"), nil
	case ".cpp":
		return strings.Fields("mpicxx.% -g -pthread -Wall -Wextra -Werror -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX"), nil
	case ".f", ".f90":
		return strings.Fields("mpifort.% -g -Wall -Wextra -Werror -Wno-unused-parameter"), nil
	}
	return nil, fmt.Errorf("no compiler known for %q", extension)
}

// Lenient is the compiler's command line for a program of an MPI that compilers may warn of, as it has mistakes on
// purpose.
func Lenient(extension, mpi string) []string {
	switch extension {
	case ".cpp":
		return []string{"mpicxx." + mpi, "-g", "-pthread", "-w"}
	case ".f", ".f90":
		return []string{"mpif90." + mpi, "-g", "-w", "-fallow-argument-mismatch"}
	}
	return []string{"mpicc." + mpi, "-g", "-std=gnu11", "-pthread", "-w"}
}

// Compile makes the program for an MPI ("openmpi", "mpich") and returns the command that runs it; see CompileBy.
func Compile(p Program, mpi, cache string) ([]string, error) {
	extension := filepath.Ext(p.Path)
	if extension == ".py" {
		return CompileBy(nil, p, cache)
	}
	line, err := compiler(extension)
	if err != nil {
		return nil, err
	}
	line[0] = strings.ReplaceAll(line[0], "%", mpi)
	return CompileBy(line, p, cache)
}

// CompileBy makes a program, whose path is absolute, by a compiler's command line, and returns the command that runs
// it; a Python program needs no compiler. Executables are kept in cache under a name made of the source and the command
// line, so that a second run compiles nothing.
func CompileBy(line []string, p Program, cache string) ([]string, error) {
	if filepath.Ext(p.Path) == ".py" {
		return []string{"/usr/bin/python3", p.Path}, nil
	}
	line = append(slices.Clone(line), p.Path)
	key := sha256.Sum256([]byte(strings.Join(line, "\x00") + "\x00" + p.Text))
	out := filepath.Join(cache, fmt.Sprintf("%s-%x", filepath.Base(filepath.Dir(p.Path)), key[:8]))
	if _, err := os.Stat(out); err == nil {
		return []string{out}, nil
	}
	// The compiler writes to a separate place first: two tests may want the same program at the same time.
	const prefix = "compiling-"
	scratch.Sweep(cache, prefix)
	work, err := scratch.New(cache, prefix)
	if err != nil {
		return nil, err
	}
	defer work.Remove()
	made := filepath.Join(work.Path, "a.out")
	cmd := exec.Command(line[0], append(line[1:], "-o", made)...)
	cmd.Dir = work.Path
	if text, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, text)
	}
	if err := os.Rename(made, out); err != nil {
		return nil, err
	}
	return []string{out}, nil
}

// Launcher is the command line that starts a number of ranks under an MPI.
func Launcher(mpi string, ranks int) []string {
	return []string{"mpirun." + mpi, "-n", fmt.Sprint(ranks)}
}

// Settings are the environment variables under which examples run: Open MPI needs settings that say that it may run as
// root and that there may be more ranks than cores, that a waiting rank should let others have the core, and to keep
// its files in dir: jobs that start at the same moment get in each other's way where they share a directory. The rest
// is for speed: ob1 is what Open MPI chooses on one host when it is not named, but only once all ranks have agreed on
// it, which takes half of a short job's time; and hwloc reads the configuration of each PCI device in each rank, and
// loads plugins with libraries of X and OpenCL. Under `make test`, ranks sleep while they wait (testkit.Polite).
func Settings(dir string) []string {
	return append(testkit.Polite(),
		"OMPI_ALLOW_RUN_AS_ROOT=1",
		"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
		"OMPI_MCA_rmaps_base_oversubscribe=1",
		"OMPI_MCA_mpi_yield_when_idle=1",
		"OMPI_MCA_orte_tmpdir_base="+dir,
		"OMPI_MCA_pml=ob1",
		"HWLOC_COMPONENTS=-pci,-linuxio",
		"HWLOC_PLUGINS_PATH=/nonexistent",
	)
}

// ByUnknot has unknot compile what a compiler's command line does. What it adds is part of what the program is kept by.
func ByUnknot(unknot, options, line []string) []string {
	verb, _, _ := strings.Cut(line[0], ".")
	if verb == "mpif90" {
		verb = "mpifort"
	}
	var before []string
	if i := slices.Index(options, "clang"); i >= 0 {
		options = slices.Delete(slices.Clone(options), i, i+1)
		before = []string{"env", "OMPI_CC=clang-14", "MPICH_CC=clang-14", "OMPI_CXX=clang++-14", "MPICH_CXX=clang++-14"}
		line = slices.DeleteFunc(line, func(w string) bool { return w == "-fopenmp" })
	}
	option := "--mpicc="
	if strings.HasPrefix(verb, "osh") {
		option = "--oshcc="
	}
	return slices.Concat(before, unknot, []string{verb, option + line[0]}, line[1:],
		[]string{"-DUNKNOT_ACCESS=" + access.Version()}, options)
}
