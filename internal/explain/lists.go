package explain

import (
	"fmt"
	"strings"

	"unknot/internal/finding"
)

// SameCases says to which ranks the same happens at the same lines.
func SameCases(alike [][]int) string {
	const most = 8
	var cases []string
	for i, ranks := range alike {
		if i == most {
			cases = append(cases, fmt.Sprintf("%d more groups of ranks", len(alike)-most))
			break
		}
		cases = append(cases, finding.Ranks(ranks))
	}
	return "the same happens at the same lines to " + strings.Join(cases, "; ")
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
