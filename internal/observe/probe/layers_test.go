//go:build !quick

package probe

import (
	"context"
	"debug/elf"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// layers of the C sources, each a directory. What is in one may use what is in those before it.
var layers = []string{"outside", "writer", "objects", "process"}

func layerOf(name string) int { return slices.Index(layers, path.Dir(name)) }

// allSources are the sources of the probe for an MPI library, with what is generated.
func (f flavour) allSources(t *testing.T) map[string][]byte {
	t.Helper()
	header, err := examine(context.Background(), f.mpicc, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	files, err := sources(header)
	if err != nil {
		t.Fatal(err)
	}
	delete(files, aliases)
	return files
}

var inclusion = regexp.MustCompile(`(?m)^\s*#\s*include\s+"([^"]+)"`)

func included(text []byte) []string {
	var names []string
	for _, m := range inclusion.FindAllSubmatch(text, -1) {
		names = append(names, string(m[1]))
	}
	return names
}

func TestNoLayerIncludesAHigherOne(t *testing.T) {
	onBoth(t, func(t *testing.T, f flavour) {
		files := f.allSources(t)
		for name, text := range files {
			if layerOf(name) < 0 {
				t.Errorf("%s belongs to none of the layers %v", name, layers)
			}
			for _, other := range included(text) {
				if _, there := files[other]; !there {
					t.Errorf("%s includes %s, which is none of the probe's by its path", name, other)
				} else if layerOf(other) > layerOf(name) {
					t.Errorf("%s includes %s of a higher layer", name, other)
				}
			}
		}
		for name := range files {
			if c := circle(files, []string{name}); c != nil {
				t.Errorf("these include each other in a circle: %v", c)
			}
		}
	})
}

// circle is a way of inclusions that begins with the given one and ends where it began, nil if there is none.
func circle(files map[string][]byte, way []string) []string {
	for _, next := range included(files[way[len(way)-1]]) {
		if next == way[0] {
			return append(way, next)
		}
		if slices.Contains(way, next) {
			continue // a circle of others
		}
		if c := circle(files, append(way, next)); c != nil {
			return c
		}
	}
	return nil
}

// The compiler does not report declarations that a file makes itself, so what its object file leaves undefined
// counts.
func TestNoLayerUsesWhatAHigherOneDefines(t *testing.T) {
	byTurns(t, 1, func(t *testing.T, f flavour) {
		dir, files := t.TempDir(), f.allSources(t)
		if err := WriteFiles(dir, files); err != nil {
			t.Fatal(err)
		}
		var objects []string
		for name := range files {
			if strings.HasSuffix(name, ".c") && layers[layerOf(name)] != "process" {
				objects = append(objects, strings.TrimSuffix(name, ".c"))
			}
		}
		var wg sync.WaitGroup
		for _, name := range objects {
			wg.Go(func() {
				if _, err := run(context.Background(), dir, f.mpicc, "-I.", "-std=gnu11", "-fPIC", "-w", "-c",
					name+".c", "-o", name+".o"); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if t.Failed() {
			return
		}
		defined, needed := map[string]int{}, map[string][]string{}
		for _, name := range objects {
			for _, s := range symbols(t, filepath.Join(dir, name+".o"), (*elf.File).Symbols) {
				switch {
				case s.Section == elf.SHN_UNDEF:
					needed[name] = append(needed[name], s.Name)
				case elf.ST_BIND(s.Info) != elf.STB_LOCAL:
					defined[s.Name] = layerOf(name)
				}
			}
		}
		// What the highest layer defines: what it interposes, and all other names that begin as the probe's do.
		interposed := map[string]bool{}
		for _, s := range symbols(t, f.probe(t).Path, (*elf.File).DynamicSymbols) {
			interposed[s.Name] = s.Section != elf.SHN_UNDEF
		}
		if !interposed["MPI_Send"] || !interposed["sigaction"] {
			t.Fatal("the probe interposes neither MPI_Send nor sigaction")
		}
		for _, name := range objects {
			for _, symbol := range needed[name] {
				layer, below := defined[symbol]
				if below && layer <= layerOf(name) {
					continue
				}
				if below || interposed[symbol] || strings.HasPrefix(symbol, "uk_") {
					t.Errorf("%s.c uses %s, which a higher layer defines", name, symbol)
				}
			}
		}
	})
}

func symbols(t *testing.T, file string, of func(*elf.File) ([]elf.Symbol, error)) []elf.Symbol {
	t.Helper()
	e, err := elf.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	list, err := of(e)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// optimization may come first in a generated file.
var optimization = regexp.MustCompile(`^#pragma GCC optimize\("O\d"\)\n`)

// Code in somebody else's process begins with when it runs there, and what it may never do.
func TestEachFileSaysWhatItMayNeverDo(t *testing.T) {
	onBoth(t, func(t *testing.T, f flavour) {
		layout, files := layoutHeaders(), f.allSources(t)
		files["heapsrc/heap.c"] = heapSource
		for name, text := range files {
			_, generated := layout[name]
			if generated || name == "objects/soname.c" { // structs, and a string
				continue
			}
			opening, _, _ := strings.Cut(optimization.ReplaceAllString(string(text), ""), "\n#")
			for _, paragraph := range []string{"// Runs: ", "// Never: "} {
				if !strings.HasPrefix(opening, "// ") || !strings.Contains(opening, "\n"+paragraph) {
					t.Errorf("%s does not open with a comment that has a paragraph %q", name, paragraph)
				}
			}
		}
	})
}

// ends are the words of C by which a process, or its program, ends.
var ends = regexp.MustCompile(
	`\bassert\s*\(|\b(?:abort|exit|_exit|_Exit|quick_exit|pthread_exit|pthread_cancel|raise|kill|killpg|tgkill|pthread_kill|` +
		`sigqueue|SYS_kill|SYS_tkill|SYS_tgkill|SYS_exit|SYS_exit_group|exec[lv]p?e?|__builtin_trap|__builtin_abort|terminate|(?i:p?mpi_abort\w*))\b`)

// Nothing of the probe ends the program, or starts another, except for these reasons.
var allowedEnds = []struct{ file, word, why string }{
	{"outside/outside.c", "kill", "the program's call, which the probe stands before"},
	{"outside/outside.c", "sigqueue", "the same"},
	{"writer/writer.c", "kill", "with signal 0, it asks whether the agent lives"},
	{"process/signals.c", "SYS_tgkill", "the signal that the program has got is sent again, for its default action"},
	{"process/death.c", "_exit", "the program's function, which the probe stands in for"},
	{"process/death.c", "_Exit", "the same by its other name"},
	{"process/death.c", "SYS_exit_group", "what these two do"},
	{"process/death.c", "quick_exit", "the program's function, which the probe stands in for"},
	{"process/death.c", "abort", "a word that the MPI library writes to its launcher"},
	{"process/misfit.c", "execve", "starts the program again without the probe, before any of it has run"},
	{"process/specials.c", "MPI_Abort", "the wrapper's name in C"},
	{"process/specials.c", "PMPI_Abort", "the program's own call"},
	{"process/fortran*.c", "mpi_abort*", "the wrapper's names in Fortran"},
	{"process/fortran*.c", "MPI_ABORT", "another one"},
	{"process/fortran*.c", "pmpi_abort*", "the program's own call"},
	{"process/ordering.c", "kill", "the name of a function that may order threads"},
	{"process/wrappers_hot.c", "PMPI_Abort", "the name of a function that may be recorded"},
}

var comments = regexp.MustCompile(`//[^\n]*|(?s:/\*.*?\*/)`)

func TestNothingEndsTheProgram(t *testing.T) {
	used := map[string]bool{}
	for _, f := range flavours {
		files := f.allSources(t)
		files["heapsrc/heap.c"] = heapSource
		for name, text := range files {
			for _, word := range ends.FindAllString(string(comments.ReplaceAll(text, nil)), -1) {
				i := slices.IndexFunc(allowedEnds, func(a struct{ file, word, why string }) bool {
					file, _ := path.Match(a.file, name)
					match, _ := path.Match(a.word, word)
					return file && match
				})
				if i < 0 {
					t.Errorf("%s, %s: %s ends the program; let it go on without being watched (uk_give_up)",
						f.name, name, word)
					continue
				}
				used[fmt.Sprint(allowedEnds[i])] = true
			}
		}
	}
	for _, a := range allowedEnds {
		if !used[fmt.Sprint(a)] {
			t.Errorf("%s has no %s any more: take it off the list", a.file, a.word)
		}
	}
}

// A probe is kept for as long as its sources are the same, which are those that are embedded.
func TestEverySourceDecidesWhichProbeIsKept(t *testing.T) {
	files, err := runtimeFiles()
	if err != nil {
		t.Fatal(err)
	}
	onDisk := map[string][]byte{}
	err = filepath.WalkDir("csrc", func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name = filepath.ToSlash(name)
		onDisk[strings.TrimPrefix(name, "csrc/")], err = os.ReadFile(name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if !maps.EqualFunc(files, onDisk, slices.Equal) {
		t.Errorf("embedded are %v, there are %v", slices.Sorted(maps.Keys(files)), slices.Sorted(maps.Keys(onDisk)))
	}
}
