package handles

import (
	"slices"

	"unknot/internal/check"
)

// Checkers are those of this directory.
func Checkers() []check.Checker {
	return slices.Concat(handleCheckers(), operatorCheckers(), objectCheckers())
}
