package rt

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

// The run-time is free of what the sanitizers of gcc find, on one node and on several.
func TestSanitizers(t *testing.T) {
	f := flavours[1]
	sanitizers := []string{"-fsanitize=address,undefined", "-fno-sanitize-recover=all"}
	runtime := f.runtime(t, sanitizers...)
	data := filepath.Join(t.TempDir(), "data")
	for _, source := range []string{"core", "collect", "small", "io"} {
		program := f.link(t, "testdata/"+source+".c", runtime, sanitizers...)
		for _, j := range []job{{threads: 3}, {threads: 2, together: 1}} {
			j.args, j.env = []string{data}, []string{"ASAN_OPTIONS=detect_leaks=0"} // MPI's own
			if r := f.run(t, j, program); r.status != 0 {
				t.Errorf("%s, %d a node: exit status %d, output:\n%s", source, j.together, r.status, r.out)
			}
		}
	}
}
