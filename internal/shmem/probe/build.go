// Package probe makes the library that is preloaded into programs with OpenSHMEM: it reads the functions of the user's
// shmem.h, writes a wrapper for each, and compiles them with the C sources here by the library's own compiler wrapper.
// What it records is in package layout; it judges arguments, as only the process knows its memory, and nothing else.
package probe

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"unknot/internal/kit/owned"
	"unknot/internal/kit/scratch"
	"unknot/internal/observe/probe"
	"unknot/internal/observe/rendezvous"
	"unknot/internal/shmem/layout"
)

// The sources in C, and those in Go that decide what else is compiled.
//
//go:embed csrc
var csrc embed.FS

//go:embed api.go wrappers.go collectives.go build.go
var generator embed.FS

// Options says where a probe comes from.
type Options struct {
	Compiler string // the compiler wrapper of the OpenSHMEM library, a path
	// FallbackDir takes the probe if the cache cannot be written: a directory that the caller removes.
	FallbackDir string
	// Say gets a sentence if the user has to wait for the compiler; may be nil.
	Say func(sentence string)
}

const (
	library  = "shmem.so"
	made     = "made.json"
	prefix   = ".shmem-" // of a directory in which a probe is made
	header   = "asked.c"
	preamble = "#include <shmem.h>\n#include <shmemx.h>\n"
)

// Build returns the file of the probe for a compiler wrapper: from the cache, else it compiles it and keeps it.
func Build(ctx context.Context, o Options) (string, error) {
	cache := o.FallbackDir
	if base, err := os.UserCacheDir(); err == nil {
		if dir := filepath.Join(base, "unknot"); owned.Check(dir) == nil && writable(dir) {
			cache = dir
		}
	}
	name := "shmem-" + fingerprint(o.Compiler)
	dir := filepath.Join(cache, name)
	err := scratch.Once(ctx, cache, name, prefix, fresh, func(work string) error {
		scratch.Sweep(cache, prefix)
		if o.Say != nil {
			o.Say("compiling the probe for OpenSHMEM, once, about 5 s")
		}
		return build(ctx, o.Compiler, work)
	})
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, library), nil
}

// writable says whether something can be made in a directory, which is made if it is not there.
func writable(dir string) bool {
	if os.MkdirAll(dir, 0o755) != nil {
		return false
	}
	trial, err := os.MkdirTemp(dir, ".write-")
	return err == nil && os.Remove(trial) == nil
}

// fresh says whether a directory has a probe that was made with files as they are now.
func fresh(dir string) bool {
	text, err := os.ReadFile(filepath.Join(dir, made))
	if err != nil || owned.CheckTree(dir) != nil {
		return false
	}
	var inputs []probe.Input
	return json.Unmarshal(text, &inputs) == nil && probe.Unchanged(inputs)
}

// fingerprint names a probe by all that it is made of, the compiler wrapper, and the wrapper's settings in the
// environment.
func fingerprint(compiler string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\x00%s\x00", compiler, probe.WrapperSettings())
	h.Write(layout.Header())
	h.Write(rendezvous.Header())
	for _, files := range []map[string][]byte{probe.Exposed(), probe.Outside()} {
		for _, name := range slices.Sorted(maps.Keys(files)) {
			h.Write(files[name])
		}
	}
	for _, f := range []embed.FS{csrc, generator} {
		_ = fs.WalkDir(f, ".", func(path string, d fs.DirEntry, err error) error { // what is embedded can be read
			if err == nil && !d.IsDir() {
				text, _ := f.ReadFile(path)
				h.Write(text)
			}
			return err
		})
	}
	return hex.EncodeToString(h.Sum(nil))[:24]
}

var headerLine = regexp.MustCompile(`(?m)^# \d+ "([^"]*/shmem\.h)"`)

// build makes the probe in a directory.
func build(ctx context.Context, compiler, work string) error {
	if err := os.WriteFile(filepath.Join(work, header), []byte(preamble), 0o644); err != nil {
		return err
	}
	text, err := run(ctx, work, compiler, "-E", header)
	if err != nil {
		return err
	}
	at := headerLine.FindSubmatch(text)
	all := functions(text)
	if at == nil || len(all) == 0 {
		return fmt.Errorf("%s finds no shmem.h with functions of OpenSHMEM; hint: install the development package of "+
			"the library", compiler)
	}
	sources, err := writeSources(work, all)
	if err != nil {
		return err
	}
	args := append([]string{"-I.", "-std=gnu11", "-O1", "-fPIC", "-fvisibility=hidden", "-fexceptions", "-Wall",
		"-Wextra", "-Werror", "-Wno-deprecated-declarations",
		"-Wno-unused-parameter", "-shared", "-Wl,--as-needed", "-o", library}, sources...)
	if _, err := run(ctx, work, compiler, append(args, "-ldl", "-lpthread")...); err != nil {
		return err
	}
	target, err := filepath.EvalSymlinks(compiler)
	if err != nil {
		return err
	}
	inputs, err := probe.Inputs(compiler, target, string(at[1]))
	if err != nil {
		return err
	}
	record, err := json.Marshal(inputs)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(work, made), record, 0o644)
}

// writeSources puts the sources into a directory.
func writeSources(dir string, all []function) (names []string, err error) {
	files := map[string][]byte{"layout.h": layout.Header(), "meet.h": rendezvous.Header(), "wrappers.c": wrappers(all)}
	entries, err := csrc.ReadDir("csrc")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if files[e.Name()], err = csrc.ReadFile("csrc/" + e.Name()); err != nil {
			return nil, err
		}
	}
	maps.Copy(files, probe.Exposed())
	maps.Copy(files, probe.Outside())
	for name := range files {
		if strings.HasSuffix(name, ".c") {
			names = append(names, name)
		}
	}
	return names, probe.WriteFiles(dir, files)
}

// run executes the compiler wrapper.
func run(ctx context.Context, dir, compiler string, args ...string) ([]byte, error) {
	return probe.Run(ctx, dir, "the probe for OpenSHMEM", "try it on a small program", compiler, args...)
}
