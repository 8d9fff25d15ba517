// Package registry has all checks: those of the directories beside it, as a list that is generated from them.
package registry

import (
	"embed"
	"fmt"
	"slices"
	"sync"

	"unknot/internal/check"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/wire"
)

//go:generate go run ./generate

// family is a directory of checks.
type family struct {
	checkers []check.Checker
	programs embed.FS
}

// ordered are the directories in the order of the families of their first checks. Errors come after what explains them.
func ordered() []family {
	all := families()
	slices.SortStableFunc(all, func(a, b family) int { return place(a) - place(b) })
	return all
}

func place(f family) int {
	return slices.IndexFunc(check.Families(), func(name check.Family) bool {
		return len(f.checkers) > 0 &&
			f.checkers[0].Family == name
	})
}

// Checkers lists all checks, by family.
func Checkers() (all []check.Checker) {
	for _, f := range ordered() {
		all = append(all, f.checkers...)
	}
	return all
}

// Catalogue explains all codes that unknot has: those of package finding, then those of the checkers.
func Catalogue() finding.Catalogue { return slices.Clone(catalogue()) }

var catalogue = sync.OnceValue(func() finding.Catalogue {
	all := finding.Own()
	for _, f := range ordered() {
		for _, c := range f.checkers {
			for _, d := range c.Codes {
				d.Broken, d.Fixed = f.program(d.Code, "broken"), f.program(d.Code, "fixed")
				all = append(all, d.Unwrap())
			}
		}
	}
	return all
})

// program reads an embedded program. A missing one is a mistake in its directory, which the test there catches.
func (f *family) program(code finding.Code, name string) string {
	b, err := f.programs.ReadFile(fmt.Sprintf("testdata/%s/%s.c", code, name))
	if err != nil {
		return ""
	}
	return string(b)
}

// New makes a Watch with the checkers of a selection. Follow keeps the objects of the ranks.
func New(t *mpi.T, follow *objects.Follower, s check.Selection) *check.Watch {
	all := Checkers()
	return check.New(t, follow, s.Codes(all), all)
}

// Choose adds to a selection what names stand for, with commas between them. An unknown name is an error that suggests
// another.
func Choose(s *check.Selection, names string, on bool) error { return s.Add(names, on, Checkers()) }

// Chosen are the codes of a selection.
func Chosen(s check.Selection) map[finding.Code]bool { return s.Codes(Checkers()) }

// Carried is a note as it travels between agents on several hosts.
type Carried struct{ check.Note }

// Get reads a note.
func (c *Carried) Get(r *wire.Reader) { c.Note.Get(r, bodies()) }
