// Package testkit is what the tests of several rooms share.
package testkit

import (
	"flag"
	"os"
)

// Nightly says whether the long forms of tests run: `make nightly` sets UNKNOT_NIGHTLY=1.
func Nightly() bool { return os.Getenv("UNKNOT_NIGHTLY") == "1" }

// Chosen says whether `go test -run` asks for some tests.
func Chosen() bool {
	f := flag.Lookup("test.run")
	return f != nil && f.Value.String() != ""
}

// libraryVariable names the one MPI library that tests are to run with.
const libraryVariable = "UNKNOT_LIBRARY"

// Both are the MPI libraries: openmpi and mpich, or the one of them that UNKNOT_LIBRARY names.
func Both() []string {
	if only := os.Getenv(libraryVariable); only != "" {
		return []string{only}
	}
	return []string{"openmpi", "mpich"}
}

// Library is the MPI library for a job that runs with one: the usual one, unless UNKNOT_LIBRARY names another.
func Library(usual string) string {
	if both := Both(); len(both) == 1 {
		return both[0]
	}
	return usual
}

// Libraries are the MPI libraries that a program of a test runs with: nightly both, else one of them, by turns. Where
// the libraries differ in what the test looks at, it names them itself.
func Libraries(turn int) []string {
	both := Both()
	if Nightly() || len(both) == 1 {
		return both
	}
	return both[turn%2 : turn%2+1]
}

// LibrariesOfMany are the same for a test that runs many jobs: nightly both, else Open MPI, whose jobs cost more, each
// fourth turn.
func LibrariesOfMany(turn int) []string {
	switch {
	case Nightly():
		return Libraries(turn)
	case turn%4 == 0:
		return []string{Library("openmpi")}
	}
	return []string{Library("mpich")}
}
