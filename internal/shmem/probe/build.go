// Package probe makes the library that is preloaded into programs with OpenSHMEM: it reads the functions of the user's shmem.h, writes a wrapper for each, and
// compiles them with the C sources here by the library's own compiler wrapper. What it records is in package layout; it judges arguments, as only the process
// knows its memory, and nothing else.
package probe

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"unknot/internal/meet"
	"unknot/internal/probe"
	"unknot/internal/scratch"
	"unknot/internal/shmem/layout"
)

//go:embed csrc
var csrc embed.FS

// Options says where a probe comes from.
type Options struct {
	Compiler string // the compiler wrapper of the OpenSHMEM library, a path
	// FallbackDir takes the probe if the cache cannot be written: a directory that the caller removes.
	FallbackDir string
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
		if dir := filepath.Join(base, "unknot"); writable(dir) {
			cache = dir
		}
	}
	name := "shmem-" + fingerprint(o.Compiler)
	dir := filepath.Join(cache, name)
	err := scratch.Once(ctx, cache, name, prefix, fresh, func(work string) error {
		scratch.Sweep(cache, prefix)
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
	if err != nil {
		return false
	}
	var inputs []probe.Input
	return json.Unmarshal(text, &inputs) == nil && probe.Unchanged(inputs)
}

// fingerprint names a probe by its sources, the compiler wrapper, and the wrapper's settings in the environment.
func fingerprint(compiler string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\x00%s\x00", compiler, probe.WrapperSettings())
	h.Write(layout.Header())
	h.Write(meet.Header())
	h.Write(wrappers(functions([]byte(sample))))
	_ = fs.WalkDir(csrc, "csrc", func(path string, d fs.DirEntry, err error) error { // what is embedded can be read
		if err == nil && !d.IsDir() {
			text, _ := csrc.ReadFile(path)
			h.Write(text)
		}
		return err
	})
	return hex.EncodeToString(h.Sum(nil))[:24]
}

// sample has a function of each kind, so that what is made of it changes whenever the generator does.
const sample = `void shmem_long_p(long *dest, long value, int pe); long shmem_long_g(const long *source, int pe); void shmem_ctx_putmem_nbi(int ctx, void *d, const void *s, int n, int pe);
void shmem_iget32(void *d, const void *s, int a, int b, int n, int pe); long shmem_long_atomic_fetch(long *x, int pe); int shmem_int_test(int *x, int c, int v);
void shmem_int_wait_until(int *x, int c, int v); void shmem_int_sum_to_all(int *t, const int *s, int n, int a, int b, int c, int *w, long *p);
void shmem_broadcast32(void *t, const void *s, int n, int r, int a, int b, int c, long *p); void shmem_alltoalls64(void *t, const void *s, int x, int y, int n, int a, int b, int c, long *p);
void *shmem_realloc(void *p, int n); void shmem_free(void *p); void shmem_finalize(void); int shmem_init_thread(int r, int *p); int shmem_ctx_create(long o, int *c);
void shmem_ctx_destroy(int c); void shmem_set_lock(long *l); int shmem_test_lock(long *l); void shmem_clear_lock(long *l); void shmem_fence(void); void shmem_quiet(void);
void shmem_barrier_all(void); void shmem_sync_all(void); void *shmem_malloc(int n);`

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
		return fmt.Errorf("%s finds no shmem.h with functions of OpenSHMEM; hint: install the development package of the library", compiler)
	}
	sources, err := writeSources(work, all)
	if err != nil {
		return err
	}
	args := append([]string{"-I.", "-std=gnu11", "-O1", "-fPIC", "-fvisibility=hidden", "-fexceptions", "-Wall", "-Wextra", "-Werror", "-Wno-deprecated-declarations",
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
	files := map[string][]byte{"layout.h": layout.Header(), "meet.h": meet.Header(), "wrappers.c": wrappers(all)}
	entries, err := csrc.ReadDir("csrc")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if files[e.Name()], err = csrc.ReadFile("csrc/" + e.Name()); err != nil {
			return nil, err
		}
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			return nil, err
		}
		if strings.HasSuffix(name, ".c") {
			names = append(names, name)
		}
	}
	return names, nil
}

// run executes the compiler; its first line of complaint becomes the error.
func run(ctx context.Context, dir, compiler string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, compiler, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C", "LD_PRELOAD=")
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		line, _, _ := strings.Cut(strings.TrimSpace(complaint.String()), "\n")
		return nil, fmt.Errorf("%s cannot compile the probe for OpenSHMEM (%v): %s; hint: try it on a small program", compiler, err, line)
	}
	return out.Bytes(), nil
}
