// Package probe owns the library that is preloaded into each rank: its C sources, the
// generator that joins the table of MPI functions (package mpi) with the user's mpi.h (gen), and the building and keeping of one probe for each MPI library.
package probe

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"

	"unknot/internal/mpi"
	"unknot/internal/plan"
	"unknot/internal/ring"
)

// The run-time in C, and the Go sources and tables that decide what else is compiled: a probe is kept for as long as none
// of them changes.
//
//go:embed csrc/*.c csrc/*.h
var runtimeSources embed.FS

// The library that follows the heap, which is preloaded beside the probe where buffers there are checked.
//
//go:embed heapsrc/heap.c
var heapSource []byte

//go:embed gen sources.go build.go
var generatorSources embed.FS

// fingerprint identifies everything that a probe is made from, other than the user's MPI and compiler.
func fingerprint() string {
	h := sha256.New()
	for _, f := range []embed.FS{runtimeSources, generatorSources, mpi.Sources} {
		fs.WalkDir(f, ".", func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := f.ReadFile(path)
			h.Write([]byte(path + "\x00"))
			h.Write(text)
			return err
		})
	}
	h.Write(heapSource)
	h.Write([]byte(ring.Header()))
	h.Write([]byte(plan.Header()))
	return hex.EncodeToString(h.Sum(nil))[:32]
}
