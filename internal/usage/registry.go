package usage

import (
	"embed"
	"fmt"
	"slices"

	"unknot/internal/finding"
	"unknot/internal/mpi"
	"unknot/internal/objects"
	"unknot/internal/wire"
)

// NewWatch makes a Watch with the checkers of a selection. Follow keeps the objects of the ranks.
func NewWatch(t *mpi.T, follow *objects.Follower, s Selection) *Watch {
	all := Checkers()
	return New(t, follow, s.Codes(all), all)
}

// Choose adds to a selection what names stand for, with commas between them. An unknown name is an error that suggests another.
func Choose(s *Selection, names string, on bool) error { return s.Add(names, on, Checkers()) }

// Chosen are the codes of a selection.
func Chosen(s Selection) map[finding.Code]bool { return s.Codes(Checkers()) }

// Carried is a note as it travels between agents on several hosts.
type Carried struct{ Note }

// Get reads a note.
func (c *Carried) Get(r *wire.Reader) { c.Note.Get(r, bodies()) }

func bodies() []Body { return slices.Concat(windowBodies(), fileBodies()) }

// Checkers lists all checks, by family.
func Checkers() []Checker {
	return slices.Concat(argumentCheckers(), arrayCheckers(), topologyCheckers(), addressCheckers(), valueCheckers(), infoCheckers(), attributeCheckers(),
		suspiciousCheckers(), handleCheckers(), operatorCheckers(), objectCheckers(), datatypeCheckers(), bufferCheckers(), groundCheckers(), requestCheckers(),
		leakCheckers(), messageCheckers(), raceCheckers(), rmaCheckers(), fileCheckers(), threadCheckers(), lifeCheckers(), errorCheckers(), styleCheckers())
}

//go:embed testdata/*/broken.c testdata/*/fixed.c
var snippets embed.FS

// Catalogue explains all codes that unknot has: those of package finding, then those of the checkers.
func Catalogue() finding.Catalogue {
	all := finding.Own()
	for _, c := range Checkers() {
		for _, d := range c.Codes {
			d.Broken, d.Fixed = snippet(d.Code, "broken"), snippet(d.Code, "fixed")
			all = append(all, d.Unwrap())
		}
	}
	return all
}

// snippet reads an embedded program. A missing one is a mistake in this package, which the tests catch.
func snippet(code finding.Code, name string) string {
	b, err := snippets.ReadFile(fmt.Sprintf("testdata/%s/%s.c", code, name))
	if err != nil {
		return ""
	}
	return string(b)
}
