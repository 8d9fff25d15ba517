//go:build !quick

package lower

import (
	"os/exec"
	"path/filepath"
	"testing"

	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
)

// TestPlainC: what has nothing of UPC goes through the printing of every node unchanged, token for token. Lower itself
// does not even look into such declarations.
func TestPlainC(t *testing.T) {
	sources, err := filepath.Glob("../../testdata/c/*.c")
	if err != nil {
		t.Fatal(err)
	}
	sources = append(sources, "testdata/plain.c")
	for _, path := range sources {
		text, err := exec.Command("gcc", "-E", "-std=gnu11", path).Output()
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		file, diagnostics := syntax.Parse(path, text)
		c := Config{Config: types.Config{MaxBlock: 1 << 20, PointerSize: 8, PointerAlign: 8}}
		info := types.Check(file, c.Config)
		for _, d := range append(diagnostics, info.Diagnostics...) {
			if d.Severity == syntax.Error {
				t.Errorf("%s: error: %s", file.Position(d.Pos), d.Message)
			}
		}
		l := newLowerer(file, info, c)
		for _, d := range file.Decls {
			l.node(d)
		}
		again, _ := syntax.Parse(path, l.Printed("").Bytes)
		want, got := spellings(file), spellings(again)
		for i := range min(len(want), len(got)) {
			if want[i] != got[i] {
				t.Errorf("%s: %s is printed as %s", file.Position(syntax.Pos(i)), want[i].text, got[i].text)
				break
			}
		}
		if len(want) != len(got) {
			t.Errorf("%s: %d tokens are printed as %d", path, len(want), len(got))
		}
	}
}

// printed is a token with its line.
type printed struct {
	text string
	line int32
}

func spellings(f *syntax.File) []printed {
	var list []printed
	for _, t := range f.Tokens[:len(f.Tokens)-1] {
		list = append(list, printed{string(f.Text[t.Offset : t.Offset+t.Length]), t.Line})
	}
	return list
}
