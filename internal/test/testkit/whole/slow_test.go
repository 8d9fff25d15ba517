package whole

import (
	"strings"
	"testing"

	"unknot/internal/vocab/plan"
)

// TestAPlanMakesARankSlow has a rank measure its own sends: each of them takes at least as long as the plan delays it.
// Nothing is forced, so nothing is left over at the end.
func TestAPlanMakesARankSlow(t *testing.T) {
	onBothMPIs(t, func(t *testing.T, unknot, mpi string) {
		r := newReplay(t, unknot, mpi, "slow.c", 2)
		result, run := r.under(t, plan.Plan{Ranks: 2, Delays: []plan.Delay{{Rank: 0, Micros: 60_000}}}, "60")
		if result.Exit != 0 || len(run.Findings) > 0 || strings.Contains(result.Output, "rank 0: ") ||
			!strings.Contains(result.Output, "rank 0 has sent") {
			t.Errorf("exit status %d, findings %v\n%s", result.Exit, run.Findings, result.Output)
		}
	})
}
