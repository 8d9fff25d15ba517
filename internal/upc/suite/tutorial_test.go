//go:build !quick

package suite

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tutorials reads the five programs of the published tutorial, written anew. A program's want has all facts of the
// published message.
func tutorials(t *testing.T) []*program {
	t.Helper()
	paths, err := filepath.Glob("testdata/tutorial/*.want")
	if err != nil || len(paths) != 5 {
		t.Fatalf("%d programs: %v", len(paths), err)
	}
	var all []*program
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		w, err := parseWant(string(text))
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		p := &program{section: "tutorial", name: strings.TrimSuffix(filepath.Base(path), ".want"), threads: []int{4},
			wants: []want{w}}
		for _, name := range []string{p.name + ".upc", p.name + "_s.upc"} {
			text, err := os.ReadFile("testdata/tutorial/" + name)
			if os.IsNotExist(err) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			p.wrong = append(p.wrong, source{name, string(text)})
		}
		all = append(all, p)
	}
	return all
}

// tutorialSection runs them with four threads, as the tutorial does; with one MPI library they are compiled for that
// number.
func tutorialSection(t *testing.T, s *scores) {
	for _, p := range tutorials(t) {
		s.has(p.section, p.name)
		for mpi, options := range map[string][]string{"mpich": {"-T", "4", "-lm"}, "openmpi": {"-lm"}} {
			t.Run(p.name+"-"+mpi, func(t *testing.T) {
				t.Parallel()
				l := launch{mpi: mpi, threads: 4}
				s.add(p.section, p.name, l, judge(t, p, l, shared.compile(t, mpi, false, options, p.wrong...)))
				silentOne(t, l, shared.compile(t, mpi, true, append([]string{"-DFIXED"}, options...), p.wrong...), p)
			})
		}
	}
}
