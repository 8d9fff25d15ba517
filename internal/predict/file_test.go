package predict

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"unknot/internal/predict/exact"
)

func TestTheVerdictOfABudgetThatEndsKeepsWhatWasFound(t *testing.T) {
	// Each of six sends two messages of one tag to a rank that receives six from anybody and then one from each by
	// name.
	log := "P0:" + strings.Repeat(" Recv(*,0)", 6)
	for i := 1; i <= 6; i++ {
		log += fmt.Sprintf(" Recv(%d,0)", i)
	}
	for i := 1; i <= 6; i++ {
		log += fmt.Sprintf("\nP%d: Send(0,0) Send(0,0)", i)
	}
	path := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(path, []byte(log), 0o600); err != nil {
		t.Fatal(err)
	}
	run, err := File(t.Context(), path, Options{Exact: exact.Options{Max: 1000, Budget: exact.Budget{States: 40}}})
	if err != nil {
		t.Fatal(err)
	}
	if len(run.Findings) == 0 || run.Complete || !strings.HasPrefix(run.Verdict,
		"not decided: the search did not finish: the limit of states was reached; until then predicted: ") {
		t.Errorf("%d findings, complete %v, %q", len(run.Findings), run.Complete, run.Verdict)
	}
}
