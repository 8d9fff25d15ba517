package launch

import (
	"path/filepath"
	"strings"
)

// findMPICC returns the compiler wrapper of a library: the one of the library's installation, else the one beside the
// launcher, else one in PATH; "" if there is none of its family.
func findMPICC(l Library, launcher string, env environment) string {
	names := []string{"mpicc"}
	switch l.Family {
	case OpenMPI:
		names = []string{"mpicc.openmpi", "mpicc"}
	case MPICH:
		names = []string{"mpicc.mpich", "mpicc", "mpiicx", "mpiicc"}
	case Standard:
		names = []string{"mpicc_abi", "mpicc_abi.openmpi", "mpicc_abi.mpich"}
	case unknownFamily, Slurm:
		path, err := env.lookPath("mpicc", "")
		if err != nil {
			return ""
		}
		return path
	}
	for _, dir := range wrapperDirs(l.Path, launcher) {
		for _, name := range names {
			if path, err := executable(filepath.Join(dir, name)); err == nil && wrapperFamily(path) == l.Family {
				return path
			}
		}
	}
	for _, name := range names {
		if path, err := env.lookPath(name, ""); err == nil && wrapperFamily(path) == l.Family {
			return path
		}
	}
	return ""
}

// findOSHCC returns the compiler wrapper of an OpenSHMEM library: the one of the library's installation or beside the
// launcher, else the one in PATH; "" if there is none.
func findOSHCC(library, launcher string, env environment) string {
	for _, dir := range wrapperDirs(library, launcher) {
		if path, err := executable(filepath.Join(dir, "oshcc")); err == nil {
			return path
		}
	}
	path, err := env.lookPath("oshcc", "")
	if err != nil {
		return ""
	}
	return path
}

// wrapperDirs are the directories bin of the prefixes above the library, and the launcher's.
func wrapperDirs(library, launcher string) []string {
	var dirs []string
	if library != "" {
		if real, err := filepath.EvalSymlinks(library); err == nil {
			library = real
		}
		for dir := filepath.Dir(library); dir != "/" && dir != "."; dir = filepath.Dir(dir) {
			dirs = append(dirs, filepath.Join(dir, "bin"))
		}
	}
	if launcher != "" {
		dirs = append(dirs, filepath.Dir(launcher))
		if real, err := filepath.EvalSymlinks(launcher); err == nil {
			dirs = append(dirs, filepath.Dir(real))
		}
	}
	return dirs
}

// wrapperFamily tells a compiler wrapper by its name or that of what it links to, and asks it only if they do not tell.
func wrapperFamily(path string) Family {
	for _, name := range linkChain(path) {
		base := filepath.Base(name)
		switch {
		case strings.Contains(base, "cc_abi"):
			return Standard
		case strings.Contains(base, "openmpi"), base == "opal_wrapper":
			return OpenMPI
		case strings.Contains(base, "mpich"), strings.HasPrefix(base, "mpiic"):
			return MPICH
		}
	}
	if strings.Contains(ask(path, "--showme:version"), "Open MPI") {
		return OpenMPI
	}
	if strings.Contains(ask(path, "-show"), "-lmpi") {
		return MPICH
	}
	return unknownFamily
}
