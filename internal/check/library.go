package check

import (
	"path/filepath"
	"strings"

	"unknot/internal/vocab/finding"
)

// layers are the beginnings of names of libraries that only pass on what the program calls, in another language or with
// other types.
var layers = [...]string{"mpi4py", "Boost.MPI", "boost_mpi", "Rmpi", "mpl", "kamping", "rsmpi", "mpicxx", "mpi",
	"openmpi", "mpich"}

// Library names the library in which a call stands, "" for any other code: code of headers becomes part of whoever
// includes them, and the layers between a program and MPI call what the program calls.
func Library(at finding.Frame) string {
	switch ext := filepath.Ext(at.File); {
	case at.Library == "" || at.Inlined:
		return ""
	case strings.HasPrefix(ext, ".h") || ext == "" && at.File != "" || ext == ".ipp" || ext == ".tcc" ||
		ext == ".pyx" || ext == ".pxi" || ext == ".py":
		return ""
	}
	for _, l := range layers {
		if rest, is := strings.CutPrefix(at.Library, l); is && (rest == "" || !isLetter(rest[0])) {
			return ""
		}
	}
	return at.Library
}

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }
