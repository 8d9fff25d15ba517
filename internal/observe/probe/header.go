package probe

import (
	"bytes"
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"unknot/internal/observe/probe/gen"
)

// mpiHeader is what a compiler wrapper tells about its MPI library.
type mpiHeader struct {
	path     string // of mpi.h
	text     []byte // preprocessed
	mpi      string // name and version
	soname   string // of the library
	compiler string // its version line
}

// minimal is a program with all that the library declares; Open MPI has its extensions in a separate header.
const minimal = `#include <mpi.h>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
int main(void) { return MPI_Init(0, 0); }
`

// examine asks the wrapper for its mpi.h, as text and as macros, for the library that it links, and for its version.
func examine(ctx context.Context, mpicc, dir string) (*mpiHeader, error) {
	const probe = "probe_mpi.h.c"
	if err := os.WriteFile(filepath.Join(dir, probe), []byte(minimal), 0o644); err != nil {
		return nil, err
	}
	defer os.Remove(filepath.Join(dir, probe))
	var h mpiHeader
	var macros, version []byte
	linked := filepath.Join(dir, "linked")
	defer os.Remove(linked)
	var wg sync.WaitGroup
	errs := make([]error, 4)
	wg.Go(func() { h.text, errs[0] = run(ctx, dir, mpicc, "-E", probe) })
	wg.Go(func() { macros, errs[1] = run(ctx, dir, mpicc, "-E", "-dM", probe) })
	wg.Go(func() { version, errs[2] = run(ctx, dir, mpicc, "--version") })
	wg.Go(func() { _, errs[3] = run(ctx, dir, mpicc, "-Wl,--as-needed", probe, "-o", linked) })
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	h.compiler, _, _ = strings.Cut(string(version), "\n")
	m := headerLine.FindSubmatch(h.text)
	if m == nil {
		return nil, fmt.Errorf("%s: preprocessing it names no mpi.h", mpicc)
	}
	h.path = string(m[1])
	h.mpi = libraryName(macros)
	var err error
	if h.soname, err = linkedMPI(linked); err != nil {
		return nil, err
	}
	return &h, nil
}

var headerLine = regexp.MustCompile(`(?m)^# \d+ "([^"]*/mpi\.h)"`)

// unplaced is the text without the places of the files that it is from: of one mpi.h it is the same wherever that is.
func (h *mpiHeader) unplaced() []byte { return lineMarker.ReplaceAll(h.text, nil) }

var lineMarker = regexp.MustCompile(`(?m)^# \d+ ".*\n`)

// fortran says what the library's Fortran layer calls.
func (h *mpiHeader) fortran() gen.FortranLayer {
	version, open := strings.CutPrefix(h.mpi, openMPI+" ")
	major, _, _ := strings.Cut(version, ".")
	switch n, _ := strconv.Atoi(major); {
	case !open:
		return gen.CallsC
	case n < 6:
		return gen.CallsOwn
	}
	return gen.CallsBoth
}

// linkedMPI is the shared library that gives a minimal MPI program its MPI_Init.
func linkedMPI(program string) (string, error) {
	f, err := elf.Open(program)
	if err != nil {
		return "", err
	}
	defer f.Close()
	libs, err := f.ImportedLibraries()
	if err != nil {
		return "", err
	}
	for _, lib := range libs {
		if strings.HasPrefix(lib, "libmpi") {
			return lib, nil
		}
	}
	return "", errors.New("the compiler wrapper links MPI statically; hint: unknot needs the shared MPI library")
}

// checkLinks makes sure that the probe does not pull the MPI library into every process that it is preloaded into.
func checkLinks(library string) error {
	f, err := elf.Open(library)
	if err != nil {
		return err
	}
	defer f.Close()
	libs, err := f.ImportedLibraries()
	if err != nil {
		return err
	}
	for _, lib := range libs {
		if strings.HasPrefix(lib, "libmpi") || strings.HasPrefix(lib, "libopen-") {
			return fmt.Errorf("the probe must not be linked with %s, but is", lib)
		}
	}
	return nil
}

// libraryName makes "Open MPI 4.1.4" of the version macros of mpi.h.
func libraryName(macros []byte) string {
	get := func(name string) string {
		for line := range bytes.Lines(macros) {
			if rest, ok := bytes.CutPrefix(line, []byte("#define "+name+" ")); ok {
				return strings.Trim(strings.TrimSpace(string(rest)), `"`)
			}
		}
		return ""
	}
	switch {
	case get("OMPI_MAJOR_VERSION") != "":
		return fmt.Sprintf("Open MPI %s.%s.%s", get("OMPI_MAJOR_VERSION"), get("OMPI_MINOR_VERSION"),
			get("OMPI_RELEASE_VERSION"))
	case get("I_MPI_VERSION") != "":
		return "Intel MPI " + get("I_MPI_VERSION")
	case get("MVAPICH2_VERSION") != "":
		return "MVAPICH " + get("MVAPICH2_VERSION")
	case get("MPICH_VERSION") != "":
		return "MPICH " + get("MPICH_VERSION")
	}
	name := fmt.Sprintf("MPI %s.%s", get("MPI_VERSION"), get("MPI_SUBVERSION"))
	if abi := get("MPI_ABI_VERSION"); abi != "" && abi != "-1" {
		return name + " by the standard ABI"
	}
	return name
}
