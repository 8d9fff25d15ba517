package house

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const ours = "unknot/internal/"

// voices are the rooms that make the sentences of findings: explain, and the checks with their records. findingRoom is
// the vocabulary that they are made of.
var voices = []string{ours + "say/explain", ours + "check"}

const findingRoom = ours + "vocab/finding"

// sentenceFields are the fields of findings that have sentences or parts of them, by their struct.
var sentenceFields = map[string][]string{"Finding": {"Sentence", "Hint", "Form"}, "Place": {"Reason"},
	"Step": {"Sentence"}, "Note": {"Text"}}

// TestSentencesOfFindingsAreMadeInTwoRooms has all other packages only copy the text of a finding: from a field, or
// from what a function of these rooms gives. Packages that find something out give data to explain.
func TestSentencesOfFindingsAreMadeInTwoRooms(t *testing.T) {
	packages := listPackages(t)
	fset := token.NewFileSet()
	from := exported(fset, packages)
	looked := 0
	for path, p := range packages {
		if !strings.HasPrefix(path, "unknot/") || isVoice(path) || path == findingRoom ||
			strings.HasPrefix(path, ours+"test/") || !slices.Contains(p.Imports, findingRoom) {
			continue
		}
		looked++
		var files []*ast.File
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		w, err := typed(path, fset, from, files...)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			for _, at := range w.sentences(f) {
				t.Errorf("%v: a sentence of a finding is made here; hint: give say/explain the data, and take its words",
					fset.Position(at))
			}
		}
	}
	if looked < 20 {
		t.Errorf("only %d packages were looked at", looked)
	}
}

// listed is what go list says of a package.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles, Imports        []string
}

func listPackages(t *testing.T) map[string]listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles,Imports", "./cmd/...",
		"./internal/...")
	cmd.Dir, cmd.Stderr = root, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	packages := make(map[string]listed)
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		err := d.Decode(&p)
		if errors.Is(err, io.EOF) {
			return packages
		}
		if err != nil {
			t.Fatal(err)
		}
		packages[p.ImportPath] = p
	}
}

func isVoice(path string) bool {
	return slices.ContainsFunc(voices, func(v string) bool { return path == v || strings.HasPrefix(path, v+"/") })
}

// writer finds where a package writes the text of findings.
type writer struct{ *types.Info }

// exported imports packages as the compiler has left them.
func exported(fset *token.FileSet, packages map[string]listed) types.Importer {
	return importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(packages[path].Export)
	})
}

func typed(path string, fset *token.FileSet, from types.Importer, files ...*ast.File) (*writer, error) {
	w := &writer{&types.Info{Uses: make(map[*ast.Ident]types.Object), Types: make(map[ast.Expr]types.TypeAndValue),
		Selections: make(map[*ast.SelectorExpr]*types.Selection)}}
	_, err := (&types.Config{Importer: from}).Check(path, fset, files, w.Info)
	return w, err
}

// sentences are the places in a file where it makes such a text.
func (w *writer) sentences(f *ast.File) (all []token.Pos) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.AssignStmt:
			for i, left := range x.Lhs {
				if s, is := left.(*ast.SelectorExpr); !is || w.Selections[s] == nil ||
					!isSentence(w.Selections[s].Recv(), s.Sel.Name) {
					continue
				}
				if right := x.Rhs[min(i, len(x.Rhs)-1)]; x.Tok != token.ASSIGN || !w.copied(right) {
					all = append(all, x.Pos())
				}
			}
		case *ast.CompositeLit:
			for _, e := range x.Elts {
				if kv, is := e.(*ast.KeyValueExpr); is {
					if key, is := kv.Key.(*ast.Ident); is && isSentence(w.Types[x].Type, key.Name) && !w.copied(kv.Value) {
						all = append(all, kv.Pos())
					}
				} else if isSentence(w.Types[x].Type, "Text") || isSentence(w.Types[x].Type, "Sentence") {
					all = append(all, e.Pos())
				}
			}
		case *ast.CallExpr:
			if w.says(x) && slices.ContainsFunc(x.Args, func(a ast.Expr) bool { return !w.copied(a) }) {
				all = append(all, x.Pos())
			}
		}
		return true
	})
	return all
}

// says tells whether a call gives its arguments to a finding as words.
func (w *writer) says(x *ast.CallExpr) bool {
	f := w.callee(x)
	return f != nil && f.Pkg() != nil && f.Pkg().Path() == findingRoom &&
		slices.Contains([]string{"Remark", "Remarks", "Remarkf", "Say", "SetReason"}, f.Name())
}

func (w *writer) callee(x *ast.CallExpr) types.Object {
	switch f := ast.Unparen(x.Fun).(type) {
	case *ast.Ident:
		return w.Uses[f]
	case *ast.SelectorExpr:
		return w.Uses[f.Sel]
	}
	return nil
}

// copied says whether an expression is no text, one that is in a field, or what a room of sentences gives.
func (w *writer) copied(e ast.Expr) bool {
	switch x := ast.Unparen(e).(type) {
	case *ast.BasicLit:
		return x.Value == `""`
	case *ast.SelectorExpr:
		if w.Selections[x] != nil {
			return w.Selections[x].Kind() == types.FieldVal
		}
		return w.Uses[x.Sel].Pkg() != nil && isVoice(w.Uses[x.Sel].Pkg().Path())
	case *ast.CallExpr:
		f := w.callee(x)
		if f == nil || f.Pkg() == nil {
			return false
		}
		method := f.Type().(*types.Signature).Recv() != nil
		return isVoice(f.Pkg().Path()) || f.Pkg().Path() == findingRoom && method
	}
	return false
}

// isSentence says whether a field of a type has a sentence of a finding.
func isSentence(t types.Type, field string) bool {
	if p, is := t.(*types.Pointer); is {
		t = p.Elem()
	}
	n, is := t.(*types.Named)
	return is && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == findingRoom &&
		slices.Contains(sentenceFields[n.Obj().Name()], field)
}

// TestATextThatIsMadeIsFound has the ways to make one.
func TestATextThatIsMadeIsFound(t *testing.T) {
	const head = "package p\nimport (\"fmt\"; \"strings\"; \"unknot/internal/vocab/finding\"; " +
		"\"unknot/internal/say/explain\")\nvar _, _ = fmt.Sprint, strings.Join\nvar _ = explain.Buffered\n"
	packages := listPackages(t)
	fset := token.NewFileSet()
	from := exported(fset, packages)
	for body, want := range map[string]int{
		`f.Sentence = "It hangs."`:                                          1,
		`f.Sentence = fmt.Sprintf("Rank %d hangs.", 1)`:                     1,
		`text := "so"; f.Hint = text`:                                       1,
		`f.Hint += "more"`:                                                  1,
		`f.Notes = append(f.Notes, finding.Remarkf("%d", 3))`:               1,
		`f.Notes = append(f.Notes, finding.Note{Text: "a " + f.Hint})`:      1,
		`f.Notes = append(f.Notes, finding.Note{"", "a"})`:                  2,
		`*f = finding.Finding{Sentence: finding.Capital("it hangs")}`:       1,
		`f.Say(finding.Wordf("%d", 1))`:                                     1,
		`f.Sentence = ""; g := *f; g.Sentence = f.Sentence`:                 0,
		`f.Notes = append(f.Notes, finding.Remark(explain.Buffered))`:       0,
		`f.Notes = append(f.Notes, finding.Remark(explain.SameCases(nil)))`: 0,
	} {
		file, err := parser.ParseFile(fset, "p.go", head+"func p(f *finding.Finding) {\n"+body+"\n}\n", 0)
		if err != nil {
			t.Fatal(err)
		}
		w, err := typed("p", fset, from, file)
		if err != nil {
			t.Errorf("%s: %v", body, err)
			continue
		}
		if got := len(w.sentences(file)); got != want {
			t.Errorf("%s: %d, want %d", body, got, want)
		}
	}
}
