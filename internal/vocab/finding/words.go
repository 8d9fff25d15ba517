package finding

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Lists and numbers in sentences. Whoever writes a sentence takes them from here.

// JoinAnd lists things in a sentence: "a", "a and b", "a, b and c".
func JoinAnd(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}

// JoinLong lists parts of a sentence that are long, with a comma before the last one too: "a, b, and c".
func JoinLong(list []string) string {
	if n := len(list); n > 1 {
		return strings.Join(list[:n-1], ", ") + ", and " + list[n-1]
	}
	return strings.Join(list, "")
}

// Capital begins a sentence.
func Capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

// Count says how many there are: "1 receive", "2 receives".
func Count[N ~int | ~int64 | ~uint64](n N, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Ordinal writes 1st, 2nd, 3rd, 4th.
func Ordinal(n int) string {
	end := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			end = "st"
		case 2:
			end = "nd"
		case 3:
			end = "rd"
		}
	}
	return fmt.Sprint(n) + end
}

// Ranks lists ranks that ascend, with those that follow each other as ranges: "rank 3", "ranks 0, 1 and 4-7". A long
// list ends in how many more there are.
func Ranks[R ~int | ~int32](list []R) Wording {
	if len(list) == 1 {
		return oneRank(list[0])
	}
	const most = 10
	var parts []string
	var upTo []int // by part: how many of the list it and those before it tell
	part := func(text string, i int) { parts, upTo = append(parts, text), append(upTo, i) }
	for i := 0; i < len(list); {
		j := i
		for j+1 < len(list) && list[j+1] == list[j]+1 {
			j++
		}
		if j-i >= 2 {
			part(fmt.Sprintf("%d-%d", list[i], list[j]), j+1)
			i = j + 1
			continue
		}
		part(fmt.Sprint(list[i]), i+1)
		i++
	}
	if len(parts) > most+2 {
		parts = append(parts[:most], fmt.Sprintf("%d more", len(list)-upTo[most-1]))
	}
	return manyRanks(parts)
}

// RanksInOrder lists ranks one by one in the order in which they are: "rank 1", "ranks 5, 1 and 2". Of more than so
// many it says how many more there are.
func RanksInOrder[R ~int | ~int32](list []R, most int) Wording {
	if len(list) == 1 {
		return oneRank(list[0])
	}
	var names []string
	for _, r := range list[:min(len(list), most)] {
		names = append(names, fmt.Sprint(r))
	}
	if n := len(list) - most; n > 0 {
		names = append(names, fmt.Sprintf("%d more", n))
	}
	return manyRanks(names)
}

func oneRank[R ~int | ~int32](r R) Wording { return Wordf("rank %d", r) }

func manyRanks(parts []string) Wording {
	if len(parts) == 0 {
		return Wordf("ranks none")
	}
	return Wording{"ranks " + JoinAnd(parts), "rank #"}
}

// Lasting is a length of time in words: "60 s", "12 min".
func Lasting(seconds float64) Wording {
	switch {
	case seconds < 1:
		return Wordf("less than a second")
	case seconds < 120:
		return Wordf("%d s", int(seconds))
	case seconds < 7200:
		return Wordf("%d min", int(seconds/60))
	}
	return Wordf("%d h", int(seconds/3600))
}
