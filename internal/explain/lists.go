package explain

import (
	"fmt"
	"strings"

	"unknot/internal/op"
)

// Ranks lists ranks in words: "rank 3", "ranks 0, 1 and 4-7", with ranks that ascend.
func Ranks(list []op.Rank) string {
	if len(list) == 1 {
		return fmt.Sprintf("rank %d", list[0])
	}
	return "ranks " + enumerate(list)
}

// enumerate lists ranks without saying what they are.
func enumerate(list []op.Rank) string {
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
	switch {
	case len(parts) == 0:
		return "none"
	case len(parts) == 1:
		return parts[0]
	case len(parts) > most+2:
		parts = append(parts[:most], fmt.Sprintf("%d more", len(list)-upTo[most-1]))
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}

// SameCases says to which ranks the same happens at the same lines.
func SameCases(alike [][]int) string {
	const most = 8
	var cases []string
	for i, ranks := range alike {
		if i == most {
			cases = append(cases, fmt.Sprintf("%d more groups of ranks", len(alike)-most))
			break
		}
		list := make([]op.Rank, len(ranks))
		for k, n := range ranks {
			list[k] = op.Rank(n)
		}
		cases = append(cases, Ranks(list))
	}
	return "the same happens at the same lines to " + strings.Join(cases, "; ")
}

// BytesText says how much data that is.
func BytesText(n int64) string {
	if n == 1 {
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes", n)
}

// inflect is the form of a verb for a number of ranks.
func inflect(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// times says how often.
func times(n uint64) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}

// count says how many there are: "1 receive", "2 receives".
func count(n uint64, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}
