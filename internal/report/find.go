package report

import (
	"slices"
	"strconv"
	"strings"

	"unknot/internal/finding"
)

// What the page's search looks at besides the text of a finding: all the ranks and files that it names, also where the page folds them.

// ranksNamed are the ranks of a finding and of its places, as runs: "0-3 7".
func ranksNamed(f *finding.Finding) string {
	ranks := slices.Clone(f.Ranks)
	for _, places := range [][]finding.Place{f.Places, f.Others} {
		for i := range places {
			ranks = append(append(ranks, places[i].Rank), places[i].Alike...)
		}
	}
	slices.Sort(ranks)
	ranks = slices.Compact(ranks)
	var runs []string
	for from := 0; from < len(ranks); {
		to := from
		for to+1 < len(ranks) && ranks[to+1] == ranks[to]+1 {
			to++
		}
		run := strconv.Itoa(ranks[from])
		if to > from {
			run += "-" + strconv.Itoa(ranks[to])
		}
		if ranks[from] != finding.NoRank {
			runs = append(runs, run)
		}
		from = to + 1
	}
	return strings.Join(runs, " ")
}

// filesNamed are the files that a finding names.
func filesNamed(f *finding.Finding) (files []string) {
	add := func(frames ...finding.Frame) {
		for _, at := range frames {
			if at.File != "" && !slices.Contains(files, at.File) {
				files = append(files, at.File)
			}
		}
	}
	for _, places := range [][]finding.Place{f.Places, f.Others} {
		for i := range places {
			add(places[i].Frame)
			add(places[i].Stack...)
		}
	}
	add(f.Related...)
	return files
}
