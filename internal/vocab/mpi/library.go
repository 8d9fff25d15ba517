package host

import (
	"regexp"
	"strings"
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
