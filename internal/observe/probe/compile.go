package probe

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"unknot/internal/kit/owned"
	"unknot/internal/kit/scratch"
)

// compilation makes a probe in a directory, unless it is there.
type compilation struct {
	*kind
	mpicc, dir string
	once       bool         // the probe is kept for other runs
	say        func(string) // may be nil
}

// probe is where a compilation begins. The compiler runs in a separate directory, from which files are renamed into
// place. Processes that need the same probe wait for the first. Of one that was interrupted, what it has compiled is
// taken.
func (c *compilation) probe(ctx context.Context) (*Probe, error) {
	made, err := scratch.New(c.dir, buildPrefix)
	if err != nil {
		return nil, err
	}
	defer made.Remove()
	began := time.Now()
	header, err := examine(ctx, c.mpicc, made.Path)
	if err != nil {
		return nil, err
	}
	examined := time.Since(began)
	sum := sha256.New()
	io.WriteString(sum, c.print+header.compiler)
	sum.Write(header.unplaced())
	name := c.name + "-" + hex.EncodeToString(sum.Sum(nil))[:24] + ".so"
	p := &Probe{Path: filepath.Join(c.dir, name), MPI: header.mpi, Soname: header.soname}
	end, err := scratch.TurnTelling(ctx, filepath.Join(c.dir, turnPrefix+name), func() {
		c.tell("another process compiles the " + c.name + " for " + header.mpi + "; waiting for it")
	})
	if err != nil {
		return nil, err
	}
	defer end()
	if !c.there(p) {
		once := ""
		if c.once {
			once = ", once"
		}
		c.tell(fmt.Sprintf("compiling the %s for %s%s, about %s", c.name, header.mpi, once,
			rounded(c.expected(examined))))
		if err := c.compile(ctx, made.Path, header, p); err != nil {
			return nil, err
		}
		p.Built = true
	}
	return p, c.remember(c.dir, c.mpicc, p, header)
}

func (c *compilation) tell(sentence string) {
	if c.say != nil {
		c.say(sentence)
	}
}

// files are the libraries of a probe of the kind.
func (k *kind) files(p *Probe) []string {
	if !k.heap {
		return []string{p.Path}
	}
	return []string{p.Path, p.HeapPath()}
}

// there says whether the libraries of a probe are, and can be trusted.
func (k *kind) there(p *Probe) bool {
	for _, path := range k.files(p) {
		if _, err := os.Stat(path); err != nil || owned.Check(path) != nil {
			return false
		}
	}
	return true
}

// compile makes the libraries in a directory and puts them into place.
func (c *compilation) compile(ctx context.Context, work string, header *mpiHeader, p *Probe) error {
	files, err := c.sources(header)
	if err != nil {
		return err
	}
	all, err := c.units(files)
	if err != nil {
		return err
	}
	const heap = "heap.c"
	if c.heap {
		all[heap] = &unit{heapSource, heapOptions[:]}
	}
	files = maps.Clone(files)
	for name, u := range all {
		files[name] = u.text
	}
	if err := WriteFiles(work, files); err != nil {
		return err
	}
	o, err := c.objectsFor(work, header, files)
	if err != nil {
		return err
	}
	objects, err := o.compile(ctx, all)
	if err != nil {
		return err
	}
	libraries, linking := errgroup.WithContext(ctx)
	if c.heap {
		libraries.Go(func() error { return c.link(linking, work, "heap.so", []string{objects[heap]}) })
	}
	libraries.Go(func() error {
		var list []string
		for _, name := range slices.Sorted(maps.Keys(objects)) {
			if name != heap {
				list = append(list, objects[name])
			}
		}
		if files[aliases] != nil {
			list = append(list, aliases)
		}
		return c.link(linking, work, "probe.so", list)
	})
	if err := libraries.Wait(); err != nil {
		return err
	}
	if c.heap {
		if err := os.Rename(filepath.Join(work, "heap.so"), p.HeapPath()); err != nil {
			return err
		}
	}
	if err := os.Rename(filepath.Join(work, "probe.so"), p.Path); err != nil {
		return err
	}
	for _, object := range objects {
		_ = os.Remove(object) // otherwise it is swept later
	}
	return nil
}

// link makes a library. The wrapper adds the MPI library at the end of the line; nothing in the probe needs it, so it
// is left out.
func (c *compilation) link(ctx context.Context, work, library string, objects []string) error {
	args := append([]string{"-shared", "-Wl,--as-needed", "-o", library}, objects...)
	if _, err := run(ctx, work, c.mpicc, append(args, systemLibraries[:]...)...); err != nil {
		return err
	}
	return checkLinks(filepath.Join(work, library))
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

// compilerFlags are the probe's; the wrapper adds the include path of its mpi.h. -O1 inlines what the hot path needs;
// -O2 takes half as long again for the wrappers and gains nothing measurable. Unwind tables let call stacks pass the
// probe, C++ exceptions too. The compiler runs in the directory from which sources name what they include.
var compilerFlags = [...]string{
	"-I.", "-std=gnu11", "-O1", "-fPIC", "-fvisibility=hidden", "-fexceptions", "-fasynchronous-unwind-tables",
	"-Wall", "-Wextra", "-Werror", "-Wno-deprecated-declarations", "-Wno-unknown-pragmas",
}

// heapOptions are those of the library that follows the heap: no call may be taken for one that has no effect, or be
// made of others, as these are the functions that gcc knows best.
var heapOptions = [...]string{"-O2", "-fno-builtin"}

// systemLibraries have what glibc before 2.34 keeps out of libc; a program of MPICH needs to have none of them itself.
var systemLibraries = [...]string{"-ldl", "-lpthread", "-lrt"}

// objects are the compiled files of a probe. They are kept in the directory of the probe until that is complete, under
// names that follow from all that they are made of: after an interruption, only what is missing is compiled.
type objects struct {
	*compilation
	work string // the directory of the sources
	of   []byte // the sum of what all files have in common
}

func (c *compilation) objectsFor(work string, header *mpiHeader, files map[string][]byte) (*objects, error) {
	wrapper, err := Inputs(c.mpicc)
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "%v\x00%s\x00%s\x00", wrapper, header.compiler, WrapperSettings())
	sum.Write(header.text)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if strings.HasSuffix(name, ".h") {
			fmt.Fprintf(sum, "\x00%s\x00%s", name, files[name])
		}
	}
	return &objects{c, work, sum.Sum(nil)}, nil
}

// path is where the object of a unit is kept.
func (o *objects) path(name string, u *unit) string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%x\x00%s\x00%q\x00%q\x00%s", o.of, name, compilerFlags, u.options, u.text)
	return filepath.Join(o.dir, objectPrefix+hex.EncodeToString(sum.Sum(nil))[:24]+".o")
}

// compile compiles units, the longest ones first: as many at a time as there are cores, so that they do not displace
// each other.
func (o *objects) compile(ctx context.Context, units map[string]*unit) (paths map[string]string, err error) {
	names := slices.SortedFunc(maps.Keys(units), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(units[b].text), len(units[a].text)), cmp.Compare(a, b))
	})
	compilers, compiling := errgroup.WithContext(ctx)
	compilers.SetLimit(runtime.NumCPU())
	paths = map[string]string{}
	for _, name := range names {
		path := o.path(name, units[name])
		paths[name] = path
		if _, err := os.Stat(path); err == nil && owned.Check(path) == nil {
			continue
		}
		compilers.Go(func() error {
			object := strings.TrimSuffix(name, ".c") + ".o"
			args := slices.Concat(compilerFlags[:], units[name].options, []string{"-c", name, "-o", object})
			if _, err := run(compiling, o.work, o.mpicc, args...); err != nil {
				return err
			}
			return os.Rename(filepath.Join(o.work, object), path)
		})
	}
	return paths, compilers.Wait()
}

// perExamination is about how many times as long as the examination of mpi.h the compilation takes on two cores, with
// Open MPI and with MPICH. On a machine that gets busier meanwhile it takes longer.
const perExamination = 40

// expected is how long a compilation will take on this machine as it is now.
func (k *kind) expected(examination time.Duration) time.Duration {
	const measured, most = 2, 8 // cores; with more of them it is the longest file that counts
	return examination * time.Duration(k.cost) * measured / time.Duration(min(max(runtime.NumCPU(), 1), most))
}

// rounded is a time as one says it.
func rounded(d time.Duration) string {
	for _, s := range []int{2, 5, 10, 15, 20, 30, 45, 60, 90} {
		if d <= time.Duration(s)*time.Second {
			return fmt.Sprintf("%d s", s)
		}
	}
	return fmt.Sprintf("%d minutes", max(2, int(d.Round(time.Minute)/time.Minute)))
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
