//go:build !quick

package gen

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"unknot/internal/vocab/mpi"
)

// The functions that the headers of many MPI libraries declare; `make headers` writes it.
const declaredFile = "../testdata/functions.tsv"

func TestMain(m *testing.M) {
	flag.String("headers", "", "write "+declaredFile+
		" from the preprocessed headers LIBRARY-VERSION.h in this `directory`")
	flag.Parse()
	os.Exit(m.Run())
}

// signature is a function as one line of C, whatever the header calls its parameters.
func signature(p *Proto) string {
	var params []string
	for _, a := range p.Params {
		params = append(params, a.Declare("x"))
	}
	if p.Variadic {
		params = append(params, "...")
	}
	return fmt.Sprintf("%s %s(%s)", p.Return, p.Name, strings.Join(params, ", "))
}

// writeDeclared makes the file of the headers in a directory.
func writeDeclared(t *testing.T, table *mpi.T, dir string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*-*.h"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s: no headers (%v)", dir, err)
	}
	declaring := map[string][]string{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		protos, err := Protos(text)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		for i := range protos {
			// Extensions of a library are passed through and named, unless they have a row.
			if !strings.HasPrefix(protos[i].Name, "MPI_") && table.ByName(protos[i].Name) == nil {
				continue
			}
			s := signature(&protos[i])
			declaring[s] = append(declaring[s], strings.TrimSuffix(filepath.Base(path), ".h"))
		}
	}
	var b strings.Builder
	b.WriteString("# Written by make headers: the functions with a profiling twin that mpi.h of these libraries " +
		"declares, and which of them do.\n")
	var all []string
	for _, path := range paths {
		all = append(all, strings.TrimSuffix(filepath.Base(path), ".h"))
	}
	for _, s := range slices.SortedFunc(maps.Keys(declaring), byName) {
		which := strings.Join(declaring[s], " ")
		if len(declaring[s]) == len(all) {
			which = "all"
		}
		fmt.Fprintf(&b, "%s\t%s\n", s, which)
	}
	fmt.Fprintf(&b, "# all: %s\n", strings.Join(all, " "))
	if err := os.WriteFile(declaredFile, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// extensions are functions of a library whose names say that they are the standard's. As all functions without a row
// they are passed through and named.
var extensions = map[string]string{"MPI_Session_set_info": "Open MPI 5.0 declares it; it is in no standard"}

// byName orders signatures by the names of the functions.
func byName(a, b string) int {
	name := func(s string) string { _, after, _ := strings.Cut(s, " "); return after }
	return cmp.Or(cmp.Compare(name(a), name(b)), cmp.Compare(a, b))
}

// declared reads the file: functions, and which libraries declare them.
func declared(t *testing.T) (protos []Proto, by []string) {
	t.Helper()
	text, err := os.ReadFile(declaredFile)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		s, which, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		of := Declared([]byte(s + ";"))
		if !ok || len(of) != 1 {
			t.Fatalf("%s: %q is no function", declaredFile, line)
		}
		protos, by = append(protos, of[0]), append(by, which)
	}
	return protos, by
}

func TestEveryFunctionOfTheseHeadersHasARow(t *testing.T) {
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	if dir := flag.Lookup("headers").Value.String(); dir != "" {
		writeDeclared(t, table, dir)
	}
	protos, by := declared(t)
	there, excused := map[string]bool{}, map[string]bool{}
	for i := range protos {
		p := &protos[i]
		there[p.Name] = true
		f := table.ByName(p.Name)
		switch {
		case !wrapped(p):
			if f != nil {
				t.Errorf("%s has a row but gets no wrapper", signature(p))
			}
		case f == nil && extensions[p.Name] != "":
		case f == nil:
			t.Errorf("%s has no row; it is in %s", signature(p), by[i])
		case len(f.Params) != len(p.Params):
			t.Errorf("%s has %d parameters, its row %d", signature(p), len(p.Params), len(f.Params))
		default:
			agrees(t, f, p, excused)
		}
	}
	for _, f := range table.Funcs() {
		if !there[f.Name] {
			t.Errorf("%s has a row but no header declares it", f.Name)
		}
	}
	for name := range unrecorded {
		if !excused[name] {
			t.Errorf("nothing needs the exception of %s", name)
		}
	}
}
