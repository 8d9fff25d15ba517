package report

import (
	"slices"

	"unknot/internal/vocab/finding"
)

// kind is the findings of a run that have one code and one severity, by site.
type kind struct {
	code     finding.Code
	severity finding.Severity
	sites    []site
}

// site is the findings of a kind at one line of the program.
type site struct {
	at       finding.Frame // of the user's own code; empty if none is known
	findings []int         // their places in the list of the run, in order
}

// kindsOf puts the findings of a run, which are in order, into kinds and sites, each where its first finding is.
func kindsOf(run *finding.Run) []kind {
	type name struct {
		code     finding.Code
		severity finding.Severity
	}
	type line struct {
		file   string
		line   int
		module string
		offset uint64
	}
	var kinds []kind
	kindAt, siteAt := make(map[name]int), make(map[name]map[line]int)
	for i := range run.Findings {
		f := &run.Findings[i]
		n := name{f.Code, f.Severity}
		k, known := kindAt[n]
		if !known {
			k = len(kinds)
			kinds = append(kinds, kind{code: f.Code, severity: f.Severity})
			kindAt[n], siteAt[n] = k, make(map[line]int)
		}
		at := siteOf(f)
		l := line{at.File, at.Line, at.Module, at.Offset}
		s, known := siteAt[n][l]
		if !known {
			s = len(kinds[k].sites)
			kinds[k].sites = append(kinds[k].sites, site{at: at})
			siteAt[n][l] = s
		}
		kinds[k].sites[s].findings = append(kinds[k].sites[s].findings, i)
	}
	return kinds
}

// siteOf is the first line of the user's own code that a finding names: where those at fault are, or else the others,
// or else what its notes speak of.
func siteOf(f *finding.Finding) finding.Frame {
	var found finding.Frame
	for _, places := range [][]finding.Place{f.Places, f.Others} {
		for i := range places {
			if at := places[i].Frame; at.File != "" && at.Line > 0 {
				return at
			} else if found == (finding.Frame{}) {
				found = at
			}
		}
	}
	if i := slices.IndexFunc(f.Related, func(at finding.Frame) bool { return at.File != "" }); i >= 0 {
		return f.Related[i]
	}
	return found
}

// ranksOf are the ranks at fault in some findings of a run, in order.
func ranksOf(run *finding.Run, findings []int) []int {
	var ranks []int
	for _, i := range findings {
		ranks = append(ranks, run.Findings[i].Ranks...)
	}
	return set(ranks)
}

// findings are those of all sites of a kind, in order.
func (k *kind) findings() (list []int) {
	for i := range k.sites {
		list = append(list, k.sites[i].findings...)
	}
	slices.Sort(list)
	return list
}

// inFull says which findings of a run are shown in full, at most so many: all if they are few, else the first of each
// site, and then others, in order. A finding that is of another kind than those before comes first.
func inFull(run *finding.Run, kinds []kind, most int) []bool {
	full := make([]bool, len(run.Findings))
	if len(full) <= most {
		for i := range full {
			full[i] = true
		}
		return full
	}
	var first, second []int
	for k := range kinds {
		for s := range kinds[k].sites {
			if f := kinds[k].sites[s].findings[0]; s == 0 {
				first = append(first, f)
			} else {
				second = append(second, f)
			}
		}
	}
	slices.Sort(first)
	slices.Sort(second)
	for _, f := range slices.Concat(first, second)[:min(most, len(first)+len(second))] {
		full[f] = true
	}
	return full
}
