package verdict_test

import (
	"testing"
	"time"

	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/hangs"
	"unknot/internal/test/testkit/hangs/verdict"
)

// TestHangsAreJudgedAlike runs generated programs three ways: nothing that is said of them is untrue, and a job that
// was recorded is judged as one that was watched.
func TestHangsAreJudgedAlike(t *testing.T) {
	testkit.NeedsMPI(t)
	runner := &verdict.Runner{Unknot: testkit.Unknot(t), Most: 2 * time.Minute}
	n := 3
	if testkit.Nightly() {
		n = 22
	}
	for i := range n {
		p := hangs.Generate(uint64(31*i + 12)) // all families, languages and levels in turn
		for _, library := range testkit.LibrariesOfMany(i) {
			list, err := runner.All(t.Context(), p, library, t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			for k, way := range verdict.Ways {
				if untrue := list[k].False; len(untrue) > 0 {
					t.Errorf("%s, seed %d, %s: %q\n%s", library, p.Seed, way, untrue, p.Source)
				}
			}
			if !list[0].Same(list[1]) {
				t.Errorf("%s, seed %d, %s: watched %s, recorded %s\n%s", library, p.Seed, p.Family, list[0], list[1], p.Source)
			}
		}
	}
}
