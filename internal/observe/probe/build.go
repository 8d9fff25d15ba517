package probe

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"unknot/internal/kit/owned"
	"unknot/internal/kit/scratch"
	"unknot/internal/observe/probe/gen"
)

// Options says which probe is wanted and where it may be kept.
type Options struct {
	// MPICC is the compiler wrapper of the MPI library: a name in PATH or a path. Empty means "mpicc".
	MPICC string
	// CacheDir keeps probes between runs; empty means $XDG_CACHE_HOME/unknot, or ~/.cache/unknot.
	CacheDir string
	// FallbackDir takes the probe if the cache cannot be written: a directory that the caller removes. Without it a
	// cache that cannot be written is an error.
	FallbackDir string
	// Prebuilt is a directory with probes made by Prebuild, looked at first; empty means $UNKNOT_PROBE_DIR, if set.
	Prebuilt string
	// Soname is the MPI library that the program needs ("libmpi.so.40"), to choose among prebuilt probes; may be empty.
	Soname string
	// Family is whose library that is, "Open MPI" or "MPICH", where the soname is not known; anything else tells
	// nothing.
	Family string
	// Library is the file of that library, to choose among the probes that are part of unknot; empty means none of
	// these.
	Library string
}

// Probe is a library that can be preloaded.
type Probe struct {
	Path   string `json:"-"`
	MPI    string `json:"mpi"`    // "Open MPI 4.1.4"
	Soname string `json:"soname"` // of the MPI library that it was built for
	// Note tells what the user should know about where the probe came from; mostly empty.
	Note string `json:"-"`
	// Built says that it was compiled by this call.
	Built bool `json:"-"`
}

// maker makes what is compiled, as files by name, for an mpi.h.
type maker func(h *mpiHeader) (map[string][]byte, error)

// Build returns the probe for the MPI library of a compiler wrapper: a prebuilt one, else one that is part of unknot,
// else one from the cache, else it compiles one and keeps it.
func Build(ctx context.Context, o Options) (*Probe, error) {
	return build(ctx, o, fingerprint(), sources)
}

func build(ctx context.Context, o Options, print string, sources maker) (*Probe, error) {
	if o.Prebuilt == "" {
		o.Prebuilt = os.Getenv("UNKNOT_PROBE_DIR")
	}
	if o.Prebuilt != "" {
		return choosePrebuilt(o.Prebuilt, o, print)
	}
	mpicc, err := findMPICC(o.MPICC)
	if err != nil {
		return nil, err
	}
	if p, err := ready(o, listPacked(readyFiles, readyDir, print), readyFiles, readyDir); p != nil && err == nil {
		return p, nil
	}
	cache, note := o.cache()
	if cache != "" {
		sweep(cache)
		if p := lookUp(cache, mpicc, print); p != nil {
			return p, nil
		}
		err := writable(cache)
		if err == nil {
			err = owned.Check(cache) // somebody else may have made it meanwhile
		}
		if err != nil {
			cache, note = "", fmt.Sprintf("cannot cache the probe for the next run: %v", err)
		}
	}
	if cache == "" {
		if o.FallbackDir == "" {
			return nil,
				errors.New(note + "; hint: set XDG_CACHE_HOME to a directory of yours that nobody else can write to")
		}
		cache = o.FallbackDir
	}
	p, err := compile(ctx, mpicc, cache, print, sources)
	if err != nil {
		return nil, err
	}
	p.Note, p.Built = note, true
	return p, nil
}

// Prebuild compiles a probe into dir, from where UNKNOT_PROBE_DIR offers it to machines without a compiler.
func Prebuild(ctx context.Context, mpicc, dir string) (*Probe, error) {
	return prebuild(ctx, mpicc, dir, fingerprint(), sources)
}

func prebuild(ctx context.Context, mpicc, dir, print string, sources maker) (*Probe, error) {
	path, err := findMPICC(mpicc)
	if err != nil {
		return nil, err
	}
	// The compiler runs in a separate directory.
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	if err := writable(dir); err != nil {
		return nil, err
	}
	sweep(dir)
	p, err := compile(ctx, path, dir, print, sources)
	if err != nil {
		return nil, err
	}
	p.Built = true
	return p, nil
}

func findMPICC(name string) (string, error) {
	if name == "" {
		name = "mpicc"
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("no MPI compiler wrapper %s: %w; hint: install the MPI library's development package, "+
			"or pass its mpicc with --mpicc", name, err)
	}
	return filepath.Abs(path)
}

func writable(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, trialPrefix+"*")
	if err != nil {
		return err
	}
	f.Close()
	return os.Remove(f.Name())
}

// compile makes the probe in a separate directory under cache and renames it into place: processes that do the same
// at the same time do not meet, and the last one wins with an equal file.
func compile(ctx context.Context, mpicc, cache, print string, sources maker) (*Probe, error) {
	made, err := scratch.New(cache, buildPrefix)
	if err != nil {
		return nil, err
	}
	defer made.Remove()
	work := made.Path

	header, err := examine(ctx, mpicc, work)
	if err != nil {
		return nil, err
	}
	files, err := sources(header)
	if err != nil {
		return nil, err
	}
	if err := WriteFiles(work, files); err != nil {
		return nil, err
	}
	library := filepath.Join(work, "probe.so")
	sum := sha256.Sum256(append([]byte(print+header.compiler), header.text...))
	name := "probe-" + hex.EncodeToString(sum[:])[:24] + ".so"
	p := &Probe{Path: filepath.Join(cache, name), MPI: header.mpi, Soname: header.soname}
	libraries, compiling := errgroup.WithContext(ctx)
	libraries.Go(func() error { return compileAll(compiling, mpicc, work, files, library) })
	libraries.Go(func() error { return compileHeap(compiling, mpicc, work, p.HeapPath()) })
	if err := libraries.Wait(); err != nil {
		return nil, err
	}
	if err := checkLinks(library); err != nil {
		return nil, err
	}
	if err := os.Rename(library, p.Path); err != nil {
		return nil, err
	}
	if err := remember(cache, mpicc, print, p, header); err != nil {
		return nil, err
	}
	return p, nil
}

// WriteFiles puts files into a directory, and makes the directories in it that they are in.
func WriteFiles(dir string, files map[string][]byte) error {
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// HeapPath is where the library stands that follows the heap. It is to be preloaded beside the probe.
func (p *Probe) HeapPath() string { return strings.TrimSuffix(p.Path, ".so") + ".heap.so" }

// compileHeap makes that library, in the directory with the probe's headers.
func compileHeap(ctx context.Context, mpicc, dir, path string) error {
	if err := os.WriteFile(filepath.Join(dir, "heap.c"), heapSource, 0o644); err != nil {
		return err
	}
	// No call may be taken for one that has no effect, or be made of others: these are the functions that gcc knows
	// best.
	args := append(compilerFlags[:len(compilerFlags):len(compilerFlags)], "-O2", "-fno-builtin", "-shared",
		"-Wl,--as-needed", "-o", "heap.so", "heap.c")
	if _, err := run(ctx, dir, mpicc, append(args, systemLibraries[:]...)...); err != nil {
		return err
	}
	if err := checkLinks(filepath.Join(dir, "heap.so")); err != nil {
		return err
	}
	return os.Rename(filepath.Join(dir, "heap.so"), path)
}

// sources puts together what is compiled: the run-time, the layout, the wrappers.
func sources(h *mpiHeader) (map[string][]byte, error) {
	wrappers, err := gen.Files(h.text, h.fortran())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", h.path, err)
	}
	return around(h, wrappers)
}

// around puts the rest together for wrappers, which belong to the highest layer.
func around(h *mpiHeader, wrappers map[string][]byte) (map[string][]byte, error) {
	files, err := runtimeFiles()
	if err != nil {
		return nil, err
	}
	for name, text := range wrappers {
		files["process/"+name] = text
	}
	if h.fortran() != gen.CallsOwn {
		files[aliases] = profilingNames(files, h.fortran())
	}
	maps.Copy(files, layoutHeaders())
	files["objects/soname.c"] = fmt.Appendf(nil,
		"// The library that the probe is built for.\n#include \"objects/objects.h\"\nconst char uk_soname[] = %q;\n",
		h.soname)
	return files, nil
}

// aliases is a linker script that gives wrappers their profiling names as well: the mpi_f08 layer of MPICH calls most
// functions, MPI_Init among them, by those only, and that of Open MPI 6.0 those that have buffers. (A call that comes
// through both names is nested, and counts once.)
const aliases = "profiling.ld"

func profilingNames(files map[string][]byte, layer gen.FortranLayer) []byte {
	var script []byte
	defined := map[string]bool{}
	for name, text := range files {
		if layer == gen.CallsBoth && name == "process/specials.c" {
			continue // the Fortran forms of these have wrappers, and a process begins and ends once
		}
		for _, m := range definition.FindAllSubmatch(text, -1) {
			defined[string(m[1])] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(defined)) {
		script = fmt.Appendf(script, "P%s = %s;\n", name, name)
	}
	return script
}

var definition = regexp.MustCompile(`(?m)^int (?:uk_)?(MPI_\w+)\(`)

// compilerFlags are the probe's; the wrapper adds the include path of its mpi.h. -O1 inlines what the hot path needs;
// -O2 takes half as long again for the wrappers and gains nothing measurable. Unwind tables let call stacks pass the
// probe, C++ exceptions too. The compiler runs in the directory from which sources name what they include.
var compilerFlags = [...]string{
	"-I.", "-std=gnu11", "-O1", "-fPIC", "-fvisibility=hidden", "-fexceptions", "-fasynchronous-unwind-tables",
	"-Wall", "-Wextra", "-Werror", "-Wno-deprecated-declarations", "-Wno-unknown-pragmas",
}

// systemLibraries have what glibc before 2.34 keeps out of libc; a program of MPICH needs to have none of them itself.
var systemLibraries = [...]string{"-ldl", "-lpthread", "-lrt"}

// compileAll compiles the C files, the longest ones first: as many at a time as there are cores, so that they do not
// displace each other.
func compileAll(ctx context.Context, mpicc, dir string, files map[string][]byte, library string) error {
	names := slices.SortedFunc(maps.Keys(files), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(files[b]), len(files[a])), cmp.Compare(a, b))
	})
	names = slices.DeleteFunc(names, func(name string) bool { return !strings.HasSuffix(name, ".c") })
	compilers, compiling := errgroup.WithContext(ctx)
	compilers.SetLimit(runtime.NumCPU())
	var objects []string
	for _, name := range names {
		object := strings.TrimSuffix(name, ".c") + ".o"
		objects = append(objects, object)
		compilers.Go(func() error {
			args := append(compilerFlags[:len(compilerFlags):len(compilerFlags)], "-c", name, "-o", object)
			_, err := run(compiling, dir, mpicc, args...)
			return err
		})
	}
	if err := compilers.Wait(); err != nil {
		return err
	}
	if files[aliases] != nil {
		objects = append(objects, aliases)
	}
	// The wrapper adds the MPI library at the end of the line; nothing in the probe needs it, so it is left out.
	args := append([]string{"-shared", "-Wl,--as-needed", "-o", library}, objects...)
	_, err := run(ctx, dir, mpicc, append(args, systemLibraries[:]...)...)
	return err
}

// run executes the compiler of the probe for MPI.
func run(ctx context.Context, dir, mpicc string, args ...string) ([]byte, error) {
	return Run(ctx, dir, "the probe", "try it on a small MPI program, or name another with --mpicc", mpicc, args...)
}

// Run executes a compiler for what is to be made, in a directory; its first line of complaint becomes the error, with a
// hint.
func Run(ctx context.Context, dir, what, hint, compiler string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, compiler, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C", "LD_PRELOAD=")
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("%s cannot compile %s (%v): %s; hint: %s", compiler, what, err,
			firstComplaint(complaint.String()+out.String()), hint)
	}
	return out.Bytes(), nil
}

// firstComplaint is the first line that names an error, or the first line, or that there is none.
func firstComplaint(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for _, line := range lines {
		if strings.Contains(line, "error") || strings.Contains(line, "not found") ||
			strings.Contains(line, "undefined") {
			return strings.TrimSpace(line)
		}
	}
	return cmp.Or(strings.TrimSpace(lines[0]), "it does not say why")
}
