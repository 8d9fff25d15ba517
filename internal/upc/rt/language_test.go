//go:build !quick

package rt_test

import "testing"

// Static objects, accesses, arithmetic, barriers, locks and the heap do what the language says, on one node and on
// several.
func TestLanguageCore(t *testing.T) {
	fine(t, 0, "testdata/core.c")
}
