package messages

import (
	"slices"

	"unknot/internal/check"
)

// Checkers are those of this directory.
func Checkers() []check.Checker {
	return slices.Concat(messageCheckers(), raceCheckers())
}
