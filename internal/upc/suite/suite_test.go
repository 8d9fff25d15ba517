//go:build !quick

package suite

import "testing"

// TestSuite runs all programs with mistakes, grades what is reported of each, and compares the grades with the page
// that has them.
func TestSuite(t *testing.T) {
	var s scores
	t.Run("arguments", func(t *testing.T) { argumentSections(t, &s) })
	t.Run("tutorial", func(t *testing.T) { tutorialSection(t, &s) })
	t.Run("programs", func(t *testing.T) { programSections(t, &s) })
	if !t.Failed() {
		s.compare(t)
	}
}
