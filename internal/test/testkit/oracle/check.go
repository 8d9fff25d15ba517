package oracle

import (
	"testing"

	"unknot/internal/test/testkit/oracle/seeds"
)

// ForEach checks a property on many random programs: some thousands, nightly a hundred thousand (seeds.Kind.ForEach).
func ForEach(t *testing.T, property func(p *Program, seed uint64) error) {
	t.Helper()
	seeds.Kind[*Program]{Generate: Generate, Shrink: Shrink}.ForEach(t, 2000, 100000, property)
}
