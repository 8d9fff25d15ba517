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

// Both are the MPI libraries.
func Both() []string { return []string{"openmpi", "mpich"} }

// Libraries are the MPI libraries that a program of a test runs with: nightly both, else one of them, by turns. Where the
// libraries differ in what the test looks at, it names them itself.
func Libraries(turn int) []string {
	both := Both()
	if Nightly() {
		return both
	}
	return both[turn%2 : turn%2+1]
}

// LibrariesOfMany are the same for a test that runs many jobs: nightly both, else Open MPI, whose jobs cost more, each fourth turn.
func LibrariesOfMany(turn int) []string {
	switch {
	case Nightly():
		return Libraries(turn)
	case turn%4 == 0:
		return []string{"openmpi"}
	}
	return []string{"mpich"}
}
