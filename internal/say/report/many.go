package report

import (
	"fmt"
	"strings"

	"unknot/internal/vocab/finding"
)

// A page of few findings has them one after the other. In one of many, they are in chapters, one for each kind, which
// are closed except the first. If there are very many, only some are in full, and the others have a line each.
const (
	mostSections = 40 // of which all are in full
	manySections = 16 // in full, if there are more
	mostEntries  = 8  // sites of a kind in the index
	fewFindings  = 12 // that stand in their order, without chapters
)

// chapter is the findings of a kind.
type chapter struct {
	ID, Code, Severity string
	Said               string // how many there are, where, on which ranks
	Open               bool
	Entries            []entry // of the index, one for each site
	More               string  // sites that have none
	Findings           []section
	Brief              []brief
}

// entry is a site in the index.
type entry struct {
	To, At string
	Count  int
}

// brief is a finding in one line.
type brief struct {
	ID string
	position
	Ranks, Who, Sentence string
}

// chaptersOf are the findings of a run by kind. Each section is made by the function given, for the finding's place in
// the list.
func chaptersOf(run *finding.Run, names sources, sectionOf func(int) section) (list []chapter) {
	kinds := kindsOf(run)
	most := manySections
	if len(run.Findings) <= mostSections {
		most = len(run.Findings)
	}
	full := inFull(run, kinds, most)
	for k := range kinds {
		kind := &kinds[k]
		c := chapter{ID: fmt.Sprintf("k%d", k+1), Code: clean(string(kind.code)), Severity: string(kind.severity),
			Said: clean(summary(run, kind)), Open: k == 0}
		for _, i := range kind.findings() {
			f := &run.Findings[i]
			if full[i] {
				c.Findings = append(c.Findings, sectionOf(i))
				continue
			}
			language := f.Language.Terms()
			c.Brief = append(c.Brief, brief{nameOf(i), names.position(siteOf(f), ""), ranksNamed(f),
				clean(label(&language, f.Ranks)), clean(f.Sentence)})
		}
		c.index(kind, names)
		list = append(list, c)
	}
	return list
}

// nameOf is the name in links of a finding by its place in the list.
func nameOf(i int) string { return fmt.Sprintf("f%d", i+1) }

// index has an entry for each site of a chapter, as far as there is room.
func (c *chapter) index(k *kind, names sources) {
	for s := range k.sites[:min(len(k.sites), mostEntries)] {
		list := k.sites[s].findings
		e := entry{To: nameOf(list[0]), At: clean(names.line(k.sites[s].at)), Count: len(list)}
		if e.At == "" {
			e.At = "no place in the program"
		}
		c.Entries = append(c.Entries, e)
	}
	if n := len(k.sites) - mostEntries; n > 0 {
		c.More = plural(n, "other place", "other places")
	}
}

// summary is how many findings of a kind there are, at how many places, and on which ranks.
func summary(run *finding.Run, k *kind) string {
	findings := k.findings()
	parts := []string{plural(len(findings), "finding", "findings")}
	if n := len(k.sites); n > 1 {
		parts[0] += " at " + plural(n, "place", "places")
	}
	language := run.Language.Terms()
	if ranks := ranksOf(run, findings); len(ranks) > 0 {
		parts = append(parts, label(&language, ranks))
	}
	return strings.Join(parts, ", ")
}
