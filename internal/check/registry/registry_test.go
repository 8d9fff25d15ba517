package registry

import (
	"slices"
	"testing"

	"unknot/internal/check"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/wire"
)

// Each check has a name and codes of its own, and each directory a family.
func TestChecksAndCodesAreNamedOnce(t *testing.T) {
	names, codes := make(map[string]bool), make(map[finding.Code]bool)
	for _, f := range ordered() {
		if place(f) < 0 {
			t.Errorf("the first check of a directory is of no family: %+v", f.checkers)
		}
	}
	for _, c := range Checkers() {
		if names[c.Name] || !slices.Contains(check.Families(), c.Family) {
			t.Errorf("%s of the family %q is there twice, or of no family", c.Name, c.Family)
		}
		names[c.Name] = true
		for _, d := range c.Codes {
			if codes[d.Code] {
				t.Errorf("%s is there twice", d.Code)
			}
			codes[d.Code] = true
		}
	}
}

// A note is read as what was written, by its kind; one of a kind that no directory has is refused.
func TestNotesAreReadByTheirKinds(t *testing.T) {
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	kinds := make(map[uint64]bool)
	for _, b := range bodies() {
		if kinds[b.Kind()] {
			t.Errorf("two bodies are of kind %d", b.Kind())
		}
		kinds[b.Kind()] = true
	}
	w, r := wire.NewWriter(), wire.NewReader(table)
	w.Begin(nil)
	w.Int(3)
	w.Uint(99)
	r.Begin(w.End())
	var n Carried
	n.Get(r)
	if r.End() == nil {
		t.Error("a note of kind 99 is read")
	}
}
