//go:build !quick

package suite

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"unknot/internal/upc/check/catalogue"
)

// A mistake is a row of the catalogue with a wrong call and its corrected twin, from testdata/arguments. See core.txt
// for the format.
type mistake struct {
	row       catalogue.Row
	file      string
	line      int
	setup     []string
	cleanup   []string
	shapes    map[int]string
	before    []string // declarations of functions, whose calls are at the mistake's line
	bad, good string
	wants     string
	nodes     bool // only with several nodes
}

// name tells it from the others of its sheet.
func (m mistake) name() string { return fmt.Sprint(m.row.ID, m.line) }

var argumentText = regexp.MustCompile(`^(.*?) = (.*?) :: (.*?) :: (.*?) :: (.*)$`)

// mistakes reads a file of cases. A block stands for each of its functions.
func mistakes(t testing.TB, path string) []mistake {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	functions := map[string]*catalogue.Function{}
	for _, f := range catalogue.Functions() {
		functions[f.Name] = f
	}
	var all []mistake
	var names, setup, cleanup, before []string
	var shapes map[int]string
	lines := strings.Split(string(text), "\n")
	for n, line := range lines {
		switch {
		case line == "", line[0] == '#':
		case line[0] == '@':
			names, setup, cleanup, before, shapes = strings.Fields(line[1:]), nil, nil, nil, map[int]string{}
			if strings.HasPrefix(line, "@ (") {
				names = []string{line[2:]}
			}
		case strings.HasPrefix(line, "| "):
			setup = append(setup, line[2:])
		case strings.HasPrefix(line, "^ "):
			before = append(before, line[2:])
		case strings.HasPrefix(line, "> "):
			cleanup = append(cleanup, line[2:])
		case strings.HasPrefix(line, "~ "):
			index, shape, _ := strings.Cut(line[2:], " ")
			i, err := strconv.Atoi(index)
			if err != nil {
				t.Fatalf("%s:%d: %v", path, n+1, err)
			}
			shapes[i] = shape
		default:
			m := argumentText.FindStringSubmatch(line)
			if m == nil {
				t.Fatalf("%s:%d: no case: %s", path, n+1, line)
			}
			found := false
			for _, name := range names {
				f := functions[name]
				if f == nil {
					t.Fatalf("%s:%d: no function %s", path, n+1, name)
				}
				expand := expansion(f)
				for _, r := range f.Rows {
					if r.Where != catalogue.Wrapper || r.Argument != m[1] || !strings.HasPrefix(r.When, m[2]) {
						continue
					}
					found = true
					all = append(all, mistake{row: r, file: filepath.Base(path), line: n + 1,
						setup: apply(expand, setup), cleanup: apply(expand, cleanup),
						before: apply(expand, before), shapes: shapes, bad: expand.Replace(m[3]),
						good: expand.Replace(m[4]), wants: expand.Replace(m[5]), nodes: strings.HasPrefix(m[3], "N: ")})
				}
			}
			if !found {
				t.Errorf("%s:%d: no row of %v has argument %q and begins with %q", path, n+1, names, m[1], m[2])
			}
		}
	}
	return all
}

func apply(r *strings.Replacer, lines []string) []string {
	var out []string
	for _, l := range lines {
		out = append(out, r.Replace(l))
	}
	return out
}

// expansion puts the function's name for F, and, for reductions, the type of the elements for TYPE.
func expansion(f *catalogue.Function) *strings.Replacer {
	pairs := []string{"F(", f.Name + "(", "N: ", ""}
	for _, p := range f.Params {
		if p.Name == "func" {
			typeName, _, _ := strings.Cut(p.Type, "(*")
			typeName = strings.TrimSpace(typeName)
			pairs = append(pairs, "TYPE", typeName, "SUFFIX", strings.ReplaceAll(typeName, " ", "_"))
		}
	}
	return strings.NewReplacer(pairs...)
}
