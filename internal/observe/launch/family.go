package launch

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Family says whose launcher or library something is. All members of a family share their command line and their ABI.
type Family uint8

// Families. MPICH includes those that share its ABI and its launcher: Intel MPI, MVAPICH, ParaStation.
const (
	unknownFamily Family = iota
	OpenMPI
	MPICH
	Slurm
	// Standard is the ABI of the MPI standard (MPI-5.0, chapter 20): libraries of several families have it.
	Standard
)

func (f Family) String() string {
	return [...]string{"an unknown MPI", "Open MPI", "MPICH", "Slurm", "the MPI standard ABI"}[f]
}

// launcherNames tell their family; ambiguousNames are used by every family.
var launcherNames = map[string]Family{
	"mpirun.openmpi": OpenMPI, "mpiexec.openmpi": OpenMPI, "orterun": OpenMPI, "prterun": OpenMPI,
	"mpirun.mpich": MPICH, "mpiexec.mpich": MPICH, "mpiexec.hydra": MPICH, "mpirun.hydra": MPICH,
	"srun": Slurm,
}

var (
	ambiguousNames = map[string]bool{"mpirun": true, "mpiexec": true, "oshrun": true, "shmemrun": true}
	// shmemLaunchers are names of launchers that say that programs use OpenSHMEM.
	shmemLaunchers = map[string]bool{"oshrun": true, "shmemrun": true}
)

// prefixCommands run the rest of their command line and may stand before a launcher.
var prefixCommands = map[string]bool{
	"env": true, "time": true, "nice": true, "nohup": true, "stdbuf": true, "taskset": true, "numactl": true,
	"timeout": true, "ionice": true, "chrt": true, "catchsegv": true,
}

// IsLauncher says whether a name is that of a launcher.
func IsLauncher(name string) bool {
	return launcherNames[name] != unknownFamily || ambiguousNames[name]
}

// findLauncher returns the index of the launcher in argv: the first word, unless that is a command such as `env` that
// has a launcher after it.
func findLauncher(argv []string) int {
	if !prefixCommands[filepath.Base(argv[0])] {
		return 0
	}
	for i, word := range argv {
		if IsLauncher(filepath.Base(word)) {
			return i
		}
	}
	return 0
}

// launcherFamily decides by the names along the chain of symbolic links (Debian's alternatives lead from mpirun to
// mpirun.openmpi), and asks the launcher itself only if none of them tells.
func launcherFamily(path string) (Family, error) {
	for _, name := range linkChain(path) {
		if f := launcherNames[filepath.Base(name)]; f != unknownFamily {
			return f, nil
		}
	}
	text := ask(path, "--version")
	switch {
	case containsAny(text, "Open MPI", "OpenRTE", "PRRTE"):
		return OpenMPI, nil
	case containsAny(text, "HYDRA", "Hydra", "MPICH", "mpich", "Intel(R) MPI", "MVAPICH"):
		return MPICH, nil
	case containsAny(text, "slurm"):
		return Slurm, nil
	}
	line, _, _ := strings.Cut(text, "\n")
	return unknownFamily, fmt.Errorf("%s: cannot tell whose launcher this is: `%s --version` says %q; hint: use the "+
		"launcher of Open MPI, MPICH or Slurm",
		path, path, line)
}

// linkChain lists path and each file that it leads to by symbolic links.
func linkChain(path string) []string {
	const longest = 40 // as the kernel's
	chain := []string{path}
	for range longest {
		target, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		path = target
		chain = append(chain, path)
	}
	return chain
}

// ask runs a command for what it prints, briefly: a launcher that waits for an allocation must not hold us up.
func ask(path string, args ...string) string {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	out, _ := cmd.CombinedOutput()
	return strings.TrimSpace(string(out))
}

func containsAny(s string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}

// otherLauncher is the advice for a program that was started by the launcher of another library.
func otherLauncher(f Family, env environment) string {
	if path, ok := launcherIn(f, func(name string) (string, error) { return env.lookPath(name, "") }); ok {
		return "start it with " + filepath.Base(path)
	}
	return fmt.Sprintf("start it with the mpiexec of %s, which is not in PATH, or build it with the mpicc that "+
		"belongs to this launcher", f)
}
