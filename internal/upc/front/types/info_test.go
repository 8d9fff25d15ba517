package types

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"unknot/internal/upc/front/syntax"
)

// describe tells of each expression of the function f in a source its type, and what it is converted to.
func describe(t *testing.T, source string, cfg Config) string {
	t.Helper()
	f, diags := syntax.Parse("test.upc", []byte(source))
	info := Check(f, cfg)
	for _, d := range append(diags, info.Diagnostics...) {
		t.Errorf("%v: %s in\n%s", f.Position(d.Pos), d.Message, source)
	}
	var b strings.Builder
	for _, d := range f.Decls {
		fn, ok := d.(*syntax.FuncDecl)
		if !ok {
			continue
		}
		syntax.Walk(fn.Body, func(n syntax.Node) bool {
			x, ok := n.(syntax.Expr)
			if !ok {
				return true
			}
			if e := info.Exprs[x]; e != nil {
				fmt.Fprintf(&b, "%s: %s\n", text(f, x), facts(info, x, e))
			}
			return true
		})
	}
	return b.String()
}

// text is a node as the source writes it.
func text(f *syntax.File, n syntax.Node) string {
	from, to := f.Tokens[n.First()], f.Tokens[n.Last()]
	return string(f.Text[from.Offset : to.Offset+to.Length])
}

func facts(info *Info, x syntax.Expr, e *ExprInfo) string {
	s := e.Type.String()
	if e.Lvalue {
		s += ", lvalue"
	}
	if e.Strict {
		s += ", strict"
	}
	if e.Bits != nil {
		s += fmt.Sprintf(", %d bits at %d.%d", e.Bits.Width, e.Bits.Offset, e.Bits.Bit)
	}
	switch e.Value.Kind {
	case IntegerValue:
		s += fmt.Sprintf(", %d", e.Value.Int)
		if e.Value.Threads {
			s += "*THREADS"
		}
	case FloatValue:
		s += fmt.Sprintf(", %g", e.Value.Float)
	case AddressValue:
		s += ", address"
	case OtherValue:
		s += ", constant"
	}
	if to, ok := info.Converted[x]; ok {
		s += " -> " + to.String()
	}
	return s
}

// TestExpressions compares what is found out of the expressions in the cases of testdata/info with what is written
// there.
func TestExpressions(t *testing.T) {
	compareCases(t, ruleCases(t, "testdata/info/*.txt"), func(k ruleCase) string {
		return describe(t, k.source, Config{Threads: k.threads, Strict: k.strict})
	})
}

// TestObjects looks at the objects of a file and what is noted of their initialisers.
func TestObjects(t *testing.T) {
	const source = `
shared int x; static int y; extern int z; int w = 1; int tentative; int w; _Thread_local int v;
shared [] int buf[9];
struct s { int n; shared int *p; struct { shared [] int *q[3]; } in; } a = { 1, &x, { { buf, [1 ... 2] = &buf[4] } } };
struct s many[4] = { [1 ... 2] = { .p = &x }, [3].in.q[1] = buf };
union { int n; shared int *p; } u = { .p = &x };
shared int *list[] = { &x, 0, &x };
int f(int p, ...) { static shared int local; extern int z; static int s; int automatic; return p + z; }
static inline int g(void);
`
	f, diags := syntax.Parse("test.upc", []byte(source))
	info := Check(f, Config{})
	for _, d := range append(diags, info.Diagnostics...) {
		t.Errorf("%v: %s", f.Position(d.Pos), d.Message)
	}
	var got []string
	for _, o := range info.Objects {
		storage := [...]string{"automatic", "static local", "internal", "external", "thread-local", "none"}[o.Storage]
		s := fmt.Sprintf("%s %s %s", o.Name, storage, o.Type)
		if o.Defined {
			s += " defined"
		}
		if o.Inline {
			s += " inline"
		}
		if o.Function != nil {
			s += " in " + o.Function.Name.Name.Name
		}
		got = append(got, s)
	}
	want := []string{
		"x external shared int defined", "y internal int defined", "z external int", "w external int defined",
		"tentative external int defined",
		"v thread-local int defined", "buf external shared [] int [9] defined", "a external struct s defined",
		"many external struct s [4] defined",
		"u external union <anonymous> defined", "list external shared int *[3] defined",
		"f external int (int, ...) defined",
		"local static local shared int defined in f", "s static local int defined in f", "g internal int (void) inline",
	}
	if !slices.Equal(got, want) {
		t.Errorf("objects: got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	var starts []string
	for init, offsets := range info.Starts {
		starts = append(starts, fmt.Sprintf("%s %s %v", f.Position(init.First()), text(f, init), offsets))
	}
	slices.Sort(starts)
	wantStarts := []string{
		"test.upc:4:81 &x [8]", "test.upc:4:89 buf [16]", "test.upc:4:106 &buf[4] [24 32]",
		"test.upc:5:41 &x [48 88]", "test.upc:5:61 buf [144]", "test.upc:6:44 &x [0]",
		"test.upc:7:24 &x [0]", "test.upc:7:28 0 [8]", "test.upc:7:31 &x [16]",
	}
	slices.Sort(wantStarts)
	if !slices.Equal(starts, wantStarts) {
		t.Errorf("initialisers: got\n%s\nwant\n%s", strings.Join(starts, "\n"), strings.Join(wantStarts, "\n"))
	}
}

// TestDeclare prints types as declarations, for C and for messages.
func TestDeclare(t *testing.T) {
	const source = `
typedef shared [4] int *P; struct s { int x; }; typedef struct { int y; } T;
int a; const char *b[3]; int (*c)(int, const char *, ...); shared [2] int *const d; P e; P (*f[2])(P, struct s *); T g; shared int *shared h;
shared [] double i[4]; int (*(*j)(void))[5]; enum { A } k; unsigned long l; shared struct s *(*m)[3]; void n(); volatile int *restrict *o; shared int (*p)[7];
float q __attribute__((vector_size(16)));
`
	f, diags := syntax.Parse("test.upc", []byte(source))
	info := Check(f, Config{Threads: 2})
	for _, d := range append(diags, info.Diagnostics...) {
		t.Errorf("%v: %s", f.Position(d.Pos), d.Message)
	}
	hook := func(Type) string { return "upcr_ptr" }
	want := map[string][2]string{
		"a": {"int a", "int a"},
		"b": {"const char *b[3]", "const char *b[3]"},
		"c": {"int (*c)(int, const char *, ...)", "int (*c)(int, const char *, ...)"},
		"d": {"shared [2] int *const d", "const upcr_ptr d"},
		"e": {"P e", "upcr_ptr e"},
		"f": {"P (*f[2])(P, struct s *)", "upcr_ptr (*f[2])(upcr_ptr, struct s *)"},
		"g": {"T g", "T g"},
		"h": {"shared int *shared h", "upcr_ptr h"},
		"i": {"shared [] double i[4]", "double i[4]"},
		"j": {"int (*(*j)(void))[5]", "int (*(*j)(void))[5]"},
		"l": {"long unsigned int l", "long unsigned int l"},
		"m": {"shared struct s *(*m)[3]", "upcr_ptr (*m)[3]"},
		"n": {"void n()", "void n()"},
		"o": {"volatile int *restrict *o", "volatile int *restrict *o"},
		"p": {"shared int (*p)[7]", "upcr_ptr p"},
		"q": {"__attribute__((vector_size(16))) float q", "__attribute__((vector_size(16))) float q"},
	}
	for _, o := range info.Objects {
		w, ok := want[o.Name]
		if !ok {
			continue
		}
		if got := Declare(o.Type, o.Name, nil); got != w[0] {
			t.Errorf("declaration of %s: got %q, want %q", o.Name, got, w[0])
		}
		if got := Declare(o.Type, o.Name, hook); got != w[1] {
			t.Errorf("declaration of %s in C: got %q, want %q", o.Name, got, w[1])
		}
		delete(want, o.Name)
	}
	for name := range want {
		t.Errorf("%s is not among the objects", name)
	}
}

// FuzzCheck wants that nothing that the parser yields stops the checker.
func FuzzCheck(f *testing.F) {
	files, err := filepath.Glob("testdata/*/*.txt")
	if err != nil || len(files) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, part := range strings.Split(string(text), "\n=== ") {
			_, source, _ := strings.Cut(part, "\n")
			source, _, _ = strings.Cut(source, "---\n")
			f.Add([]byte(source), 0)
			f.Add([]byte(source), 3)
		}
	}
	f.Fuzz(func(_ *testing.T, source []byte, threads int) {
		file, _ := syntax.Parse("fuzz.upc", source)
		Check(file, Config{Threads: Threads(min(max(threads, 0), 64))})
	})
}
