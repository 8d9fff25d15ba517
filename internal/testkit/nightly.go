// Package testkit is what the tests of several rooms share.
package testkit

import "os"

// Nightly says whether the long forms of tests run: `make nightly` sets UNKNOT_NIGHTLY=1.
func Nightly() bool { return os.Getenv("UNKNOT_NIGHTLY") == "1" }

// Libraries are the MPI libraries that a program of a test runs with: nightly both, else one of them, by turns. Where the
// libraries differ in what the test looks at, it names them itself.
func Libraries(turn int) []string {
	both := []string{"openmpi", "mpich"}
	if Nightly() {
		return both
	}
	return both[turn%2 : turn%2+1]
}
