package whole

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

const (
	tableBegin = "<!-- table: go test ./internal/test/testkit/whole -run Readme -update -->\n"
	tableEnd   = "<!-- end of table -->\n"
)

func TestReadmeListsEveryExample(t *testing.T) {
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), tableBegin)
	_, after, closed := strings.Cut(rest, tableEnd)
	if !ok || !closed {
		t.Fatalf("%s lacks the lines %q and %q", readme, tableBegin, tableEnd)
	}
	want := before + tableBegin + table(loadExamples(t)) + tableEnd + after
	if want == string(text) {
		return
	}
	if flagged("update") == "true" {
		if err := os.WriteFile(readme, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("the table in %s is not that of the expectations\nhint: go test ./internal/test/testkit/whole -run "+
		"Readme -update", readme)
}

func table(all []Example) string {
	var b strings.Builder
	b.WriteString("\n| example | what it shows | ranks | without unknot | code |\n|---|---|---|---|---|\n")
	for _, x := range all {
		fmt.Fprintf(&b, "| [%s](%s) | %s | %d | %s | `%s` |\n", x.Name, x.Name, x.Want.Shows, x.Want.Ranks,
			plainWords(x.Want), x.Want.Code)
	}
	b.WriteString("\n")
	return b.String()
}

// plainWords says how a broken program behaves by itself; once, if it does the same on all MPIs.
func plainWords(w Expectation) string {
	var all []string
	same := true
	for _, mpi := range w.MPI {
		all = append(all, fmt.Sprintf("%s (%s)", w.Plain[mpi], mpi))
		same = same && w.Plain[mpi] == w.Plain[w.MPI[0]]
	}
	if same {
		return w.Plain[w.MPI[0]]
	}
	return strings.Join(all, ", ")
}
