// Package probe owns the library that is preloaded into each rank: its C sources, the generator that joins the table of
// MPI functions (package mpi) with the user's mpi.h (gen), and the building and keeping of one probe for each MPI
// library.
package probe

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"strings"

	"unknot/internal/observe/rendezvous"
	"unknot/internal/observe/ring"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/plan"
)

// The run-time in C, a directory for each layer, and the Go sources and tables that decide what else is compiled: a
// probe is kept for as long as none of them changes.
//
//go:embed csrc
var runtimeSources embed.FS

// The library that follows the heap, which is preloaded beside the probe where buffers there are checked.
//
//go:embed heapsrc/heap.c
var heapSource []byte

//go:embed gen sources.go build.go compile.go merge.go library.go
var generatorSources embed.FS

// runtimeFiles are these sources by their paths below csrc, by which they include each other.
func runtimeFiles() (map[string][]byte, error) {
	files := map[string][]byte{}
	err := fs.WalkDir(runtimeSources, "csrc", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files[strings.TrimPrefix(path, "csrc/")], err = runtimeSources.ReadFile(path)
		return err
	})
	return files, err
}

// layoutHeaders are the headers that are made from Go types, each in the layer that may include it first.
func layoutHeaders() map[string][]byte {
	return map[string][]byte{"writer/ring.h": []byte(ring.Header()), "objects/plan.h": []byte(plan.Header()),
		"process/meet.h": rendezvous.Header()}
}

// fingerprint identifies everything that a probe is made from, other than the user's MPI and compiler.
func fingerprint() string {
	h := sha256.New()
	for _, f := range []embed.FS{runtimeSources, generatorSources, mpi.Sources} {
		fs.WalkDir(f, ".", func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.HasSuffix(path, "_test.go") {
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
	h.Write(rendezvous.Header())
	return hex.EncodeToString(h.Sum(nil))[:32]
}

// Exposed are the files that note a program's own accesses to memory that others access too, by the paths by which they
// include each other. The probe for OpenSHMEM has them as well.
func Exposed() map[string][]byte {
	files := map[string][]byte{}
	for _, name := range []string{"access.h", "shadow.h", "exposed.h", "exposed.c"} {
		text, err := runtimeSources.ReadFile("csrc/objects/" + name)
		if err != nil {
			panic(err) // it is embedded
		}
		files["objects/"+name] = text
	}
	return files
}

// Outside are the files by which a process knows that it may have heard of others by other ways than those of its
// library, as Exposed are.
func Outside() map[string][]byte {
	files := map[string][]byte{}
	for _, name := range []string{"outside/outside.h", "outside/outside.c"} {
		text, err := runtimeSources.ReadFile("csrc/" + name)
		if err != nil {
			panic(err) // it is embedded
		}
		files[name] = text
	}
	return files
}

// AccessHeader is the header that the probe shares with the runtime of programs whose own accesses are seen (package
// access).
func AccessHeader() []byte {
	text, err := runtimeSources.ReadFile("csrc/objects/access.h")
	if err != nil {
		panic(err) // it is embedded
	}
	return text
}
