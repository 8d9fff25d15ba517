package messages

import (
	"strings"
	"testing"

	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/finding"
)

func TestWhatDoesNotFitIsPutIntoWords(t *testing.T) {
	basic := func(name string, size int64) *datatype.Type {
		ty, err := datatype.Predefined(name, size, size, size)
		if err != nil {
			t.Fatal(err)
		}
		return ty
	}
	content := func(ty *datatype.Type, n int64) datatype.Content { return datatype.Content{Type: ty, Count: n} }
	integer, long, double, bytes := basic("MPI_INT", 4), basic("MPI_LONG", 8), basic("MPI_DOUBLE", 8),
		basic("MPI_BYTE", 1)
	sized := basic("MPI_INT64_T", 8)
	mixed, err := datatype.Struct([]int64{1, 1}, []int64{0, 8}, []*datatype.Type{double, integer})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		given, expected datatype.Content
		call            string
		via             Via
		code            finding.Code
		severity        finding.Severity
		sentence, note  string
	}{
		{content(integer, 10), content(integer, 5), "", Straight, MessageTruncated, finding.Error,
			"Rank 0 sends 10 × MPI_INT to rank 1, whose receive has room for 5 × MPI_INT.", ""},
		{content(integer, 4), content(double, 2), "", Straight, TypeMismatch, finding.Error,
			"Rank 0 sends MPI_INT where rank 1 expects MPI_DOUBLE, at element 1 of the data.", ""},
		{content(integer, 5), content(double, 2), "", Straight, MessageTruncated, finding.Error,
			"Rank 0 sends 5 × MPI_INT to rank 1, whose receive has room for 2 × MPI_DOUBLE.", ""},
		{content(bytes, 8), content(double, 1), "", Straight, ByteMismatch, finding.Warning,
			"Rank 0 sends MPI_BYTE where rank 1 expects MPI_DOUBLE, at element 1 of the data.", ""},
		{content(integer, 2), content(double, 2), "", Straight, TypeMismatch, finding.Error,
			"Rank 0 sends MPI_INT where rank 1 expects MPI_DOUBLE, at element 1 of the data.", ""},
		{content(long, 2), content(sized, 2), "", Straight, TypeMismatch, finding.Warning,
			"Rank 0 sends MPI_LONG where rank 1 expects MPI_INT64_T, at element 1 of the data.", ""},
		{content(bytes, 8), content(double, 8), "", Straight, ByteMismatch, finding.Warning,
			"Rank 0 sends MPI_BYTE where rank 1 expects MPI_DOUBLE, at element 1 of the data.", ""},
		{content(mixed, 2), content(double, 9), "", Straight, TypeMismatch, finding.Error,
			"Rank 0 sends MPI_INT where rank 1 expects MPI_DOUBLE, at element 2 of the data.",
			"that is item 1, block 2 of what rank 0 sends, and item 2 of what rank 1 expects"},
		{content(integer, 4), content(integer, 5), "MPI_Bcast", Straight, UnevenData, finding.Error,
			"In MPI_Bcast rank 0 sends rank 1 4 × MPI_INT, but rank 1 expects 5 × MPI_INT from it.", ""},
		{content(integer, 6), content(integer, 5), "MPI_Bcast", Straight, UnevenData, finding.Error,
			"In MPI_Bcast rank 0 sends rank 1 6 × MPI_INT, but rank 1 expects 5 × MPI_INT from it.", ""},
		{content(mixed, 3), content(mixed, 2), "MPI_Reduce", Straight, UnevenData, finding.Error,
			"In MPI_Reduce rank 0 sends rank 1 6 elements (36 bytes), but rank 1 expects 4 elements (24 bytes) from it.", ""},
		{content(integer, 4), content(double, 2), "MPI_Gather", Straight, UnevenData, finding.Error,
			"Rank 0 sends in MPI_Gather MPI_INT where rank 1 expects MPI_DOUBLE, at element 1 of the data.", ""},
		{content(integer, 4), content(integer, 5), "MPI_Bcast", FromRoot, UnevenData, finding.Error,
			"In MPI_Bcast rank 0 expects 4 × MPI_INT from the root, but rank 1 expects 5 × MPI_INT.", ""},
		{content(integer, 4), content(integer, 5), "MPI_Reduce", ToRoot, UnevenData, finding.Error,
			"In MPI_Reduce rank 0 sends 4 × MPI_INT to the root, but rank 1 sends 5 × MPI_INT.", ""},
		{content(mixed, 1), content(double, 2), "MPI_Bcast", FromRoot, UnevenData, finding.Error,
			"Rank 0 expects from the root in MPI_Bcast MPI_INT where rank 1 expects MPI_DOUBLE, at element 2 " +
				"of the data.",
			"that is block 2 of what rank 0 expects, and item 2 of what rank 1 expects"},
	} {
		code, w := Unlike(x.given, x.expected, 0, 1, x.call, x.via, Fields{})
		if code != x.code || w.Severity != x.severity || w.Sentence.Text != x.sentence ||
			!strings.Contains(strings.Join(finding.Sentences(w.Notes), "\n"), x.note) {
			t.Errorf("%s %s %q %q, want %s %s %q %q", code, w.Severity, w.Sentence.Text, w.Notes, x.code, x.severity,
				x.sentence, x.note)
		}
	}
}
