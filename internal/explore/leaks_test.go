//go:build !quick

package explore

import (
	"testing"

	"go.uber.org/goleak"
)

// TestMain holds the tests to leave no goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
