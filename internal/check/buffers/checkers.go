package buffers

import (
	"slices"

	"unknot/internal/check"
)

// Checkers are those of this directory.
func Checkers() []check.Checker {
	return slices.Concat(bufferCheckers(), groundCheckers(), statusCheckers())
}
