package report

import (
	"strings"
	"testing"

	"unknot/internal/vocab/finding"
)

// A race that was reported while the job ran and that another run has confirmed since is reported as confirmed.
func TestAnUpdateSaysThatAFindingIsConfirmed(t *testing.T) {
	before := finding.Finding{Code: "rma-conflict", Severity: finding.Error, Standing: finding.Manifest,
		Ranks: []int{1},
		Places: []finding.Place{{Rank: 1, Call: "MPI_Put", Frame: finding.Frame{File: "a.c", Line: 7,
			Function: "main"}}}}
	now := before
	now.Standing = finding.Confirmed
	for _, c := range []struct {
		now  *finding.Finding
		want string
	}{{&before, ""}, {&now, "unknot: error: rma-conflict (confirmed), reported above at main (a.c:7)\n"}} {
		var out strings.Builder
		if err := Update(&out, &finding.Run{Ranks: 2}, &before, c.now, TerminalOptions{}); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimRight(out.String(), "\n"); got != strings.TrimRight(c.want, "\n") {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
