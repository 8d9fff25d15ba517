package record

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"strings"

	"unknot/internal/observe/probe"
	"unknot/internal/observe/probe/gen"
	"unknot/internal/vocab/mpi"
)

//go:embed csrc
var runtimeSources embed.FS

//go:embed build.go layout.go wrappers.go
var generatorSources embed.FS

// Build returns the recorder for the MPI library of a compiler wrapper: a prebuilt one, else one from the cache, else it
// compiles one and keeps it.
func Build(ctx context.Context, o probe.Options) (*probe.Probe, error) {
	return library().Build(ctx, o)
}

// Prebuild compiles a recorder into a directory, from where UNKNOT_PROBE_DIR offers it to machines without a compiler.
func Prebuild(ctx context.Context, mpicc, dir string) (*probe.Probe, error) {
	return library().Prebuild(ctx, mpicc, dir)
}

func library() *probe.Library {
	return &probe.Library{Name: "recorder", Print: fingerprint(), Sources: sources, Cost: 24}
}

func sources(h probe.Header) (map[string][]byte, error) {
	files, err := runtimeFiles()
	if err != nil {
		return nil, err
	}
	t, err := mpi.Load()
	if err != nil {
		return nil, err
	}
	all, protos, err := gen.Read(t, h.Text)
	if err != nil {
		return nil, err
	}
	files["process/state.h"] = append(header(), numbers(t)...)
	hot, cold := wrappers(all)
	files["process/wrappers_hot.c"], files["process/wrappers_cold.c"] = hot, cold
	files["process/fortran.c"] = gen.Trampolines(protos, gen.CallsC)
	return files, nil
}

// runtimeFiles are the sources in C by their paths below csrc.
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

// fingerprint identifies everything that is the recorder's own. What it shares with the probe, package probe knows.
func fingerprint() string {
	h := sha256.New()
	for _, f := range []embed.FS{runtimeSources, generatorSources} {
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
	return hex.EncodeToString(h.Sum(nil))
}
