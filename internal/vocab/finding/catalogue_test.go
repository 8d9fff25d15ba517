package finding

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"unknot/internal/test/testkit"
)

// declaredCodes reads the Code constants from the source, so that a new one cannot be forgotten in Codes.
func declaredCodes(t *testing.T) []Code {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "finding.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var codes []Code
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if id, ok := spec.Type.(*ast.Ident); !ok || id.Name != "Code" {
			return true
		}
		for _, v := range spec.Values {
			s, err := strconv.Unquote(v.(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			codes = append(codes, Code(s))
		}
		return true
	})
	return codes
}

func TestEveryCodeIsDocumented(t *testing.T) {
	declared := declaredCodes(t)
	if len(declared) == 0 || len(declared) != len(Own()) {
		t.Fatalf("finding.go declares %v, Codes lists %v", declared, Own().Codes())
	}
	for _, c := range declared {
		doc, ok := Own().Explain(c)
		if !ok {
			t.Errorf("%s: no record in the catalogue", c)
			continue
		}
		for field, text := range map[string]string{"title": doc.Title, "means": doc.Means, "why": doc.Why,
			"fix":    doc.Fix,
			"broken": doc.Broken, "fixed": doc.Fixed, "since": doc.Since, "severity": string(doc.Severity)} {
			if text == "" {
				t.Errorf("%s: %s is empty", c, field)
			}
		}
		if doc.Code != c {
			t.Errorf("%s: record says code %s", c, doc.Code)
		}
	}
	if _, ok := Own().Explain("no-such-code"); ok {
		t.Error("Explain knows a code that does not exist")
	}
}

func TestNoSnippetIsLeftOver(t *testing.T) {
	dirs, err := os.ReadDir("catalogue")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dirs {
		if _, ok := Own().Explain(Code(d.Name())); !ok {
			t.Errorf("catalogue/%s belongs to no code", d.Name())
		}
	}
}

func TestSnippetsCompileOnBothMPIs(t *testing.T) {
	testkit.NeedsMPI(t)
	files, err := filepath.Glob("catalogue/*/*.c")
	upc, also := filepath.Glob("catalogue/*/*.upc")
	if err := errors.Join(err, also); err != nil || len(files)+len(upc) != 2*len(Own()) {
		t.Fatalf("%d snippets for %d codes (%v)", len(files)+len(upc), len(Own()), err)
	}
	files = slices.DeleteFunc(files, func(f string) bool { return strings.HasPrefix(f, "catalogue/shmem-") })
	for _, cc := range []string{"mpicc.openmpi", "mpicc.mpich"} {
		compiles(t, cc, files)
	}
}

func TestSnippetsCompileWithOpenSHMEM(t *testing.T) {
	testkit.NeedsMPI(t)
	files, err := filepath.Glob("catalogue/shmem-*/*.c")
	if err != nil || len(files) == 0 {
		t.Fatalf("no snippets (%v)", err)
	}
	compiles(t, "oshcc", files)
}

func compiles(t *testing.T, cc string, files []string) {
	t.Helper()
	args := append([]string{"-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"}, files...)
	if out, err := exec.Command(cc, args...).CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%s", cc, err, out)
	}
}
