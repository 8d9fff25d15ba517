package syntax

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"
	"testing"
)

// seeds adds the sources of the golden cases to a fuzz target's corpus.
func seeds(f *testing.F) {
	for _, pattern := range []string{"testdata/trees/*.txt", "testdata/errors/*.txt"} {
		paths, _ := filepath.Glob(pattern)
		for _, path := range paths {
			for _, c := range goldenCases(f, path) {
				f.Add([]byte(c.source))
			}
		}
	}
}

// FuzzLexer checks that the tokens of any text are in order and within it.
func FuzzLexer(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		file := &File{Path: "t.upc", Text: text}
		diags := lex(file)
		end := int32(0)
		for i, token := range file.Tokens {
			if token.Offset < end || token.Offset+token.Length > int32(len(text)) ||
				token.File >= int32(len(file.Names)) {
				t.Fatalf("token %d %+v in %d bytes", i, token, len(text))
			}
			end = token.Offset + token.Length
		}
		if n := len(file.Tokens); n == 0 || file.Tokens[n-1].Kind != EOF {
			t.Fatal("no token EOF at the end")
		}
		checkDiagnostics(t, file, diags)
	})
}

// FuzzParser checks that any text gives a tree whose nodes cover the text without overlapping, and diagnostics that can
// be printed.
func FuzzParser(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		file, diags := Parse("t.upc", text)
		if err := disjoint(file); err != nil {
			t.Fatal(err)
		}
		last := file.Tokens[len(file.Tokens)-1]
		if got := reproduce(file); !bytes.Equal(got, text[:last.Offset]) {
			t.Fatalf("the nodes reproduce %q", got)
		}
		checkDiagnostics(t, file, diags)
		Print(io.Discard, file, diags)
	})
}

func checkDiagnostics(t *testing.T, file *File, diags []Diagnostic) {
	t.Helper()
	for _, d := range diags {
		if d.Pos < 0 || int(d.Pos) >= len(file.Tokens) || d.Message == "" || strings.Contains(d.Message, "\n") {
			t.Fatalf("diagnostic %+v of %d tokens", d, len(file.Tokens))
		}
		checkDiagnostics(t, file, d.Notes)
	}
}

// TestDeepNestingIsTold proves that sources that are nested too deeply end in a diagnostic and not in a full stack.
func TestDeepNestingIsTold(t *testing.T) {
	const n = 30_000
	for _, source := range []string{
		"int a = " + strings.Repeat("(", n) + "1" + strings.Repeat(")", n) + ";",
		"int a = " + strings.Repeat("- ", n) + "1;",
		"int a = " + strings.Repeat("x = ", n) + "1;",
		"int a = " + strings.Repeat("x ? 1 : ", n) + "1;",
		"int a = " + strings.Repeat("sizeof ", n) + "1;",
		"int a = " + strings.Repeat("(int)", n) + "1;",
		"int " + strings.Repeat("(", n) + "a" + strings.Repeat(")", n) + ";",
		"int a = " + strings.Repeat("{", n) + strings.Repeat("}", n) + ";",
		"void f(void) " + strings.Repeat("{", n) + strings.Repeat("}", n),
		"void f(void) { " + strings.Repeat("if (1) ", n) + "; }",
		"void f(void) { " + strings.Repeat("if (1) ; else ", n) + "; }",
		"void f(void) { " + strings.Repeat("a: ", n) + "; }",
		strings.Repeat("struct { ", n) + "int a;" + strings.Repeat(" };", n),
		"int f" + strings.Repeat("(int (*)", n) + strings.Repeat(")", n) + ";",
		"int a = " + strings.Repeat("({ int b = ", n) + "1" + strings.Repeat("; })", n) + ";",
		strings.Repeat("typeof(", n) + "int" + strings.Repeat(")", n) + " a;",
	} {
		_, diags := Parse("t.c", []byte(source))
		if len(diags) != 1 || !strings.Contains(diags[0].Message, "nested too deeply") {
			t.Errorf("%.40s…: %d diagnostics, %.1v; want one of the depth", source, len(diags),
				diags[:min(len(diags), 3)])
		}
	}
}

// TestLongChainsAreRead proves that what is long and not deep is no problem.
func TestLongChainsAreRead(t *testing.T) {
	const n = 30_000
	for _, source := range []string{
		"int a = 1" + strings.Repeat(" + 1", n) + ";",
		"int a = (1" + strings.Repeat(", 1", n) + ");",
		"int a[] = { 1" + strings.Repeat(", 1", n) + "};",
		"int a = x" + strings.Repeat("[1]", n) + ";",
		"char *a = \"\"" + strings.Repeat(" \"a\"", n) + ";",
		"int " + strings.Repeat("*", n) + "a;",
		"int a" + strings.Repeat("[1]", n) + ";",
		"void f(void) {" + strings.Repeat("x;", n) + "}",
	} {
		silent(t, source[:20], []byte(source))
	}
}
