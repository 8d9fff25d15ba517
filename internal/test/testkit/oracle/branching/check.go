package branching

import (
	"testing"

	"unknot/internal/test/testkit/oracle/seeds"
)

// ForEach checks a property on the programs of as many seeds as said, nightly of 240 times as many
// (seeds.Kind.ForEach).
func ForEach(t *testing.T, programs uint64, property func(p *Program, seed uint64) error) {
	t.Helper()
	seeds.Kind[*Program]{Generate: Generate, Shrink: Shrink}.ForEach(t, programs, 240*programs, property)
}
