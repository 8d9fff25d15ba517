package agent

import (
	"regexp"
	"strings"

	"unknot/internal/datatype"
)

// library shortens what MPI_Get_library_version says to the library's name and version.
func library(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	open := regexp.MustCompile(`^(Open MPI) v?([0-9][0-9.a-z]*)`)
	mpich := regexp.MustCompile(`^MPICH Version:\s*([0-9][0-9.a-z]*)`)
	switch {
	case open.MatchString(line):
		m := open.FindStringSubmatch(line)
		return m[1] + " " + m[2]
	case mpich.MatchString(line):
		return "MPICH " + mpich.FindStringSubmatch(line)[1]
	}
	return line
}

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
