package testkit

import (
	"os"
	"testing"
)

// NeedsMPI skips a test that compiles for an MPI library or runs its jobs in `make quick`, which does neither and sets
// UNKNOT_QUICK=1.
func NeedsMPI(t testing.TB) {
	t.Helper()
	if quick() {
		t.Skip("needs MPI: make test runs it")
	}
}

// TakesLong skips a test that alone would make `make quick` slow.
func TakesLong(t testing.TB) {
	t.Helper()
	if quick() {
		t.Skip("takes long: make test runs it")
	}
}

func quick() bool { return os.Getenv("UNKNOT_QUICK") == "1" }
