package probe

import (
	"context"
	"maps"
	"strings"

	"unknot/internal/observe/probe/gen"
)

// Library is another library than the probe that is made for an MPI library, from the same mpi.h. It is compiled, kept
// and found as probes are.
type Library struct {
	Name string // what its files and sentences call it
	// Print identifies what it is made from, other than what probe has, the user's MPI and the compiler.
	Print string
	// Sources makes it for an mpi.h, as files by name. Each file .c is compiled alone; one that begins with a pragma
	// that says a level of optimization, at that. The functions of MPI that it defines have their profiling names too.
	Sources func(Header) (map[string][]byte, error)
	// Cost is about how many times as long as reading mpi.h its compilation takes.
	Cost int
}

// Header is the mpi.h of an MPI library.
type Header struct {
	Path    string
	Text    []byte // preprocessed
	Fortran gen.FortranLayer
}

// Build returns the library for the MPI library of a compiler wrapper: a prebuilt one, else one from the cache, else it
// compiles one and keeps it.
func (l *Library) Build(ctx context.Context, o Options) (*Probe, error) {
	o.Library = "" // none is part of unknot
	return build(ctx, o, l.kind())
}

// Prebuild compiles the library into a directory, as the function of that name does the probe.
func (l *Library) Prebuild(ctx context.Context, mpicc, dir string) (*Probe, error) {
	return prebuild(ctx, mpicc, dir, l.kind())
}

func (l *Library) kind() *kind {
	return &kind{name: l.Name, print: fingerprint() + l.Print, sources: l.all, units: alone, cost: l.Cost}
}

// Files are all files that the library is compiled from, by name, for the MPI library of a compiler wrapper. The
// wrapper runs in a directory that the caller removes.
func (l *Library) Files(ctx context.Context, mpicc, dir string) (map[string][]byte, error) {
	h, err := examine(ctx, mpicc, dir)
	if err != nil {
		return nil, err
	}
	return l.all(h)
}

func (l *Library) all(h *mpiHeader) (map[string][]byte, error) {
	files, err := l.Sources(Header{h.path, h.text, h.fortran()})
	if err != nil {
		return nil, err
	}
	common, err := asking(h)
	if err != nil {
		return nil, err
	}
	files[aliases] = profilingNames(files, false)
	maps.Copy(files, common)
	return files, nil
}

// alone makes a unit of each file.
func alone(files map[string][]byte) (map[string]*unit, error) {
	all := map[string]*unit{}
	for name, text := range files {
		if strings.HasSuffix(name, ".c") {
			all[name] = newUnit(pragmaOf(text), optimized.ReplaceAll(text, nil))
		}
	}
	return all, nil
}

// asking are the files by which a library asks the process's MPI library: what objects/objects.h declares of
// objects/library.c.
func asking(h *mpiHeader) (map[string][]byte, error) {
	all, err := runtimeFiles()
	if err != nil {
		return nil, err
	}
	files := layoutHeaders()
	for _, name := range []string{"objects/library.c", "objects/objects.h", "writer/writer.h"} {
		files[name] = all[name]
	}
	maps.Copy(files, sonameFile(h))
	return files, nil
}
