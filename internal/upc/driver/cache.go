package driver

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"unknot/internal/kit/owned"
	"unknot/internal/kit/scratch"
	"unknot/internal/observe/probe"
	"unknot/internal/upc/rt"
)

// kit is a directory with what a compilation needs: the UPC headers, the run-time's header, and the run-time as an
// archive.
type kit struct{ dir string }

func (k kit) headers() string  { return filepath.Join(k.dir, "include") }
func (k kit) internal() string { return filepath.Join(k.dir, "c") }
func (k kit) archive() string  { return filepath.Join(k.dir, "libupcr.a") }

// prepare returns the kit for a compiler wrapper, and makes it if it is not in the cache, or if the wrapper or its
// mpi.h have changed.
func prepare(ctx context.Context, mpicc string) (kit, error) {
	cache, err := cacheDir()
	if err != nil {
		return kit{}, err
	}
	name := "upc-" + fingerprint(mpicc)
	k := kit{filepath.Join(cache, name)}
	err = scratch.Once(ctx, cache, name, kitPrefix, func(dir string) bool { return kit{dir}.fresh() },
		func(work string) error { return build(ctx, mpicc, kit{work}, k.dir) })
	return k, err
}

// What the names of directories and files begin with that are there for a moment only.
const (
	kitPrefix     = ".upc-"   // a kit is made there
	checkerPrefix = ".upck-"  // the checker's run-time
	trialPrefix   = ".write-" // whether the directory can be written
)

// cacheDir is where kits are kept: a directory that can be written, without what compilers that were killed have left
// of these.
func cacheDir() (string, error) {
	base, err := os.UserCacheDir()
	if err == nil {
		base = filepath.Join(base, "unknot")
		err = os.MkdirAll(base, 0o755)
	}
	if err == nil {
		if err := owned.Check(base); err != nil {
			return "", fmt.Errorf("the cache %s is not used: %w; %s", base, err, owned.Hint)
		}
		var f *os.File
		if f, err = os.CreateTemp(base, trialPrefix+"*"); err == nil {
			f.Close()
			scratch.Sweep(base, kitPrefix, checkerPrefix, trialPrefix)
			return base, os.Remove(f.Name())
		}
	}
	return "", fmt.Errorf("cannot cache the UPC runtime: %w; hint: set XDG_CACHE_HOME to a writable directory", err)
}

// fingerprint names a kit by what goes into it: the sources, the wrapper, and the wrapper's settings in the
// environment.
func fingerprint(mpicc string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\x00%s\x00%q\x00", mpicc, runtime.GOARCH, compilerFlags)
	io.WriteString(h, probe.WrapperSettings())
	io.WriteString(h, hashed(rt.Program()))
	return hex.EncodeToString(h.Sum(nil))[:24]
}

const inputsFile = "inputs.json"

// fresh says that the kit is there, and that what it was made with is unchanged.
func (k kit) fresh() bool {
	text, err := os.ReadFile(filepath.Join(k.dir, inputsFile))
	if err != nil || owned.CheckTree(k.dir) != nil {
		return false
	}
	var inputs []probe.Input
	if json.Unmarshal(text, &inputs) != nil || len(inputs) == 0 || !probe.Unchanged(inputs) {
		return false
	}
	_, err = os.Stat(k.archive())
	return err == nil
}

// compilerFlags are the run-time's. Debug information lets a debugger show where in it a thread waits, and so does that
// all functions are on the stack.
var compilerFlags = []string{"-std=gnu11", "-O2", "-g", "-fPIC", "-fno-optimize-sibling-calls", "-Wall", "-Wextra"}

// build makes a kit, which will be found at place. The sources stay in it for debuggers.
func build(ctx context.Context, mpicc string, k kit, place string) error {
	if err := rt.Program().Write(k.dir); err != nil {
		return err
	}
	sources, err := filepath.Glob(filepath.Join(k.internal(), "*.c"))
	if err != nil {
		return err
	}
	var wg sync.WaitGroup
	errs := make([]error, len(sources))
	objects := make([]string, len(sources))
	limit := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, source := range sources {
		objects[i] = strings.TrimSuffix(source, ".c") + ".o"
		wg.Go(func() {
			limit <- struct{}{}
			defer func() { <-limit }()
			args := append(slices.Clone(compilerFlags), "-I"+k.headers(), "-I"+k.internal(), "-fdebug-prefix-map="+
				k.dir+"="+place,
				"-c", source, "-o", objects[i])
			_, errs[i] = quietly(ctx, mpicc, args...)
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	if _, err := quietly(ctx, "ar", append([]string{"rcsD", k.archive()}, objects...)...); err != nil {
		return err
	}
	for _, path := range objects {
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	return remember(ctx, mpicc, k)
}

// remember writes down what the kit was made with.
func remember(ctx context.Context, mpicc string, k kit) error {
	source := filepath.Join(k.dir, "mpi.c")
	if err := os.WriteFile(source, []byte("#include <mpi.h>\n"), 0o644); err != nil {
		return err
	}
	defer os.Remove(source)
	text, err := quietly(ctx, mpicc, "-E", source)
	if err != nil {
		return err
	}
	paths := []string{mpicc}
	if target, err := filepath.EvalSymlinks(mpicc); err == nil && target != mpicc {
		paths = append(paths, target)
	}
	if m := headerLine.FindSubmatch(text); m != nil {
		paths = append(paths, string(m[1]))
	}
	inputs, err := probe.Inputs(paths...)
	if err != nil {
		return err
	}
	out, err := json.MarshalIndent(inputs, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(k.dir, inputsFile), append(out, '\n'), 0o644)
}

var headerLine = regexp.MustCompile(`(?m)^# \d+ "([^"]*/mpi\.h)"`)

// quietly runs a compiler for the run-time; the first line of its complaint becomes the error.
func quietly(ctx context.Context, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	var out, told bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &told
	err := cmd.Run()
	switch {
	case err == nil:
		return out.Bytes(), nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case noCompiler(told.String()):
		return nil, fmt.Errorf("%s finds no C compiler; hint: install gcc", name)
	}
	return nil, fmt.Errorf("%s cannot compile the UPC runtime (%w): %s; hint: try it on a small MPI program, or pass "+
		"another wrapper with --mpicc",
		name, unwrapped(err), complaint(told.String()))
}

// complaint is the first line that names an error, or the first line.
func complaint(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for _, line := range lines {
		if strings.Contains(line, "error") || strings.Contains(line, "not found") {
			return strings.TrimSpace(line)
		}
	}
	return strings.TrimSpace(lines[0])
}
