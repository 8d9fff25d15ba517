package access

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"unknot/internal/kit/owned"
	"unknot/internal/kit/scratch"
	"unknot/internal/observe/probe"
)

// Compilers that can be used.
const (
	GCC   = "gcc"
	Clang = "clang"
)

// kit is a directory with what one compiler needs.
type kit struct {
	dir    string
	Kind   string        `json:"kind"`
	Plugin string        `json:"plugin"` // its file; "" if there is none
	Why    string        `json:"why"`    // then: why
	Inputs []probe.Input `json:"inputs"` // what it was made with
}

// Files of a kit.
const (
	programObject = "program.o"
	sharedObject  = "shared.o"
	pluginFile    = "plugin.so"
	kitFile       = "kit.json"
)

// kitPrefix is what the name of a directory begins with in which a kit is made.
const kitPrefix = ".access-"

func (k *kit) path(name string) string { return filepath.Join(k.dir, name) }

// prepare returns the kit for a compiler wrapper, and makes it unless it is in the cache, made with the same wrapper.
func prepare(ctx context.Context, wrapper string) (*kit, error) {
	cache, err := cacheDir()
	if err != nil {
		return nil, err
	}
	name := "access-" + fingerprint(wrapper)
	var k *kit
	fresh := func(dir string) bool {
		k = load(dir)
		return k != nil
	}
	err = scratch.Once(ctx, cache, name, kitPrefix, fresh, func(work string) error {
		scratch.Sweep(cache, kitPrefix)
		made := &kit{dir: work}
		return made.make(ctx, wrapper)
	})
	if err != nil {
		return nil, err
	}
	if dir := filepath.Join(cache, name); k == nil && !fresh(dir) {
		return nil, fmt.Errorf("%s was removed while it was needed; hint: try again", dir)
	}
	return k, nil
}

// Means says which compiler a wrapper calls ("gcc" or "clang"), and, if accesses to variables by their names are not
// seen in what it compiles, why.
func Means(ctx context.Context, wrapper string) (compiler, lacking string, err error) {
	k, err := prepare(ctx, wrapper)
	if err != nil {
		return "", "", err
	}
	return k.Kind, k.Why, nil
}

// cacheDir is where kits are kept.
func cacheDir() (string, error) {
	cache, err := os.UserCacheDir()
	if err == nil {
		cache = filepath.Join(cache, "unknot")
		err = os.MkdirAll(cache, 0o755)
	}
	if err == nil {
		if err := owned.Check(cache); err != nil {
			return "", fmt.Errorf("the cache %s is not used: %w; %s", cache, err, owned.Hint)
		}
	}
	if err != nil {
		return "", fmt.Errorf("cannot keep the runtime: %w; hint: set XDG_CACHE_HOME to a writable directory", err)
	}
	return cache, nil
}

// fingerprint names a kit by what goes into it: the sources, the wrapper, and the wrapper's settings in the
// environment.
func fingerprint(wrapper string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\x00%s\x00", wrapper, runtime.GOARCH)
	io.WriteString(h, probe.WrapperSettings())
	for _, name := range []string{"OMPI_CXX", "OMPI_FC", "MPICH_CXX", "MPICH_FC"} {
		fmt.Fprintf(h, "%s=%s\x00", name, os.Getenv(name))
	}
	io.WriteString(h, Version())
	return hex.EncodeToString(h.Sum(nil))[:24]
}

// Version names what is put into programs: another one may make other programs of the same sources.
func Version() string {
	h := sha256.New()
	all := files()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		h.Write(all[name])
	}
	k := kit{Kind: GCC, Plugin: pluginFile}
	fmt.Fprintf(h, "%q%q", k.compiling(), k.linking(false))
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// load returns the kit in a directory, nil if there is none or the wrapper has changed.
func load(dir string) *kit {
	if owned.CheckTree(dir) != nil {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(dir, kitFile))
	k := kit{dir: dir}
	if err != nil || json.Unmarshal(text, &k) != nil || !probe.Unchanged(k.Inputs) {
		return nil
	}
	return &k
}

// make fills a kit's directory.
func (k *kit) make(ctx context.Context, wrapper string) (err error) {
	if k.Kind, err = kindOf(ctx, wrapper); err != nil {
		return err
	}
	if err := sameMachine(ctx, wrapper); err != nil {
		return err
	}
	if err := probe.WriteFiles(k.dir, files()); err != nil {
		return err
	}
	included := ""
	if k.Kind == GCC {
		included, k.Why = k.plugin(ctx, wrapper)
	}
	common := []string{"-x", "c", "-std=gnu11", "-O2", "-g0", "-fPIC", "-fno-builtin", "-Wall", "-Wextra",
		"-Wno-unknown-warning-option"}
	for object, define := range map[string]string{programObject: "-DUK_ACCESS_PROGRAM",
		sharedObject: "-DUK_ACCESS_SHARED"} {
		if _, err := compiler(ctx, k.dir, wrapper, append(slices.Clone(common), define, "-c", "runtime.c", "-o",
			object)...); err != nil {
			return fmt.Errorf("%s cannot compile the runtime: %w", wrapper, err)
		}
	}
	target, err := filepath.EvalSymlinks(wrapper)
	if err != nil {
		return err
	}
	inputs := []string{wrapper, target}
	if included != "" {
		inputs = append(inputs, included)
	}
	if k.Inputs, err = probe.Inputs(inputs...); err != nil {
		return err
	}
	text, err := json.MarshalIndent(k, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(k.path(kitFile), append(text, '\n'), 0o644)
}

// plugin compiles the plugin of gcc. It returns a header that this is made with, or says why there is no plugin.
func (k *kit) plugin(ctx context.Context, wrapper string) (header, why string) {
	out, err := compiler(ctx, k.dir, wrapper, "-print-file-name=plugin")
	if err != nil {
		return "", err.Error()
	}
	headers := filepath.Join(strings.TrimSpace(string(out)), "include")
	header = filepath.Join(headers, "gcc-plugin.h")
	if _, err := os.Stat(header); err != nil {
		return "", fmt.Sprintf("%s is not there; hint: install the headers for plugins of gcc (Debian: "+
			"gcc-VERSION-plugin-dev)", header)
	}
	if _, err := compiler(ctx, k.dir, wrapper, "-x", "c++", "-std=gnu++17", "-O1", "-g0", "-fPIC", "-fno-rtti",
		"-fno-exceptions", "-shared", "-Wl,--as-needed",
		"-isystem", headers, "plugin.cc", "-o", pluginFile); err != nil {
		return "", fmt.Sprintf("the plugin cannot be compiled: %v", err)
	}
	k.Plugin = pluginFile
	return header, ""
}

// kindOf says which compiler a wrapper calls.
func kindOf(ctx context.Context, wrapper string) (string, error) {
	out, err := compiler(ctx, "", wrapper, "--version")
	if err != nil {
		return "", fmt.Errorf("%s --version: %w", wrapper, err)
	}
	first, _, _ := strings.Cut(string(out), "\n")
	switch {
	case strings.Contains(first, "clang"):
		return Clang, nil
	case strings.Contains(string(out), "Free Software Foundation"):
		return GCC, nil
	}
	return "", fmt.Errorf("%s calls a compiler that cannot be used here (%s); hint: gcc, gfortran and clang can "+
		"(OMPI_CC or MPICH_CC choose one)", wrapper, first)
}

// sameMachine is an error if a wrapper's compiler makes programs for other processors than those that this unknot is
// for, as the shadow is elsewhere there, or nowhere.
func sameMachine(ctx context.Context, wrapper string) error {
	out, err := compiler(ctx, "", wrapper, "-dumpmachine")
	if err != nil {
		return fmt.Errorf("%s -dumpmachine: %w", wrapper, err)
	}
	machine := strings.TrimSpace(string(out))
	processor, _, _ := strings.Cut(machine, "-")
	ours, ok := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH]
	switch {
	case !ok:
		return fmt.Errorf("accesses are seen on x86-64 and AArch64 only, and this is %s; hint: compile with %s itself",
			runtime.GOARCH, wrapper)
	case processor != ours && !(ours == "x86_64" && processor == "amd64"):
		return fmt.Errorf("%s calls a compiler for %s, and this unknot is for %s; hint: compile with an unknot for "+
			"that machine, or with %[1]s itself", wrapper, machine, ours)
	}
	return nil
}

// compiler runs a wrapper in a directory; its first line of complaint becomes the error.
func compiler(ctx context.Context, dir, wrapper string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, wrapper, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C", "LD_PRELOAD=")
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	err := cmd.Run()
	if err == nil {
		return out.Bytes(), nil
	}
	for line := range strings.Lines(complaint.String()) {
		if strings.Contains(line, "error") {
			return nil, errors.New(strings.TrimSpace(line))
		}
	}
	return nil, err
}
