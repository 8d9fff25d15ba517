package testkit

import (
	"os"
	"testing"
)

// NeedsMPI skips a test that compiles for an MPI library or runs its jobs in `make quick`, which does neither and sets UNKNOT_QUICK=1.
func NeedsMPI(t testing.TB) {
	t.Helper()
	if os.Getenv("UNKNOT_QUICK") == "1" {
		t.Skip("needs MPI: make test runs it")
	}
}
