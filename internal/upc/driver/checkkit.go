package driver

import (
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"unknot/internal/kit/scratch"
	"unknot/internal/upc/back/instrument"
	"unknot/internal/upc/check/catalogue"
	"unknot/internal/upc/layout"
	"unknot/internal/upc/rt"
)

// checkerSources are the UPC sources and headers of the checker's run-time and of the wrappers, by their names.
func checkerSources() rt.Files {
	all := rt.Check()
	maps.Copy(all, rt.Ledger())
	maps.Copy(all, catalogue.Sources())
	return all
}

// checkArchive returns the checker's run-time as an archive of the kit. It is made when it is first asked for.
func (c *compilation) checkArchive() (string, error) {
	sources := checkerSources()
	maps.Copy(sources, catalogue.Passages())
	name := hashed(sources)
	archive := filepath.Join(c.kit.dir, "libupck-"+name+".a")
	if _, err := os.Stat(archive); err == nil {
		return archive, nil
	}
	scratch.Sweep(c.kit.dir, checkerPrefix)
	end, err := scratch.Turn(c.tool.ctx, filepath.Join(c.kit.dir, checkerPrefix+name))
	if err != nil {
		return "", err
	}
	defer end()
	if _, err := os.Stat(archive); err == nil {
		return archive, nil // made while this one waited
	}
	dir, err := scratch.New(c.kit.dir, checkerPrefix)
	if err != nil {
		return "", err
	}
	defer dir.Remove()
	objects, err := c.compileChecker(dir.Path, sources)
	if err != nil {
		return "", err
	}
	made := filepath.Join(dir.Path, "libupck.a")
	if _, err := quietly(c.tool.ctx, "ar", append([]string{"rcsD", made}, objects...)...); err != nil {
		return "", err
	}
	return archive, os.Rename(made, archive)
}

// hashed names sources by what they are, and what else goes into their objects.
func hashed(sources rt.Files, more ...string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%q", more)
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		fmt.Fprintf(h, "%s\x00%d\x00%s", name, len(sources[name]), sources[name])
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// compileChecker compiles sources of the checker in a separate directory.
func (c *compilation) compileChecker(dir string, sources rt.Files) ([]string, error) {
	var paths []string
	if err := sources.Write(dir); err != nil {
		return nil, err
	}
	for name := range sources {
		if filepath.Ext(name) == ".upc" {
			paths = append(paths, filepath.Join(dir, name))
		}
	}
	slices.Sort(paths)
	objects, errs := make([]string, len(paths)), make([]error, len(paths))
	limit := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for i, path := range paths {
		objects[i] = strings.TrimSuffix(path, ".upc") + ".o"
		wg.Go(func() {
			limit <- struct{}{}
			defer func() { <-limit }()
			errs[i] = c.compilePart(path, objects[i])
		})
	}
	wg.Wait()
	return objects, errors.Join(errs...)
}

// compilePart compiles one source of the checker, without checks.
func (c *compilation) compilePart(path, object string) error {
	var told strings.Builder
	tool := *c.tool
	tool.stderr, tool.verbose = &told, false
	own := &command{stage: link, native: c.native, noWarn: true, words: []word{
		{text: []string{"-O2"}, use: forAll}, {text: []string{"-g"}, use: forAll},
		{text: []string{"-fPIC"}, use: forCompiler}, {text: []string{"-DUPCR_HIDDEN"}, use: forCompiler},
		{text: []string{"-I" + filepath.Dir(path)}, use: forPreprocessor},
	}}
	if c.tool.native {
		own.words = own.words[:1:1]
		own.words = append(own.words, word{text: []string{"-DUPCK_NATIVE"}, use: forPreprocessor},
			word{text: []string{"-I" + filepath.Dir(path)}, use: forPreprocessor})
	}
	job := &compilation{command: own, tool: &tool, kit: c.kit, temp: c.temp, sizes: c.sizes, family: c.family,
		part: true}
	if !c.tool.native {
		job.sizes = ownSizes(0)
	}
	err := job.compile(path, object)
	var f failed
	if errors.As(err, &f) {
		return fmt.Errorf("%s cannot compile the runtime of the checks: %s", c.tool.path, complaint(told.String()))
	}
	return err
}

// factsFile is the part of the checker's run-time that a program may have its own instead of.
const factsFile = "program.upc"

// factsText is its text: the sources that were compiled without checks, and the checks that are left out.
func factsText(unchecked string, w layout.Without) string {
	list := "0"
	if unchecked != "" {
		list = quoted(unchecked)
	}
	return fmt.Sprintf("extern const char *const upck_unchecked_objects;\nextern const int upck_without;\n"+
		"const char *const upck_unchecked_objects = %s;\nconst int upck_without = %d;\n", list, w)
}

// quoted is a C string literal.
func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// programFacts gives an object that tells the checker's run-time what is special about a linked program, or nothing.
func (c *compilation) programFacts(program string) ([]string, error) {
	known, err := readClaims(program)
	if err != nil {
		return nil, err
	}
	var unchecked []string
	for _, s := range known.sources {
		if !known.checked[s] && !slices.Contains(unchecked, s) {
			unchecked = append(unchecked, s)
		}
	}
	if !defines(program, instrument.UserMain) {
		fmt.Fprintf(c.tool.stderr, "%s: warning: nothing will be checked: main was compiled without checks; hint: "+
			"compile it with upc-check too\n", c.name())
	}
	w := known.without | c.checks.without
	if len(unchecked) == 0 && w == 0 {
		return nil, nil
	}
	source := filepath.Join(c.temp, "program.c")
	if err := os.WriteFile(source, []byte(factsText(strings.Join(unchecked, ", "), w)), 0o666); err != nil {
		return nil, err
	}
	object := filepath.Join(c.temp, "program.o")
	return []string{object}, c.tool.run(io.Discard, "-c", source, "-o", object)
}

// defines says that a program has a function of a name.
func defines(program, name string) bool {
	f, err := elf.Open(program)
	if err != nil {
		return true
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		return true // stripped
	}
	return slices.ContainsFunc(symbols, func(s elf.Symbol) bool { return s.Name == name })
}
