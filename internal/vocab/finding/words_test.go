package finding

import (
	"testing"
)

func TestRanksAsRanges(t *testing.T) {
	var odd, spans []int
	for r := range int(20) {
		odd = append(odd, 2*r+1)
		spans = append(spans, 10*r, 10*r+1, 10*r+2)
	}
	for want, list := range map[string][]int{
		"ranks none":         nil,
		"rank 3":             {3},
		"ranks 0 and 1":      {0, 1},
		"ranks 0, 1 and 4-7": {0, 1, 4, 5, 6, 7},
		"ranks 1, 3, 5, 7, 9, 11, 13, 15, 17, 19 and 10 more":                                  odd,
		"ranks 0-2, 10-12, 20-22, 30-32, 40-42, 50-52, 60-62, 70-72, 80-82, 90-92 and 30 more": spans,
		"ranks 1, 3, 5, 7, 9, 11, 13, 15, 17, 20 and 3 more": {1, 3, 5, 7, 9, 11, 13,
			15, 17, 20, 21, 24, 26},
	} {
		if got := Ranks(list).Text; got != want {
			t.Errorf("%v: %q, want %q", list, got, want)
		}
	}
}

func TestRanksOneByOne(t *testing.T) {
	for want, list := range map[string][]int{
		"rank 3":                      {3},
		"ranks 5, 1 and 2":            {5, 1, 2},
		"ranks 1, 2, 3 and 4":         {1, 2, 3, 4},
		"ranks 1, 2, 3, 4 and 1 more": {1, 2, 3, 4, 5},
	} {
		if got := RanksInOrder(list, 4).Text; got != want {
			t.Errorf("%v: %q, want %q", list, got, want)
		}
	}
}

func TestNumbersInWords(t *testing.T) {
	for n, want := range map[int]string{1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 11: "11th", 12: "12th", 13: "13th",
		21: "21st", 102: "102nd", 111: "111th"} {
		if got := Ordinal(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
	for n, want := range map[int]string{0: "0 replies", 1: "1 reply", 2: "2 replies"} {
		if got := Count(n, "reply", "replies"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
