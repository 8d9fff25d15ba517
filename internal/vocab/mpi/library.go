package mpi

import (
	"regexp"
	"strings"
)

// LibraryName shortens what MPI_Get_library_version says to the library's name and version.
func LibraryName(text string) string {
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

// Device is what an MPI library says of how it moves messages ("ch4:ucx"); "" if it says nothing.
func Device(text string) string {
	if m := regexp.MustCompile(`(?m)^MPICH Device:\s*(\S+)`).FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}
