package launch

import (
	"debug/elf"
	"os"
	"path/filepath"
)

// Installed is a launcher in PATH.
type Installed struct {
	Path   string
	Family Family
}

// Launchers lists the launchers in PATH, each file once under the first of its names.
func Launchers() []Installed {
	var out []Installed
	names := []string{"mpirun", "mpiexec", "mpirun.openmpi", "orterun", "prterun", "mpirun.mpich",
		"mpiexec.hydra", "srun"}
	eachFile(names, func(path string) {
		if f, err := launcherFamily(path); err == nil {
			out = append(out, Installed{path, f})
		}
	})
	return out
}

// Wrappers lists the C compiler wrappers in PATH in the same way.
func Wrappers() []string {
	var out []string
	eachFile([]string{"mpicc", "mpicc.openmpi", "mpicc.mpich", "mpiicx", "mpiicc"}, func(path string) {
		out = append(out, path)
	})
	return out
}

func eachFile(names []string, visit func(path string)) {
	seen := map[string]bool{}
	for _, name := range names {
		path, err := environment(os.Environ()).lookPath(name, "")
		if err != nil {
			continue
		}
		real, err := filepath.EvalSymlinks(path)
		if err != nil || seen[real] {
			continue
		}
		seen[real] = true
		visit(path)
	}
}

// HasDebugInformation says whether a program carries line numbers.
func HasDebugInformation(path string) bool {
	f, err := elf.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	return f.Section(".debug_line") != nil || f.Section(".zdebug_line") != nil
}
