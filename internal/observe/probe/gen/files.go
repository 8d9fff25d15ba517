package gen

import (
	"maps"

	"unknot/internal/vocab/mpi"
)

// FortranLayer says which functions the Fortran layer of an MPI library calls in the end.
type FortranLayer int

// The layers of MPICH, of Open MPI before 6.0, and of Open MPI since then.
const (
	CallsC   FortranLayer = iota // those of C
	CallsOwn                     // the library's own
	// those of C where mpi_f08 passes a buffer by a descriptor (TS 29113), the library's own elsewhere
	CallsBoth
)

// Files writes all C files of a probe that depend on the MPI library, by name, from its preprocessed mpi.h.
func Files(preprocessed []byte, layer FortranLayer) (map[string][]byte, error) {
	t, err := mpi.Load()
	if err != nil {
		return nil, err
	}
	protos, err := wrappedProtos(preprocessed)
	if err != nil {
		return nil, err
	}
	files, _, err := Wrappers(t, protos)
	if err != nil {
		return nil, err
	}
	files["constants.c"] = Constants(t, preprocessed)
	if layer != CallsC {
		maps.Copy(files, Fortran(t, protos, layer))
	}
	if layer != CallsOwn {
		files["fortran.c"] = Trampolines(protos, layer)
	}
	return files, nil
}

// wrappedProtos are all functions that wrappers are written for, as far as they return an error code.
func wrappedProtos(preprocessed []byte) ([]Proto, error) {
	protos, err := Protos(preprocessed)
	return withUndeclared(protos), err
}

// Read gives the functions of a preprocessed mpi.h that get wrappers, and the prototypes that they are made from.
func Read(t *mpi.T, preprocessed []byte) ([]Function, []Proto, error) {
	protos, err := wrappedProtos(preprocessed)
	if err != nil {
		return nil, nil, err
	}
	all, err := Functions(t, protos)
	return all, protos, err
}
