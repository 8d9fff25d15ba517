package gen

import (
	"bytes"
	"maps"

	"unknot/internal/mpi"
)

// Files writes all C files of a probe that depend on the MPI library, by name, from its preprocessed mpi.h.
func Files(preprocessed []byte) (map[string][]byte, error) {
	t, err := mpi.Load()
	if err != nil {
		return nil, err
	}
	protos, err := Protos(preprocessed)
	if err != nil {
		return nil, err
	}
	files, _, err := Wrappers(t, protos)
	if err != nil {
		return nil, err
	}
	files["constants.c"] = Constants(t, preprocessed)
	if bytes.Contains(preprocessed, []byte("ompi_mpi_comm_world")) {
		maps.Copy(files, Fortran(t, protos))
	} else {
		files["fortran.c"] = Trampolines(protos)
	}
	return files, nil
}
