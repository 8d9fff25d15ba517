package rt

import "testing"

// Static objects, accesses, arithmetic, barriers, locks and the heap do what the language says, on one node and on several.
func TestLanguageCore(t *testing.T) {
	onBoth(t, func(t *testing.T, f flavour) { f.fine(t, "testdata/core.c") })
}
