package probe

import (
	"bytes"
	"compress/gzip"
	"debug/elf"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// readyEntry is a probe that is part of unknot, as it is if `make probes` has made some before it was built: readyFiles
// have of each a file .json, and two libraries .gz.
type readyEntry struct {
	Probe
	File    string `json:"file"`
	Print   string `json:"fingerprint"`
	Machine string `json:"machine"` // as debug/elf names it
	// Functions are those of MPI that it wraps.
	Functions []string `json:"functions"`
}

// Ready is the probe that is part of this unknot and fits the program's MPI library (Options.Library), unpacked into
// the cache; nil if there is none.
func Ready(o Options) (*Probe, error) {
	return ready(o, listPacked(readyFiles, readyDir, fingerprint()), readyFiles, readyDir)
}

// ListReady are all probes that are part of this unknot.
func ListReady() []*Probe {
	var probes []*Probe
	for _, e := range listPacked(readyFiles, readyDir, fingerprint()) {
		probes = append(probes, &e.Probe)
	}
	return probes
}

// Fitting gives the files of packed probes in a directory that were made by these sources, so that an unknot that they
// become part of uses them.
func Fitting(dir string) (files []string) {
	for _, e := range listPacked(os.DirFS(dir), ".", fingerprint()) {
		name := filepath.Join(dir, strings.TrimSuffix(e.File, ".so"))
		files = append(files, name+".heap.so.gz", name+".json", name+".so.gz")
	}
	return files
}

// readyDir is where those for this unknot's machine are in readyFiles, which has no others.
const readyDir = "ready/" + runtime.GOARCH

// listPacked reads the entries of those in a directory that were made by these sources. One that cannot be read counts
// as none.
func listPacked(files fs.FS, dir, print string) (list []*readyEntry) {
	names, _ := fs.Glob(files, path.Join(dir, "*.json"))
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		var e readyEntry
		if err == nil && json.Unmarshal(text, &e) == nil && e.Print == print {
			list = append(list, &e)
		}
	}
	return list
}

func ready(o Options, list []*readyEntry, files fs.FS, from string) (*Probe, error) {
	if o.Library == "" || len(list) == 0 {
		return nil, nil
	}
	machine, functions, err := wraps(o.Library)
	if err != nil {
		return nil, nil // whoever needs the library says what is wrong with it
	}
	e := fitting(list, o.Family, machine, functions)
	if e == nil {
		return nil, nil
	}
	dir, _ := o.cache()
	if dir == "" || writable(dir) != nil {
		if dir = o.FallbackDir; dir == "" {
			return nil, errors.New("the cache cannot be written; hint: set XDG_CACHE_HOME to a writable directory")
		}
	}
	p := e.Probe
	p.Path = filepath.Join(dir, e.File)
	if o.Soname != "" {
		p.Soname = o.Soname // libmpi.so.12 and libmpich.so.12 are one ABI, for instance
	}
	for _, path := range []string{p.Path, p.HeapPath()} {
		if err := unpack(files, from+"/"+filepath.Base(path)+".gz", path); err != nil {
			return nil, err
		}
	}
	return &p, nil
}

// fitting is the probe for a library: each function that it wraps is in there, and no other such probe wraps more of
// them. The header of the standard ABI has functions that libraries with that ABI lack, and so no program calls.
func fitting(list []*readyEntry, family, machine string, functions []string) (best *readyEntry) {
	there := map[string]bool{}
	for _, f := range functions {
		there[f] = true
	}
	for _, e := range list {
		lacks := family != standard && slices.ContainsFunc(e.Functions, func(f string) bool { return !there[f] })
		if e.family() == family && e.Machine == machine && !lacks &&
			(best == nil || len(e.Functions) > len(best.Functions)) {
			best = e
		}
	}
	return best
}

// wraps gives the functions of MPI that a library defines, and the machine that it is for.
func wraps(library string) (machine string, functions []string, err error) {
	f, err := elf.Open(library)
	if err != nil {
		return "", nil, err
	}
	defer f.Close()
	symbols, err := f.DynamicSymbols()
	if err != nil {
		return "", nil, err
	}
	for _, s := range symbols {
		// Those in capitals are Fortran's.
		if s.Section != elf.SHN_UNDEF && strings.HasPrefix(s.Name, "MPI_") && elf.ST_TYPE(s.Info) != elf.STT_OBJECT &&
			strings.ToUpper(s.Name) != s.Name {
			functions = append(functions, s.Name)
		}
	}
	slices.Sort(functions)
	return f.Machine.String(), functions, nil
}

// unpack writes a compressed file, unless it is there.
func unpack(files fs.FS, name, path string) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	text, err := fs.ReadFile(files, name)
	if err != nil {
		return err
	}
	from, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return put(path, 0o755, func(w io.Writer) error {
		_, err := io.Copy(w, from)
		return err
	})
}

// Pack makes probes that Prebuild has put into a directory ready to become part of unknot, in another directory.
func Pack(from, to string) error { return packAll(from, to, theProbe()) }

func packAll(from, to string, k *kind) error {
	fit, _, err := k.listPrebuilt(from)
	if err != nil {
		return err
	}
	for _, p := range fit {
		e := readyEntry{Probe: p.Probe, File: p.File, Print: p.Print}
		if e.Machine, e.Functions, err = wraps(p.Path); err != nil {
			return err
		}
		for _, path := range k.files(&p.Probe) {
			if err := pack(path, filepath.Join(to, filepath.Base(path)+".gz")); err != nil {
				return err
			}
		}
		text, err := json.Marshal(e)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, strings.TrimSuffix(e.File, ".so")+".json"), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func pack(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err = z.Write(text); err == nil {
		err = z.Close()
	}
	if err != nil {
		return err
	}
	return os.WriteFile(to, b.Bytes(), 0o644)
}
