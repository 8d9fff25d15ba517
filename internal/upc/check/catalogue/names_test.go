package catalogue

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"unknot/internal/test/testkit"
)

// TestEveryRowHasAnID compares the table with ids.tsv. With -update, rows without an ID get the next one of their
// function.
func TestEveryRowHasAnID(t *testing.T) {
	lines := strings.SplitAfter(ids, "\n")
	missing := false
	for _, f := range Functions() {
		for _, r := range f.Rows {
			if !strings.HasSuffix(r.ID, "-??") {
				continue
			}
			missing = true
			at, line := nextID(lines, f.prefix, r)
			lines = slices.Insert(lines, at, line)
		}
	}
	if missing && *update {
		if err := os.WriteFile("ids.tsv", []byte(strings.Join(lines, "")), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if missing {
		t.Error("rows of the table have no line in ids.tsv; hint: if the words of a row are new, change them there, " +
			"too; if the row is, " +
			"go test ./internal/upc/check/catalogue -run EveryRowHasAnID -update")
	}
	seen := map[string]bool{}
	for line := range strings.Lines(ids) {
		id, _, _ := strings.Cut(line, "\t")
		if seen[id] {
			t.Errorf("ids.tsv has %s twice", id)
		}
		seen[id] = true
	}
}

// nextID is a line for a row, and where it goes: behind the other lines of the function, or at the end.
func nextID(lines []string, prefix string, r Row) (at int, line string) {
	highest := 0
	at = len(lines)
	for i, l := range lines {
		number, ok := strings.CutPrefix(l, prefix+"-")
		if !ok {
			continue
		}
		at = i + 1
		number, _, _ = strings.Cut(number, "\t")
		n, _ := strconv.Atoi(number)
		highest = max(highest, n)
	}
	return at, fmt.Sprintf("%s-%02d\t%s\t%s\n", prefix, highest+1, r.Argument, r.When)
}

// TestRowsSpeakOfRowsThatAreThere looks up the IDs in the words of other rows.
func TestRowsSpeakOfRowsThatAreThere(t *testing.T) {
	have := map[string]bool{}
	for _, r := range Rows() {
		have[r.ID] = true
	}
	for _, r := range Rows() {
		for _, id := range regexp.MustCompile(`[A-Z]{4}-[0-9]{2}`).FindAllString(r.By, -1) {
			if !have[id] {
				t.Errorf("%s speaks of %s, which is not in the table", r.ID, id)
			}
		}
	}
}

// TestARowInTheMiddleChangesNoOther puts a row in front of, between and behind the others of each function: the others
// keep their IDs and hints, and all that is generated is the same except for the new row's own check.
func TestARowInTheMiddleChangesNoOther(t *testing.T) {
	testkit.TakesLong(t)
	table := Functions()
	for _, f := range table {
		for _, at := range []int{0, len(f.Rows) / 2, len(f.Rows)} {
			more := *f
			more.Rows = slices.Clone(f.Rows)
			more.row("(call)", Deadlock, "a row that is new", tell("is_new(site)", `"is new"`, ""))
			added := more.Rows[len(f.Rows)]
			more.Rows = slices.Insert(more.Rows[:len(f.Rows)], at, added)
			if f.Wrapped() {
				own := fmt.Sprintf("\tif (is_new(site))\n\t\tupck_wrong(site, \"%s\", UPCK_ERROR, -1, \"is new\");\n",
					added.ID)
				have, want := more.wrapper(), strings.Replace(f.wrapper(), "\t(void)site;\n", "", 1)
				if !strings.Contains(have, own) || strings.Replace(have, own, "", 1) != want {
					t.Errorf("%s, at %d: the wrapper is\n%s", f.Name, at, have)
				}
			}
			all := slices.Clone(table)
			all[slices.Index(table, f)] = &more
			if at > 0 && at < len(f.Rows) && (tables(all) != tables(table) || operations(all) != operations(table)) {
				t.Errorf("%s, at %d: other rows are told, or other hints", f.Name, at)
			}
		}
	}
}

// TestIDsDoNotDependOnTheOrder makes the rows of a function in another order, with a new one between them.
func TestIDsDoNotDependOnTheOrder(t *testing.T) {
	f := function("MCPY", upcHeader, "",
		"void upc_memcpy(shared void *restrict dst, shared const void *restrict src, size_t n)")
	f.huge("n").row("n", Suspicious, "a row that is new", not("")).side("src", true, "reads")
	f.row("dst", Invalid, "another that is new", not("")).side("dst", true, "writes")
	var have []string
	for _, r := range f.Rows {
		have = append(have, r.ID)
	}
	want := []string{"MCPY-09", "MCPY-??", "MCPY-05", "MCPY-06", "MCPY-07", "MCPY-08", "MCPY-??", "MCPY-01", "MCPY-02",
		"MCPY-03", "MCPY-04"}
	if !slices.Equal(have, want) {
		t.Errorf("%q, want %q", have, want)
	}
}
