package driver

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"unknot/internal/kit/owned"
	"unknot/internal/kit/scratch"
	"unknot/internal/observe/probe"
	"unknot/internal/upc/rt"
)

// nativeChecker gives the checker's run-time as objects of a native compiler, for the linker. A program that does
// without some checks has its own object that says so.
func (c *compilation) nativeChecker() ([]string, error) {
	if c.checks == nil || c.shared {
		return nil, nil
	}
	objects, err := c.keptChecker()
	if err != nil || c.checks.without == 0 {
		return objects, err
	}
	dir, err := os.MkdirTemp(c.temp, "upck-*")
	if err != nil {
		return nil, err
	}
	own, err := c.compileChecker(dir, rt.Files{factsFile: factsText("", c.checks.without)})
	rest := slices.DeleteFunc(objects, func(path string) bool {
		return filepath.Base(path) == strings.TrimSuffix(factsFile, ".upc")+".o"
	})
	return append(own, rest...), err
}

// keptChecker gives the objects of all programs. They are compiled when a program is linked for the first time, and
// kept for the next one with the same compiler and options.
func (c *compilation) keptChecker() ([]string, error) {
	sources := checkerSources()
	name, err := c.tool.identity()
	if err != nil {
		return nil, err
	}
	cache, err := cacheDir()
	if err != nil {
		cache = c.temp
	}
	print := hashed(sources, name)
	dir := filepath.Join(cache, "upck-"+print)
	if objects := objectsIn(dir); objects != nil {
		return objects, nil
	}
	end, err := scratch.Turn(c.tool.ctx, filepath.Join(cache, checkerPrefix+print))
	if err != nil {
		return nil, err
	}
	defer end()
	if objects := objectsIn(dir); objects != nil {
		return objects, nil // made while this one waited
	}
	made, err := scratch.New(cache, checkerPrefix)
	if err != nil {
		return nil, err
	}
	defer made.Remove()
	if _, err := c.compileChecker(made.Path, sources); err != nil {
		return nil, err
	}
	// On a file system without locks another process may have made the same at the same time.
	if err := os.Rename(made.Path, dir); err != nil && objectsIn(dir) == nil {
		return nil, err
	}
	return objectsIn(dir), nil
}

func objectsIn(dir string) []string {
	if owned.CheckTree(dir) != nil {
		return nil
	}
	objects, _ := filepath.Glob(filepath.Join(dir, "*.o")) // the pattern is not malformed
	slices.Sort(objects)
	return objects
}

// identity says which compiler this is, with which options: another one makes other objects. A new version has another
// size or time.
func (t *runner) identity() (string, error) {
	paths := []string{t.path}
	if target, err := filepath.EvalSymlinks(t.path); err == nil && target != t.path {
		paths = append(paths, target)
	}
	inputs, err := probe.Inputs(paths...)
	return fmt.Sprintf("%s %q %v %s", runtime.GOARCH, t.first, inputs, probe.WrapperSettings()), err
}
