package outside_test

import (
	"context"
	"testing"
	"time"

	"unknot/internal/kit/symbol"
	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/hangs"
	"unknot/internal/test/testkit/hangs/outside"
	"unknot/internal/vocab/mpi"
)

// TestWhatIsSeenOfHangsIsTrue looks at generated programs: nothing that is said of them is wrong.
func TestWhatIsSeenOfHangsIsTrue(t *testing.T) {
	testkit.NeedsMPI(t)
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	resolver := symbol.New()
	defer resolver.Close()
	looker := &outside.Looker{Resolver: resolver, Table: table}
	n := 6
	if testkit.Nightly() {
		n = 40
	}
	known, all := 0, 0
	for i := range n {
		p := hangs.Generate(uint64(17 * i)) // all languages, levels and families in turn
		for _, library := range testkit.LibrariesOfMany(i) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			rows, err := looker.Run(ctx, p, library, t.TempDir())
			cancel()
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range rows {
				for _, g := range []outside.Grade{r.Call, r.Place, r.Peer, r.Tag} {
					switch g {
					case outside.Wrong:
						t.Errorf("%s, seed %d, rank %d: want %+v, seen %s\n%s", library, p.Seed, r.Rank, r.Truth, r.Seen, p.Source)
					case outside.Right:
						known++
						all++
					case outside.Unknown:
						all++
					}
				}
			}
		}
	}
	t.Logf("%d of %d are known", known, all)
	if known*10 < all*9 {
		t.Errorf("%d of %d are known, want nine of ten", known, all)
	}
}
