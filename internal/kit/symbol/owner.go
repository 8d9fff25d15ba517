package symbol

import (
	"path/filepath"
	"strings"
)

// Owners says whose code is: the user's, or that of a library. By default a library is what lies where systems and
// packages are installed. Paths that a user names come first, and of several that fit, the longest.
type Owners struct {
	Own     []string // paths of the user's code, directories or files
	Library []string // paths of libraries
}

// installed are directories with what systems and packages bring. The program's own code may be in others below /usr
// and /opt/NAME; who installs it here names it.
var installed = [...]string{"/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec", "/usr/include", "/usr/local/lib",
	"/usr/local/lib64",
	"/usr/local/include", "/lib", "/lib32", "/lib64", "/opt", "/nix/store", "/gnu/store", "/snap"}

// packaged are parts of a path below which package managers install: of Python, Conda and Spack, and the headers of
// compilers.
var packaged = [...]string{"/site-packages/", "/dist-packages/", "/opt/spack/", "/conda/pkgs/", "/miniconda3/",
	"/anaconda3/", "/miniforge3/", "/mambaforge/",
	"/include/c++/", "/lib/gcc/", "/lib/python3."}

// internal says whether code of Python is the interpreter's or a package's, of which there is no file.
func internal(path string) bool {
	return strings.HasPrefix(path, "<frozen ") || strings.HasPrefix(path, "<") && strings.HasSuffix(path, " internals>")
}

// LibraryOf names the library that the code of a file belongs to; it is empty for the user's own code, and for a file
// that is not known.
func (o *Owners) LibraryOf(path string) string {
	if !o.library(path) {
		return ""
	}
	return nameOf(path)
}

func (o *Owners) library(path string) bool {
	if path == "" {
		return false
	}
	best, is := -1, false
	for _, list := range []struct {
		paths   []string
		library bool
	}{{o.Own, false}, {o.Library, true}} {
		for _, p := range list.paths {
			if p = strings.TrimRight(p, "/"); below(path, p) && len(p) >= best {
				best, is = len(p), list.library
			}
		}
	}
	if best >= 0 {
		return is
	}
	if internal(path) {
		return true
	}
	for _, p := range installed {
		if below(path, p) {
			return true
		}
	}
	for _, p := range packaged {
		if strings.Contains(path, p) {
			return true
		}
	}
	return false
}

// below says whether a file is that of a path, or in a directory of that path.
func below(file, path string) bool {
	rest, ok := strings.CutPrefix(file, path)
	return ok && (rest == "" || rest[0] == '/')
}

// known are libraries by the beginnings of their names, as their users write them.
var known = [...][2]string{{"hdf5", "HDF5"}, {"netcdf", "netCDF"}, {"pnetcdf", "PnetCDF"}, {"petsc", "PETSc"},
	{"slepc", "SLEPc"}, {"hypre", "hypre"},
	{"boost_mpi", "Boost.MPI"}, {"boost", "Boost"}, {"fftw3_mpi", "FFTW"}, {"fftw3", "FFTW"},
	{"scalapack", "ScaLAPACK"}, {"superlu_dist", "SuperLU_DIST"},
	{"trilinos", "Trilinos"}, {"adios2", "ADIOS2"}, {"parmetis", "ParMETIS"}, {"ptscotch", "PT-Scotch"},
	{"mumps", "MUMPS"}, {"stdc++", "the C++ library"},
	{"gomp", "OpenMP"}, {"omp", "OpenMP"}, {"gfortran", "the Fortran library"}}

// CLibrary is what the C library is called.
const CLibrary = "the C library"

// nameOf is the name by which a library is known whose file, source or header, this is.
func nameOf(path string) string {
	for _, mark := range []string{"/site-packages/", "/dist-packages/"} {
		if _, rest, ok := strings.Cut(path, mark); ok {
			name, _, _ := strings.Cut(rest, "/")
			return strings.TrimSuffix(name, ".py")
		}
	}
	if _, rest, ok := strings.Cut(path, "/include/"); ok {
		switch first, _, dir := strings.Cut(rest, "/"); {
		case first == "c++":
			return "the C++ library"
		case dir:
			return title(first)
		}
	}
	if internal(path) {
		return "Python's library"
	}
	base := filepath.Base(path)
	stem, _, shared := strings.Cut(base, ".so")
	if !shared {
		if strings.Contains(path, "/lib/python3") && strings.HasSuffix(base, ".py") {
			return "Python's library"
		}
		return base
	}
	if base == "libc.so.6" {
		return CLibrary
	}
	if name, ok := strings.CutPrefix(stem, "lib"); ok && title(name) != name {
		return title(name)
	}
	return stem
}

// title is the name that a library's users write, if it is known; else it is as it was.
func title(name string) string {
	for _, k := range known {
		if rest, ok := strings.CutPrefix(name, k[0]); ok &&
			(rest == "" || strings.ContainsRune("-_./", rune(rest[0]))) {
			return k[1]
		}
	}
	return name
}
