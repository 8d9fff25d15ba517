package finding

import (
	"fmt"
	"testing"
)

// kind is a number with a name.
type kind int

func (k kind) String() string { return [...]string{"send", "receive"}[k] }

// Numbers, lists of ranks and what is counted are the same in all forms; names are not.
func TestFormsOfWordings(t *testing.T) {
	for _, c := range []struct {
		w          Wording
		text, form string
	}{
		{Wordf("Rank %d calls %s with {dest} %d, but %s has %s (0 to %d).", 3, "MPI_Send", 7, "MPI_COMM_WORLD",
			Counted(2, "rank", "ranks"), 1),
			"Rank 3 calls MPI_Send with {dest} 7, but MPI_COMM_WORLD has 2 ranks (0 to 1).",
			"Rank # calls MPI_Send with {dest} #, but MPI_COMM_WORLD has # rank (0 to #)."},
		{Wordf("%s and %s wait", Ranks([]int{1, 2, 3, 7}), RanksInOrder([]int32{5}, 4)),
			"ranks 1-3 and 7 and rank 5 wait", "rank # and rank # wait"},
		{Wordf("%s at %#x, %5.1f %%", Counted(1, "byte", "bytes"), uint64(0xff), 2.25), "1 byte at 0xff,   2.2 %",
			"# byte at #, # %"},
		{Wordf("an active %v, %s number %d", kind(1), kind(0), kind(1)), "an active receive, send number 1",
			"an active receive, send number #"},
		{Wordf("%s in %s", "MPI_INT32_T", Wordf("part %d of %q", 2, "buf2")), `MPI_INT32_T in part 2 of "buf2"`,
			`MPI_INT32_T in part # of "buf2"`},
		{Wordf("failed%s", Detail(": no file 17")), "failed: no file 17", "failed"},
		{Wordf("in %s", Frame{Function: "main", File: "/src/a.c", Line: 12}.Worded()), "in main (a.c:12)",
			"in main (a.c:#)"},
		{Joined([]Wording{Wordf("%d", 2), Wordf("%d", 3)}, " × "), "2 × 3", "# × #"},
		{JoinedAnd([]Wording{Wordf("a"), Wordf("%d", 2), Wordf("c")}), "a, 2 and c", "a, # and c"},
	} {
		if c.w.Text != c.text || c.w.Form != c.form || fmt.Sprint(c.w) != c.text {
			t.Errorf("%q, %q\nwant %q, %q", c.w.Text, c.w.Form, c.text, c.form)
		}
	}
}
