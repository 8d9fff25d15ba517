package suite

import "testing"

func TestSuite(t *testing.T) {
	var s scores
	t.Run("programs", func(t *testing.T) { programSections(t, &s) })
}
