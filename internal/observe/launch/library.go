package launch

import (
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Library is the MPI library that a program is linked with.
type Library struct {
	Family Family
	Soname string // as in the program: "libmpi.so.40"
	Path   string // the file that the dynamic linker would take; "" if it finds none
}

// libraryFamily tells a library by its soname: libmpi.so.40 (20, 80) is Open MPI's; libmpi.so.12 is the common ABI of
// MPICH, Intel MPI and MVAPICH, and libmpich.so.12 Debian's name for it; libmpi_abi.so.1 is any library's with the
// standard ABI.
func libraryFamily(soname string) Family {
	switch {
	case standardABI(soname):
		return Standard
	case mpichSoname.MatchString(soname):
		return MPICH
	case openMPISoname.MatchString(soname):
		return OpenMPI
	}
	return unknownFamily
}

// FamilyOf tells an MPI library by its file, whose name may have more numbers than its soname; false for any other library.
func FamilyOf(file string) (Family, bool) {
	f := libraryFamily(soname.FindString(filepath.Base(file)))
	return f, f != unknownFamily
}

// soname is a library's name with the first of its numbers.
var soname = regexp.MustCompile(`^lib.*?\.so\.\d+`)

// standardABI says whether a file's name is that of a library with the ABI of the MPI standard (MPI-5.0, chapter 20),
// which is nobody's own. MPICH may have its profiling names in a second one.
func standardABI(name string) bool {
	return strings.HasPrefix(name, "libmpi_abi.so") || strings.HasPrefix(name, "libpmpi_abi.so")
}

var (
	mpichSoname   = regexp.MustCompile(`^(libmpi\.so\.12|libmpich\.so\.\d+|libmpi_[a-z]+_?\d*\.so\.12)$`)
	openMPISoname = regexp.MustCompile(`^libmpi\.so\.(20|40|80)$`)
)

// found is what is known about a program's MPI.
type found struct {
	library Library
	shmem   string // the file of the OpenSHMEM library that it needs too, "" if it needs none
	warning string
}

// programLibrary finds the MPI library that a program needs. It is an error if no probe can be loaded into it.
func programLibrary(p *Program, env environment) (found, error) {
	if py := p.python(); py != "" {
		return pythonLibrary(p, py, env), nil
	}
	if p.Interpreter != "" {
		return found{}, nil
	}
	l, shmem, err := linkedLibraries(p.Path, env)
	var format *elf.FormatError
	switch {
	case errors.As(err, &format), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return found{}, fmt.Errorf("%s: neither a program for this machine nor a script with a #! line (%v); hint: "+
			"build it, or name its interpreter", p.Path, err)
	case err != nil:
		return found{}, err
	case l.Family == unknownFamily && !p.runs():
		return found{library: l,
			warning: fmt.Sprintf("%s is not linked with an MPI library; it is not watched unless it loads one",
				p.Path)}, nil
	case l.Family != unknownFamily && l.Path == "":
		return found{library: l,
			warning: fmt.Sprintf("%s needs %s, which the dynamic linker does not find; hint: set LD_LIBRARY_PATH",
				p.Path, l.Soname)}, nil
	}
	f := found{library: l, shmem: shmem}
	if shmem != "" && callsFortran(p.Path) {
		f.warning = fmt.Sprintf("%s calls OpenSHMEM by the functions of shmem.fh, which are not watched; hint: "+
			"declare those of shmem.h with bind(C)", p.Path)
	}
	return f, nil
}

// fortranName matches what Fortran compilers make of the names in shmem.fh.
var fortranName = regexp.MustCompile(`^(shmem_[a-z0-9_]*[a-z0-9]|start_pes|my_pe|num_pes)__?$|^SHMEM_[A-Z0-9_]+$`)

// callsFortran says whether a program needs functions of OpenSHMEM that are for Fortran.
func callsFortran(program string) bool {
	f, err := elf.Open(program)
	if err != nil {
		return false
	}
	defer f.Close()
	symbols, err := f.ImportedSymbols()
	return err == nil && slices.ContainsFunc(symbols, func(s elf.ImportedSymbol) bool {
		return fortranName.MatchString(s.Name)
	})
}

// pythonLibrary asks the interpreter where mpi4py's extension module is, and looks what that is linked with. It does
// not import the module, which would initialise MPI.
func pythonLibrary(p *Program, python string, env environment) found {
	const script = `import importlib.util as u
s = u.find_spec("mpi4py")
s = s and u.find_spec("mpi4py.MPI")
print(s.origin if s else "")`
	cmd := exec.Command(python, "-c", script)
	cmd.Env = env
	out, err := cmd.Output()
	module := strings.TrimSpace(string(out))
	if err != nil || module == "" {
		return found{
			warning: fmt.Sprintf("%s has no mpi4py; it is not watched unless it loads an MPI library by other means",
				python)}
	}
	l, _, err := linkedLibraries(module, env)
	if err != nil {
		return found{warning: fmt.Sprintf("mpi4py at %s: %v", module, err)}
	}
	f := found{library: l}
	if l.Family == unknownFamily {
		f.warning = fmt.Sprintf("mpi4py at %s is not linked with an MPI library but loads one, and is watched only "+
			"if that is the launcher's; hint: with another one, name its compiler with --mpicc", module)
	}
	return f
}

// shmemSoname matches the library of OpenSHMEM of Open MPI.
var shmemSoname = regexp.MustCompile(`^liboshmem\.so\.\d+$`)

// linkedLibraries walks the shared libraries that an ELF file needs, nearest first, until it meets MPI. It notes the
// file of OpenSHMEM on the way.
func linkedLibraries(path string, env environment) (mpi Library, shmem string, err error) {
	type object struct {
		path  string
		rpath []string // inherited from the objects that needed it
	}
	s := newSearch(env)
	queue := []object{{path: path}}
	seen := map[string]bool{}
	for first := true; len(queue) > 0; first = false {
		o := queue[0]
		queue = queue[1:]
		f, err := elf.Open(o.path)
		if err != nil {
			if first {
				return Library{}, "", err
			}
			continue
		}
		needed, rpath, runpath := dependencies(f, o.path)
		class, machine, static := f.Class, f.Machine, isStatic(f)
		f.Close()
		if first && static {
			return Library{}, "",
				fmt.Errorf("%s is a static binary, so no library can be preloaded into it; hint: link it dynamically "+
					"(without -static)", path)
		}
		inherited := append(rpath[:len(rpath):len(rpath)], o.rpath...)
		if len(runpath) > 0 { // ld.so(8): a RUNPATH makes it ignore the RPATHs
			inherited = nil
		}
		for _, name := range needed {
			if seen[name] {
				continue
			}
			seen[name] = true
			file := s.find(name, inherited, runpath, class, machine)
			if shmemSoname.MatchString(name) {
				shmem = file
			}
			if family := libraryFamily(name); family != unknownFamily {
				return Library{family, name, file}, shmem, nil
			}
			if file != "" {
				queue = append(queue, object{file, inherited})
			}
		}
	}
	return Library{}, shmem, nil
}

// isStatic says that no dynamic linker will run for a program. A static PIE has a dynamic section but no interpreter.
func isStatic(f *elf.File) bool {
	if f.Type != elf.ET_EXEC && f.Type != elf.ET_DYN {
		return false
	}
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			return false
		}
	}
	// A shared library (a Python module) has no interpreter either, but a name or needs of its own.
	libs, err := f.ImportedLibraries()
	return err != nil || len(libs) == 0
}

func dependencies(f *elf.File, path string) (needed, rpath, runpath []string) {
	needed, _ = f.ImportedLibraries()
	paths := func(tag elf.DynTag) []string {
		values, _ := f.DynString(tag)
		var out []string
		for _, v := range values {
			for _, dir := range strings.Split(v, ":") {
				if dir != "" {
					out = append(out, expandOrigin(dir, path))
				}
			}
		}
		return out
	}
	return needed, paths(elf.DT_RPATH), paths(elf.DT_RUNPATH)
}

func expandOrigin(dir, path string) string {
	if !strings.Contains(dir, "$") {
		return dir
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		real = path
	}
	origin := filepath.Dir(real)
	return strings.NewReplacer("$ORIGIN", origin, "${ORIGIN}", origin, "$LIB", "lib", "${LIB}", "lib").Replace(dir)
}
