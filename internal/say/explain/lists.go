package explain

import (
	"fmt"
	"strings"

	"unknot/internal/vocab/finding"
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
		cases = append(cases, finding.Ranks(ranks).Text)
	}
	return "the same happens at the same lines to " + strings.Join(cases, "; ")
}

// inflect is what a verb, or a pronoun, is for a number of ranks.
func inflect(n int, one, many string) finding.Wording {
	if n == 1 {
		return finding.Wording{Text: one, Form: one}
	}
	return finding.Wording{Text: many, Form: one}
}

// times says how often.
func times(n uint64) finding.Wording {
	switch n {
	case 1:
		return finding.Wordf("once")
	case 2:
		return finding.Wordf("twice")
	}
	return finding.Wordf("%d times", n)
}
