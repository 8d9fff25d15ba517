package syntax

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the expected results anew")

// A file of golden cases is a sequence of "=== title", the source, "---" and what comes out of it.
type goldenCase struct{ title, source, want string }

func goldenCases(t testing.TB, path string) []goldenCase {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all []goldenCase
	for _, part := range strings.Split("\n"+string(data), "\n=== ")[1:] {
		title, rest, _ := strings.Cut(part, "\n")
		source, want, _ := strings.Cut(rest, "\n---\n")
		all = append(all, goldenCase{title, strings.TrimSuffix(source, "\n") + "\n", strings.TrimSuffix(want, "\n")})
	}
	return all
}

// golden compares what show makes of each case with what the files say, or with -update writes it there.
func golden(t *testing.T, pattern string, show func(source string) string) {
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no files %s: %v", pattern, err)
	}
	for _, path := range paths {
		var b strings.Builder
		for _, c := range goldenCases(t, path) {
			got := strings.TrimSuffix(show(c.source), "\n")
			if got != c.want && !*update {
				t.Errorf("%s: %s:\n%s\ngot:\n%s\nwant:\n%s", path, c.title, c.source, got, c.want)
			}
			fmt.Fprintf(&b, "=== %s\n%s---\n%s\n", c.title, c.source, got)
		}
		if *update {
			if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestTrees compares the trees of small sources with the expected ones.
func TestTrees(t *testing.T) {
	golden(t, "testdata/trees/*.txt", func(source string) string {
		f, diags := Parse("t.upc", []byte(source))
		if len(diags) > 0 {
			t.Errorf("%s%v", source, diags)
		}
		if err := disjoint(f); err != nil {
			t.Errorf("%s%v", source, err)
		}
		var b strings.Builder
		for _, d := range f.Decls {
			b.WriteString(dump(d) + "\n")
		}
		return b.String()
	})
}

// TestErrors compares what is reported of faulty sources, as it is printed, with the expected text.
func TestErrors(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "t.upc")
	golden(t, "testdata/errors/*.txt", func(source string) string {
		if err := os.WriteFile(path, []byte(source), 0o666); err != nil {
			t.Fatal(err)
		}
		f, diags := Parse(path, []byte(source))
		if err := disjoint(f); err != nil {
			t.Errorf("%s%v", source, err)
		}
		var b bytes.Buffer
		Print(&b, f, diags)
		return strings.ReplaceAll(b.String(), dir+"/", "")
	})
}

// TestSpansReproduceTheText puts the texts of the nodes together and compares them with the file, for all the trees.
func TestSpansReproduceTheText(t *testing.T) {
	paths, _ := filepath.Glob("testdata/trees/*.txt")
	for _, path := range paths {
		for _, c := range goldenCases(t, path) {
			f, _ := Parse("t.upc", []byte(c.source))
			if got := reproduce(f); !bytes.Equal(got, f.Text) {
				t.Errorf("%s: %s:\n%s\ngot:\n%s", path, c.title, c.source, got)
			}
		}
	}
}
