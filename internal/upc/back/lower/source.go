package lower

import "unknot/internal/upc/front/syntax"

// Source is what a translation unit was before checks were put into it: reports have its words. The zero Source is for
// a unit without checks.
type Source struct {
	File *syntax.File
	// Tokens has for each token of the unit the one of File that it is, or NoPos.
	Tokens []syntax.Pos
}

// written gives the tokens of the source from the first to the last one that stand within some of the unit's, or those
// themselves if none do.
func (s Source) written(unit *syntax.File, first, last syntax.Pos) (file *syntax.File, from, to syntax.Pos) {
	if s.File == nil {
		return unit, first, last
	}
	from, to = syntax.NoPos, syntax.NoPos
	for _, p := range s.Tokens[first : last+1] {
		if p == syntax.NoPos {
			continue
		}
		if from == syntax.NoPos {
			from = p
		}
		from, to = min(from, p), max(to, p)
	}
	if from == syntax.NoPos {
		return unit, first, last
	}
	return s.File, from, to
}
