package launch

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// FindProgram is the path of a program that is named as in a shell, or by a file of the working directory, as launchers
// allow.
func FindProgram(word string) (string, error) {
	env := environment(os.Environ())
	if path, err := executable(word); err == nil {
		return filepath.Abs(path)
	}
	path, err := env.lookPath(word, "")
	switch {
	case err == nil:
		return filepath.Abs(path)
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, os.ErrNotExist):
		return "", fmt.Errorf("%s: no such program", word)
	}
	return "", err
}

// LauncherOf finds the launcher that starts a program: one of the MPI library that the program is linked with.
func LauncherOf(program string) (string, error) {
	env := environment(os.Environ())
	found, err := programLibrary(&Program{Path: program}, env)
	switch {
	case err != nil:
		return "", err
	case found.library.Family == unknownFamily:
		return "", fmt.Errorf("%s is not linked with an MPI library; hint: compile it with unknot upcc", program)
	case found.library.Path == "":
		return "", errors.New(found.warning)
	}
	family := found.library.Family
	for _, dir := range wrapperDirs(found.library.Path, "") {
		if path, ok := launcherIn(family, func(name string) (string, error) {
			return executable(filepath.Join(dir, name))
		}); ok {
			return path, nil
		}
	}
	if path, ok := launcherIn(family, func(name string) (string, error) { return env.lookPath(name, "") }); ok {
		return path, nil
	}
	return "", fmt.Errorf("%s is linked with %s, whose launcher is not in PATH; hint: install it (Debian: "+
		"openmpi-bin or mpich)", program, family)
}

// launchersOf are the names of a family's launchers, those first that no other family has.
var launchersOf = map[Family][]string{
	OpenMPI: {"mpirun.openmpi", "orterun", "prterun", "mpirun", "mpiexec"},
	MPICH:   {"mpirun.mpich", "mpiexec.hydra", "mpiexec", "mpirun"},
}

// launcherIn is the first launcher of a family that look finds.
func launcherIn(f Family, look func(name string) (string, error)) (string, bool) {
	for _, name := range launchersOf[f] {
		path, err := look(name)
		if err != nil {
			continue
		}
		if have, err := launcherFamily(path); err == nil && have == f {
			return path, true
		}
	}
	return "", false
}
