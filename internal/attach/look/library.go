package look

import (
	"unknot/internal/attach/handle"
	"unknot/internal/kit/symbol"
	"unknot/internal/observe/launch"
)

// libraryOf is the MPI library of a process, by the files that it has in its memory, and its file: that of a program
// that is linked with it statically is not known.
func libraryOf(m *symbol.Maps) (*handle.Library, string) {
	for _, file := range m.Modules() {
		switch family, _ := launch.FamilyOf(file); family {
		case launch.OpenMPI:
			return handle.OpenMPI(), file
		case launch.MPICH:
			return handle.MPICH(), file
		case launch.Standard:
			return nil, file
		}
	}
	return nil, ""
}
