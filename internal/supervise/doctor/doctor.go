// Package doctor looks at a machine with the eyes of `unknot run` and says what would keep it from working.
package doctor

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"unknot/internal/kit/owned"
	"unknot/internal/observe/access"
	"unknot/internal/observe/launch"
	"unknot/internal/observe/probe"
	"unknot/internal/observe/ring"
	"unknot/internal/supervise"
)

// grade is the outcome of one check.
type grade string

const (
	ok   grade = "ok"
	warn grade = "warn"
	bad  grade = "fail"
)

// Check is the outcome of one check.
type Check struct {
	Grade string `json:"grade"`          // "ok", "warn" or "fail"
	Host  string `json:"host,omitempty"` // "" for this one
	About string `json:"about"`          // "launcher", "probe", …
	Says  string `json:"says"`
	Hint  string `json:"hint,omitempty"`
}

// String is the line of a check.
func (c Check) String() string {
	about := c.About
	if c.Host != "" {
		about = c.Host + ": " + about
	}
	line := fmt.Sprintf("%-5s %s: %s", c.Grade, about, c.Says)
	if c.Hint != "" {
		line += "; hint: " + c.Hint
	}
	return line
}

type examination struct {
	host   string // that is examined, "" for this one
	tell   func(Check)
	failed bool
}

// line tells the outcome of a check: what it is about, a colon, what is found, and after "; hint: " what to do.
func (e *examination) line(g grade, format string, args ...any) {
	about, says, _ := strings.Cut(fmt.Sprintf(format, args...), ": ")
	says, hint, _ := strings.Cut(says, "; hint: ")
	e.tell(Check{string(g), e.host, about, says, hint})
	e.failed = e.failed || g == bad
}

// Examine tells the outcome of each check and says whether `unknot run` can work.
func Examine(ctx context.Context, program string, tell func(Check)) bool {
	e := &examination{tell: tell}
	e.launchers()
	e.probes(ctx)
	if ctx.Err() == nil {
		e.accesses(ctx, launch.Wrappers())
	}
	if ctx.Err() != nil {
		return false
	}
	e.space()
	e.cache()
	e.cores()
	e.python()
	if program != "" {
		e.program(program)
	}
	return !e.failed
}

func (e *examination) launchers() {
	found := launch.Launchers()
	for _, l := range found {
		e.line(ok, "launcher: %s, %s", l.Path, l.Family)
	}
	if len(found) == 0 {
		e.line(bad, "launcher: none in PATH; hint: install an MPI library (Debian: openmpi-bin or mpich)")
	}
	for _, l := range found {
		if l.Family == launch.OpenMPI && os.Geteuid() == 0 && os.Getenv("OMPI_ALLOW_RUN_AS_ROOT") == "" {
			e.line(warn, "root: Open MPI refuses to run as root; hint: set OMPI_ALLOW_RUN_AS_ROOT=1 and "+
				"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1")
			break
		}
	}
}

// probes builds a probe with each compiler wrapper, into a directory that is thrown away if there is no cache.
func (e *examination) probes(ctx context.Context) {
	if dir := os.Getenv("UNKNOT_PROBE_DIR"); dir != "" {
		e.prebuilt(dir)
		return
	}
	wrappers, ready := launch.Wrappers(), probe.ListReady()
	if len(ready) > 0 {
		var libraries []string
		for _, p := range ready {
			libraries = append(libraries, p.MPI)
		}
		slices.Sort(libraries)
		e.line(ok, "probe: part of this unknot are those for %s; programs of these and similar libraries need "+
			"no compiler", strings.Join(libraries, ", "))
	}
	if len(wrappers) == 0 {
		const hint = "hint: install the development package of your MPI (Debian: libopenmpi-dev or libmpich-dev)"
		if len(ready) > 0 {
			e.line(warn, "mpicc: none in PATH; programs of other MPI libraries cannot be watched; "+hint)
		} else {
			e.line(bad, "mpicc: none in PATH; "+hint+", or set UNKNOT_PROBE_DIR")
		}
		return
	}
	works := false
	for _, w := range wrappers {
		spare, err := os.MkdirTemp("", "unknot-doctor-")
		if err != nil {
			e.line(bad, "temporary directory: %v", err)
			return
		}
		p, err := probe.Build(ctx, probe.Options{MPICC: w, FallbackDir: spare, Say: supervise.NewStatus(os.Stderr).Say})
		os.RemoveAll(spare)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			e.line(warn, "probe: %v", err)
			continue
		}
		works = true
		e.line(ok, "probe: %s builds it for %s (%s)", w, p.MPI, p.Soname)
	}
	if !works && len(ready) == 0 {
		e.line(bad, "probe: no compiler wrapper can build it; hint: install gcc and the headers of your C library")
	}
}

// accesses says what `unknot mpicc` can do with each compiler wrapper.
func (e *examination) accesses(ctx context.Context, wrappers []string) {
	for _, w := range wrappers {
		switch compiler, lacking, err := access.Means(ctx, w); {
		case err != nil:
			e.line(warn, "unknot mpicc: %v", err)
		case lacking != "":
			e.line(warn, "unknot mpicc: %s calls %s; accesses to variables by their names are not seen: %s", w,
				compiler, lacking)
		case compiler == access.Clang:
			e.line(ok, "unknot mpicc: %s calls clang; which accesses to windows are atomic or volatile is not known", w)
		default:
			e.line(ok, "unknot mpicc: %s calls gcc", w)
		}
	}
}

// prebuilt lists the probes that need no compiler.
func (e *examination) prebuilt(dir string) {
	probes, err := probe.ListPrebuilt(dir)
	if err != nil {
		e.line(bad, "probe: UNKNOT_PROBE_DIR: %v", err)
		return
	}
	for _, p := range probes {
		e.line(ok, "probe: UNKNOT_PROBE_DIR=%s has one for %s (%s), so no compiler is needed", dir, p.MPI, p.Soname)
	}
}

// enoughRanks is for how many ranks there should be space.
const enoughRanks = 64

func (e *examination) space() {
	each := ring.RingBytes(ring.DefaultSlots) + ring.OfMPI
	var fs syscall.Statfs_t
	if err := syscall.Statfs("/dev/shm", &fs); err != nil {
		e.line(warn, "/dev/shm: %v; rings are kept in %s, which may be slower", err, os.TempDir())
		return
	}
	free := fs.Bavail * uint64(fs.Bsize)
	if free < enoughRanks*each {
		e.line(warn, "/dev/shm: %d MiB free, enough for %d ranks on this machine; hint: enlarge it (mount -o "+
			"remount,size=1g /dev/shm)",
			free>>20, free/each)
		return
	}
	e.line(ok, "/dev/shm: %d MiB free, enough for %d ranks on this machine", free>>20, free/each)
}

func (e *examination) cache() {
	base, err := os.UserCacheDir()
	if err == nil {
		dir := filepath.Join(base, "unknot")
		if err := owned.Check(dir); err != nil {
			e.line(warn, "cache: %s is not used: %v; the probe is compiled again for each run; %s", dir,
				err, owned.Hint)
			return
		}
		if err = os.MkdirAll(dir, 0o755); err == nil {
			if err = unix.Access(dir, unix.W_OK); err == nil {
				e.line(ok, "cache: %s", dir)
				return
			}
		}
	}
	e.line(warn,
		"cache: %v: the probe is compiled again for each run; hint: set XDG_CACHE_HOME to a writable directory", err)
}

func (e *examination) cores() {
	n := runtime.NumCPU()
	if n == 1 {
		e.line(warn, "cores: 1: ranks and unknot share it")
		return
	}
	e.line(ok, "cores: %d", n)
	e.line(ok, "ptrace: not needed")
}

func (e *examination) python() {
	python, err := exec.LookPath("python3")
	if err != nil {
		e.line(ok, "python: none in PATH")
		return
	}
	const script = "import mpi4py; print(mpi4py.__version__)"
	out, err := exec.Command(python, "-c", script).Output()
	if err != nil {
		e.line(ok, "python: %s has no mpi4py (needed for Python programs only)", python)
		return
	}
	e.line(ok, "python: %s with mpi4py %s", python, strings.TrimSpace(string(out)))
}

// prebuiltFor makes sure that a program's library has a probe where a compiler is not asked for one.
func (e *examination) prebuiltFor(soname string) {
	dir := os.Getenv("UNKNOT_PROBE_DIR")
	if dir == "" {
		return
	}
	probes, err := probe.ListPrebuilt(dir)
	if err != nil {
		return // prebuilt has said so
	}
	if !slices.ContainsFunc(probes, func(p *probe.Probe) bool { return p.Soname == soname }) {
		e.line(bad, "program: no probe in UNKNOT_PROBE_DIR=%s is for %s; hint: `unknot probe build -o %s` on a "+
			"machine with that MPI",
			dir, soname, dir)
	}
}

func (e *examination) program(path string) {
	word := path
	if _, err := os.Stat(path); err == nil && !strings.Contains(path, "/") {
		word = "./" + path
	}
	job, err := launch.Recognise([]string{word}, launch.Options{})
	if err != nil {
		e.line(bad, "program: %v", err)
		return
	}
	for _, w := range job.Warnings {
		e.line(warn, "program: %s", w)
	}
	p := job.Programs[0]
	if p.MPI.Soname != "" {
		e.line(ok, "program: %s needs %s, %s", p.Path, p.MPI.Family, p.MPI.Soname)
		e.prebuiltFor(p.MPI.Soname)
	}
	if p.Interpreter != "" {
		e.line(ok, "program: %s is a script for %s", p.Path, p.Interpreter)
		return
	}
	if launch.HasDebugInformation(p.Path) {
		e.line(ok, "debug information: %s has it", p.Path)
		return
	}
	e.line(warn, "debug information: %s has none, so reports cannot name files and lines; hint: compile with -g",
		p.Path)
}
