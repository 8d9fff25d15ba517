package calls

import (
	"strings"

	"unknot/internal/vocab/datatype"
)

// rulesOf are the rules by which a library, as library names it, lays out datatypes.
func rulesOf(library string) datatype.Rules {
	switch {
	case strings.HasPrefix(library, "Open MPI"):
		return datatype.OpenMPI
	case strings.HasPrefix(library, "MPICH"):
		return datatype.MPICH
	}
	return datatype.Standard
}
