package explain

import (
	"testing"

	"unknot/internal/op"
)

func TestRanksInWords(t *testing.T) {
	var odd, spans []op.Rank
	for r := range op.Rank(20) {
		odd = append(odd, 2*r+1)
		spans = append(spans, 10*r, 10*r+1, 10*r+2)
	}
	for want, list := range map[string][]op.Rank{
		"ranks none":         nil,
		"rank 3":             {3},
		"ranks 0 and 1":      {0, 1},
		"ranks 0, 1 and 4-7": {0, 1, 4, 5, 6, 7},
		"ranks 1, 3, 5, 7, 9, 11, 13, 15, 17, 19 and 10 more":                                  odd,
		"ranks 0-2, 10-12, 20-22, 30-32, 40-42, 50-52, 60-62, 70-72, 80-82, 90-92 and 30 more": spans,
		"ranks 1, 3, 5, 7, 9, 11, 13, 15, 17, 20 and 3 more":                                   {1, 3, 5, 7, 9, 11, 13, 15, 17, 20, 21, 24, 26},
	} {
		if got := Ranks(list); got != want {
			t.Errorf("%v: %q, want %q", list, got, want)
		}
	}
}
