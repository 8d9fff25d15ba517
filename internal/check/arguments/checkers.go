package arguments

import (
	"slices"

	"unknot/internal/check"
)

// Checkers are those of this directory.
func Checkers() []check.Checker {
	return slices.Concat(argumentCheckers(), arrayCheckers(), topologyCheckers(), addressCheckers(), valueCheckers(),
		infoCheckers(), attributeCheckers(), suspiciousCheckers())
}
