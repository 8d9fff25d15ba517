package report

import (
	"slices"
	"strconv"
	"strings"

	"unknot/internal/vocab/finding"
)

// What the page's search looks at besides the text of a finding: all the ranks and files that it names, also where the
// page folds them.

// ranksNamed are the ranks of a finding and of its places, as runs: "0-3 7".
func ranksNamed(f *finding.Finding) string {
	ranks := slices.Clone(f.Ranks)
	for _, places := range [][]finding.Place{f.Places, f.Others} {
		for i := range places {
			ranks = append(append(ranks, places[i].Rank), places[i].Alike...)
		}
	}
	return runsOf(slices.DeleteFunc(ranks, func(r int) bool { return r == finding.NoRank }))
}

// runsOf writes ranks as runs: "0-3 7".
func runsOf(ranks []int) string {
	var parts []string
	for from, to := range runs(set(ranks)) {
		if from == to {
			parts = append(parts, strconv.Itoa(from))
		} else {
			parts = append(parts, strconv.Itoa(from)+"-"+strconv.Itoa(to))
		}
	}
	return strings.Join(parts, " ")
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
