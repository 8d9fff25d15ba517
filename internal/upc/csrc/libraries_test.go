package csrc

import (
	"path/filepath"
	"testing"
)

// Collective functions do what plain loops do, for all types, operators, layouts and flags.
func TestCollectives(t *testing.T) {
	onBoth(t, func(t *testing.T, f flavour) { f.fine(t, "testdata/collect.c") })
}

// Ticks, castability, non-blocking transfers, atomic operations and sorting.
func TestSmallLibraries(t *testing.T) {
	onBoth(t, func(t *testing.T, f flavour) { f.fine(t, "testdata/small.c") })
}

// UPC-IO: local and shared buffers, lists, file pointers of both kinds, asynchronous operations, modes and errors.
func TestFiles(t *testing.T) {
	onBoth(t, func(t *testing.T, f flavour) { f.fine(t, "testdata/io.c", filepath.Join(t.TempDir(), "data")) })
}
