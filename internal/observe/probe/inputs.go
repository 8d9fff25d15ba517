package probe

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// Input is a file as it was when something that is kept in the cache was made with it.
type Input struct {
	Path  string `json:"path"`
	Size  int64  `json:"size"`
	Nanos int64  `json:"mtime_ns"`
}

// Inputs describes files as they are now.
func Inputs(paths ...string) ([]Input, error) {
	var inputs []Input
	for _, path := range paths {
		in, err := look(path)
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, in)
	}
	return inputs, nil
}

// Unchanged says whether all files are as they were.
func Unchanged(inputs []Input) bool {
	return !slices.ContainsFunc(inputs, func(in Input) bool {
		now, err := look(in.Path)
		return err != nil || now != in
	})
}

func look(path string) (Input, error) {
	fi, err := os.Stat(path)
	if err != nil {
		return Input{}, err
	}
	return Input{path, fi.Size(), fi.ModTime().UnixNano()}, nil
}

// WrapperSettings are the variables of the environment that change what an MPI compiler wrapper makes, with their
// values.
func WrapperSettings() string {
	var s strings.Builder
	for _, name := range []string{"OMPI_CC", "OMPI_CFLAGS", "OMPI_CPPFLAGS", "MPICH_CC", "CPATH", "C_INCLUDE_PATH"} {
		fmt.Fprintf(&s, "%s=%s\x00", name, os.Getenv(name))
	}
	return s.String()
}
