package explain

import (
	"slices"
	"strings"

	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
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
	var names []finding.Wording
	for _, p := range list {
		names = append(names, finding.Wordf("%s (%s)", p.Name, finding.Counted(p.Count, "call", "calls")))
		f.Places = append(f.Places, p.Place)
		f.Ranks = append(f.Ranks, int(p.Rank))
	}
	slices.Sort(f.Ranks)
	f.Ranks = slices.Compact(f.Ranks)
	f.Say(finding.Wordf("The program calls functions that unknot passes through without modelling them: %s.",
		finding.JoinedAnd(names)))
	return f
}
