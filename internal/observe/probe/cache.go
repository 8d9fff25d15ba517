package probe

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"unknot/internal/kit/owned"
	"unknot/internal/kit/scratch"
)

// What the names of directories and files begin with that are there for a moment only.
const (
	buildPrefix = ".build-" // a probe is made there
	entryPrefix = ".entry-" // an entry before it is whole
	trialPrefix = ".write-" // whether the directory can be written
	turnPrefix  = ".turn-"  // a process makes the probe with that name
	// objectPrefix is that of parts of a probe, which stay for as long as it is not complete
	objectPrefix = ".object-"
)

// sweep removes what builds that were killed have left of these.
func sweep(dir string) {
	scratch.Sweep(dir, buildPrefix, entryPrefix, trialPrefix, turnPrefix, objectPrefix)
}

// cache is where probes are kept from one run to the next; "" if there is no such place, with why.
func (o *Options) cache() (dir, note string) {
	dir = o.CacheDir
	if dir == "" {
		base, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Sprintf("no cache: %v", err)
		}
		dir = filepath.Join(base, "unknot")
	}
	if err := owned.Check(dir); err != nil {
		return "", fmt.Sprintf("the cache %s is not used: %v", dir, err)
	}
	return dir, ""
}

// put writes a file; readers see the old one or the new one, never half of it, and processes that do the same at the
// same time do not meet.
func put(path string, mode fs.FileMode, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), entryPrefix+"*")
	if err != nil {
		return err
	}
	err = errors.Join(write(f), f.Chmod(mode), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// entry stands beside a probe in the cache or in a directory of prebuilt ones. It is found without running a compiler:
// its name follows from the wrapper's path, and it holds for as long as the files that the probe was made with are
// unchanged.
type entry struct {
	Probe
	File   string  `json:"file"`
	Print  string  `json:"fingerprint"`
	Inputs []Input `json:"inputs"` // the last one is its mpi.h
}

// entryName differs for what changes the outcome without changing a file: the wrapper's settings in the environment.
func (k *kind) entryName(mpicc string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\x00%s\x00", mpicc, k.print)
	io.WriteString(h, WrapperSettings())
	return k.name + "-" + hex.EncodeToString(h.Sum(nil))[:24] + ".json"
}

// lookUp returns the probe that was built before with this wrapper, or nil.
func (k *kind) lookUp(cache, mpicc string) *Probe {
	path := filepath.Join(cache, k.entryName(mpicc))
	e, err := readEntry(path)
	if err != nil || e.Print != k.print || owned.Check(path) != nil {
		return nil
	}
	if !Unchanged(e.Inputs) {
		return nil
	}
	if !k.there(&e.Probe) {
		return nil
	}
	return &e.Probe
}

func readEntry(path string) (*entry, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var e entry
	if err := json.Unmarshal(text, &e); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	e.Path = filepath.Join(filepath.Dir(path), filepath.Base(e.File))
	return &e, nil
}

// remember writes the entry of a new probe.
func (k *kind) remember(cache, mpicc string, p *Probe, h *mpiHeader) error {
	e := entry{Probe: *p, File: filepath.Base(p.Path), Print: k.print}
	target, err := filepath.EvalSymlinks(mpicc)
	if err != nil {
		return err
	}
	if e.Inputs, err = Inputs(mpicc, target, h.path); err != nil {
		return err
	}
	text, err := json.MarshalIndent(e, "", "  ")
	if err != nil {
		return err
	}
	return put(filepath.Join(cache, k.entryName(mpicc)), 0o600, func(w io.Writer) error {
		_, err := w.Write(append(text, '\n'))
		return err
	})
}

// ListPrebuilt returns the probes in a directory that Prebuild filled. It is an error if this unknot can use none of
// them.
func ListPrebuilt(dir string) ([]*Probe, error) {
	fit, _, err := theProbe().listPrebuilt(dir)
	var probes []*Probe
	for _, e := range fit {
		probes = append(probes, &e.Probe)
	}
	return probes, err
}

// listPrebuilt also says of each probe there, whether of use or not, what it is.
func (k *kind) listPrebuilt(dir string) (fit []*entry, have []string, err error) {
	// The ranks may have other working directories.
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, nil, err
	}
	if err := owned.Check(dir); err != nil {
		return nil, nil, fmt.Errorf("the probes in %s are not used: %w; %s", dir, err, owned.Hint)
	}
	names, err := fs.Glob(os.DirFS(dir), k.name+"-*.json")
	if err != nil {
		return nil, nil, err
	}
	for _, name := range names {
		e, err := readEntry(filepath.Join(dir, name))
		if err != nil {
			return nil, nil, err
		}
		if e.Print != k.print {
			have = append(have, e.Soname+" made by another version of unknot")
			continue
		}
		if _, err := os.Stat(e.Path); err != nil {
			have = append(have, fmt.Sprintf("%s without its file %s", e.Soname, e.File))
			continue
		}
		for _, path := range append(k.files(&e.Probe), filepath.Join(dir, name)) {
			if err := owned.Check(path); err != nil {
				return nil, nil, fmt.Errorf("the probes in %s are not used: %w; %s", dir, err, owned.Hint)
			}
		}
		// Wrappers with two names make one probe, and two compilers make two that are as good for one MPI library.
		if slices.ContainsFunc(fit, e.serves) {
			continue
		}
		have = append(have, e.Soname)
		fit = append(fit, e)
	}
	switch {
	case len(have) == 0:
		err = fmt.Errorf("no prebuilt %s in %s; hint: build one with `unknot probe build -o %s`", k.name, dir, dir)
	case len(fit) == 0:
		err = k.noPrebuilt(dir, "this unknot", have)
	}
	return fit, have, err
}

// serves says whether a probe is for the same MPI library as another: the same one, or made with the same mpi.h.
func (e *entry) serves(o *entry) bool {
	return e.Path == o.Path || len(e.Inputs) > 0 && len(o.Inputs) > 0 &&
		e.Inputs[len(e.Inputs)-1] == o.Inputs[len(o.Inputs)-1]
}

func (k *kind) noPrebuilt(dir, want string, have []string) error {
	const format = "no prebuilt %s in %s for %s, only for %s; hint: `unknot probe build -o %s` on a machine " +
		"with that MPI"
	return fmt.Errorf(format, k.name, dir, want, strings.Join(have, ", "), dir)
}

// choosePrebuilt takes the probe for the program's MPI library: by its name, else by the family.
func choosePrebuilt(dir string, o Options, k *kind) (*Probe, error) {
	fit, have, err := k.listPrebuilt(dir)
	if err != nil {
		return nil, err
	}
	want := o.Soname
	switch {
	case o.Soname != "":
		fit = slices.DeleteFunc(fit, func(e *entry) bool { return e.Soname != o.Soname })
	case o.Family == openMPI || o.Family == mpich || o.Family == standard:
		fit = slices.DeleteFunc(fit, func(e *entry) bool { return e.family() != o.Family })
		want = o.Family
	}
	switch len(fit) {
	case 0:
		return nil, k.noPrebuilt(dir, want, have)
	case 1:
		return &fit[0].Probe, nil
	}
	var of []string
	for _, p := range fit {
		of = append(of, fmt.Sprintf("%s of %s", p.Soname, p.MPI))
	}
	const format = "%d prebuilt probes in %s (%s), and it is unknown which one the program needs; hint: leave " +
		"only one there"
	return nil, fmt.Errorf(format, len(fit), dir, strings.Join(of, ", "))
}

// Families of MPI libraries, by the names that their users know.
const (
	openMPI  = "Open MPI"
	mpich    = "MPICH"
	standard = "the MPI standard ABI" // the one probe for all libraries that have it
)

// family is whose library a probe is for: all but Open MPI share the ABI of MPICH.
func (p *Probe) family() string {
	switch {
	case strings.HasPrefix(p.MPI, openMPI):
		return openMPI
	case strings.HasPrefix(p.Soname, "libmpi_abi."):
		return standard
	}
	return mpich
}
