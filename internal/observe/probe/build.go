package probe

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"unknot/internal/kit/owned"
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
	// Say gets a sentence if the user has to wait, because a probe is compiled here or by another process; may be nil.
	Say func(sentence string)
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

// kind is a library that is compiled for an MPI library, kept and found: the probe, or another one.
type kind struct {
	name    string // what its files and sentences call it: "probe"
	print   string // identifies what it is made from, other than the user's MPI and compiler
	sources maker
	// units are what is compiled of these.
	units func(files map[string][]byte) (map[string]*unit, error)
	heap  bool // the library that follows the heap stands beside it
	cost  int  // about how many times as long as the examination of mpi.h its compilation takes on two cores
}

func theProbe() *kind {
	return &kind{name: "probe", print: fingerprint(), sources: sources, units: units, heap: true,
		cost: perExamination}
}

// Build returns the probe for the MPI library of a compiler wrapper: a prebuilt one, else one that is part of unknot,
// else one from the cache, else it compiles one and keeps it.
func Build(ctx context.Context, o Options) (*Probe, error) {
	return build(ctx, o, theProbe())
}

func build(ctx context.Context, o Options, k *kind) (*Probe, error) {
	if o.Prebuilt == "" {
		o.Prebuilt = os.Getenv("UNKNOT_PROBE_DIR")
	}
	if o.Prebuilt != "" {
		return choosePrebuilt(o.Prebuilt, o, k)
	}
	mpicc, err := findMPICC(o.MPICC)
	if err != nil {
		return nil, err
	}
	if p, err := ready(o, listPacked(readyFiles, readyDir, k.print), readyFiles, readyDir); p != nil && err == nil {
		return p, nil
	}
	cache, note := o.cache()
	kept := cache != ""
	if kept {
		sweep(cache)
		if p := k.lookUp(cache, mpicc); p != nil {
			return p, nil
		}
		err := writable(cache)
		if err == nil {
			err = owned.Check(cache) // somebody else may have made it meanwhile
		}
		if err != nil {
			kept, note = false, fmt.Sprintf("cannot cache the %s for the next run: %v", k.name, err)
		}
	}
	if !kept {
		note += "; hint: set XDG_CACHE_HOME to a directory of yours that nobody else can write to"
		if o.FallbackDir == "" {
			return nil, errors.New(note)
		}
		cache = o.FallbackDir
	}
	c := compilation{kind: k, mpicc: mpicc, dir: cache, once: kept, say: o.Say}
	p, err := c.probe(ctx)
	if err != nil {
		return nil, err
	}
	p.Note = note
	return p, nil
}

// Prebuild compiles a probe into dir, from where UNKNOT_PROBE_DIR offers it to machines without a compiler.
func Prebuild(ctx context.Context, mpicc, dir string) (*Probe, error) {
	return prebuild(ctx, mpicc, dir, theProbe())
}

func prebuild(ctx context.Context, mpicc, dir string, k *kind) (*Probe, error) {
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
	c := compilation{kind: k, mpicc: path, dir: dir}
	return c.probe(ctx)
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

// HeapPath is where the library stands that follows the heap. It is to be preloaded beside the probe.
func (p *Probe) HeapPath() string { return strings.TrimSuffix(p.Path, ".so") + ".heap.so" }

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
		files[aliases] = profilingNames(files, h.fortran() == gen.CallsBoth)
	}
	maps.Copy(files, layoutHeaders())
	maps.Copy(files, sonameFile(h))
	return files, nil
}

func sonameFile(h *mpiHeader) map[string][]byte {
	return map[string][]byte{"objects/soname.c": fmt.Appendf(nil,
		"// The library that the probe is built for.\n#include \"objects/objects.h\"\nconst char uk_soname[] = %q;\n",
		h.soname)}
}

// aliases is a linker script that gives wrappers their profiling names as well: the mpi_f08 layer of MPICH calls most
// functions, MPI_Init among them, by those only, and that of Open MPI 6.0 those that have buffers. (A call that comes
// through both names is nested, and counts once.)
const aliases = "profiling.ld"

// profilingNames is that script. Those of specials.c have none if fewer are to have.
func profilingNames(files map[string][]byte, fewer bool) []byte {
	var script []byte
	defined := map[string]bool{}
	for name, text := range files {
		if fewer && name == "process/specials.c" {
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
