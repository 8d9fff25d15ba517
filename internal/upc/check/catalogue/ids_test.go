package catalogue

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestEveryRow compares the table with testdata/rows.txt, which has the facts of the reference: for each function its
// prefix, and the class and argument of each row.
func TestEveryRow(t *testing.T) {
	file, err := os.Open("testdata/rows.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	have := map[string]Row{}
	for _, r := range Rows() {
		if _, twice := have[r.ID]; twice {
			t.Errorf("%s is there twice", r.ID)
		}
		have[r.ID] = r
	}
	wanted := 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		head, rows, _ := strings.Cut(lines.Text(), ": ")
		prefix, name, _ := strings.Cut(head, " ")
		for i, row := range strings.Split(rows, "; ") {
			wanted++
			id := fmt.Sprintf("%s-%02d", prefix, i+1)
			class, argument, _ := strings.Cut(row, " ")
			r, ok := have[id]
			switch {
			case !ok:
				t.Errorf("%s is missing: %s %s", id, name, row)
			case r.Function != name || string(r.Class) != class || r.Argument != argument:
				t.Errorf("%s is %s, %s, %s; want %s, %s, %s", id, r.Function, r.Class, r.Argument, name,
					class, argument)
			}
			delete(have, id)
		}
	}
	for id := range have {
		t.Errorf("%s is in the table only", id)
	}
	if wanted != 2119 {
		t.Errorf("%d rows, want 2119", wanted)
	}
}
