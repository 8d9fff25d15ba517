package launch

import (
	"debug/elf"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"unknot/internal/observe/ring"
)

// Mismatch is a launcher and the program that it started, whose MPI library does not know the launcher's job: each
// process is rank 0 of 1.
type Mismatch struct {
	Processes        int
	Launcher         string // as the user knows it, with its file; "" if that is not known
	Of               Family // whose launcher it is
	Program, Library string // files
	Loaded           Family // whose library that is
	Hint             string
}

// MismatchOf judges what processes say of themselves, if it is certain. The launcher is the one of the command line
// where that has one. A process that is alone by intent, as one that a rank of a job starts, is one of few: those of a
// mismatch are as many as the job's.
func (j *Job) MismatchOf(a ring.Alone, environ []string) (Mismatch, bool) {
	if a.Processes < 2 || a.Processes < a.Size {
		return Mismatch{}, false
	}
	m := Mismatch{Processes: a.Processes, Launcher: a.LauncherAbove, Program: a.Program,
		Library: a.Library, Of: OpenMPI}
	if a.By == ring.AloneByHydra {
		m.Of = MPICH
	}
	if j.Family == m.Of && j.Launcher != "" {
		m.Launcher = j.Launcher
	} else {
		m.Launcher = asCalled(a.LauncherAbove)
	}
	real, err := filepath.EvalSymlinks(a.Library)
	if err != nil {
		real = a.Library
	}
	for _, path := range []string{a.Library, real} {
		if m.Loaded = libraryFamily(filepath.Base(path)); m.Loaded != unknownFamily {
			break
		}
	}
	if m.Loaded == unknownFamily { // libmpi.so.40.30.4
		m.Loaded = libraryFamily(shortSoname.FindString(filepath.Base(real)))
	}
	if a.Evidence != ring.AloneCounted && (m.Loaded != OpenMPI && m.Loaded != MPICH || m.Loaded == m.Of ||
		speaksPMIx(real)) {
		return Mismatch{}, false
	}
	if a.Evidence == ring.AloneLoaded && !initialises(a.Program) {
		return Mismatch{}, false
	}
	m.Hint = "start it with the launcher that was installed with this library"
	if m.Loaded != m.Of && (m.Loaded == OpenMPI || m.Loaded == MPICH) {
		env := environ
		if env == nil {
			env = os.Environ()
		}
		m.Hint = otherLauncher(m.Loaded, environment(env))
	}
	return m, true
}

// asCalled names the file of a launcher, or of what that starts its processes by, as users call it: mpirun is a link,
// or a program that starts another one.
func asCalled(file string) string {
	switch filepath.Base(file) {
	case "hydra_pmi_proxy":
		return "mpirun (its " + file + ")"
	case "orterun", "prterun", "mpiexec.hydra":
		return "mpirun (" + file + ")"
	}
	return file
}

var shortSoname = regexp.MustCompile(`^lib\w+\.so\.\d+`)

// speaksPMIx says whether an MPI library of MPICH's family was built to be started by launchers of Open MPI too.
func speaksPMIx(library string) bool {
	f, err := elf.Open(library)
	if err != nil {
		return true // nothing is certain
	}
	defer f.Close()
	if standardABI(filepath.Base(library)) {
		return true
	}
	needed, err := f.ImportedLibraries()
	// Open MPI itself is one of PMIx, which Hydra is not
	open := func(name string) bool { return strings.HasPrefix(name, "libopen-") }
	pmix := func(name string) bool { return strings.HasPrefix(name, "libpmix.") }
	return err != nil || slices.ContainsFunc(needed, pmix) && !slices.ContainsFunc(needed, open)
}

// initialises says whether a program calls a function that initialises MPI itself. One that is only linked with the
// library may never do so.
func initialises(program string) bool {
	f, err := elf.Open(program)
	if err != nil {
		return false
	}
	defer f.Close()
	symbols, err := f.ImportedSymbols()
	return err == nil && slices.ContainsFunc(symbols, func(s elf.ImportedSymbol) bool {
		return initialName.MatchString(s.Name)
	})
}

// initialName matches MPI_Init in C and in Fortran.
var initialName = regexp.MustCompile(`(?i)^p?mpi_init(_thread)?(_f08)?_{0,2}$`)
