package explain

import (
	"fmt"
	"slices"
	"strings"

	"unknot/internal/finding"
	"unknot/internal/message"
)

// Passed says which functions were passed through.
func Passed(passed map[string]*message.Passed) finding.Finding {
	var list []*message.Passed
	for _, p := range passed {
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b *message.Passed) int { return strings.Compare(a.Name, b.Name) })
	f := finding.Finding{Code: finding.NotModelled, Severity: finding.Info, Standing: finding.Manifest,
		Hint: "deadlocks that involve these calls are not detected; everything else is watched as usual"}
	var names []string
	for _, p := range list {
		calls := "calls"
		if p.Count == 1 {
			calls = "call"
		}
		names = append(names, fmt.Sprintf("%s (%d %s)", p.Name, p.Count, calls))
		f.Places = append(f.Places, p.Place)
		f.Ranks = append(f.Ranks, int(p.Rank))
	}
	slices.Sort(f.Ranks)
	f.Ranks = slices.Compact(f.Ranks)
	f.Sentence = fmt.Sprintf("The program calls functions that unknot passes through without modelling them: %s.", finding.JoinAnd(names))
	return f
}
