package report

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"unknot/internal/vocab/finding"
)

// Shown is what has been printed of a run whose findings are printed as they come. The zero value stands for nothing.
// Of more than mostInFull findings, the first of each kind and site are printed in full, the others have a line for each
// site, and what is left then is counted in the end.
type Shown struct {
	findings, full, lines, sites int
	left                         []leftOut
	brief                        map[string]bool // what was not printed in full, as identityOf it
}

// leftOut is how many findings of a kind have no line, and where some of them are.
type leftOut struct {
	kind     kind
	findings int
	where    []string
}

// Bounds on what a terminal shows of a run with many findings.
const (
	mostInFull  = 10
	leastInFull = 3   // however long they are
	mostLines   = 100 // of findings in full, if there are more than mostInFull
	mostSites   = 12  // that have a line
	sitesOfKind = 4   // of them, at a time
)

// findings writes those of a run that were not printed before.
func (t *terminal) findings(run *finding.Run) {
	s := t.opt.Shown
	kinds := kindsOf(run)
	full := inFull(run, kinds, max(0, mostInFull-s.full))
	s.findings += len(run.Findings)
	if s.findings > mostInFull {
		t.fit(run, kinds, full)
	}
	for i := range run.Findings {
		if full[i] {
			s.full++
			t.finding(&run.Findings[i])
		}
	}
	for k := range kinds {
		t.briefly(run, &kinds[k], full)
	}
}

// fit leaves out findings that there is no room for: the first of each kind stays before others do.
func (t *terminal) fit(run *finding.Run, kinds []kind, full []bool) {
	s := t.opt.Shown
	order := make([]int, 0, len(full))
	for k := range kinds {
		order = append(order, kinds[k].sites[0].findings[0])
	}
	for i := range full {
		if !slices.Contains(order, i) {
			order = append(order, i)
		}
	}
	stay := s.full
	for _, i := range order {
		if !full[i] {
			continue
		}
		height := t.height(&run.Findings[i])
		if full[i] = stay < leastInFull || s.lines+height <= mostLines; full[i] {
			s.lines, stay = s.lines+height, stay+1
		}
	}
}

// height is the number of lines of a finding.
func (t *terminal) height(f *finding.Finding) int {
	var text strings.Builder
	trial := *t
	trial.out = bufio.NewWriter(&text)
	trial.finding(f)
	_ = trial.out.Flush() // to memory
	return strings.Count(text.String(), "\n")
}

// briefly writes a line for each site of a kind that has findings which were not printed in full, as long as there are
// not too many.
func (t *terminal) briefly(run *finding.Run, k *kind, full []bool) {
	s, sites := t.opt.Shown, 0
	for i := range k.sites {
		var list []int
		for _, f := range k.sites[i].findings {
			if !full[f] {
				list = append(list, f)
				s.leave(&run.Findings[f])
			}
		}
		if len(list) == 0 {
			continue
		}
		at := t.names.at(k.sites[i].at)
		if s.sites < mostSites && sites < sitesOfKind {
			s.sites, sites = s.sites+1, sites+1
			t.siteLine(run, k, list, spaced("at", at))
			continue
		}
		s.count(k, len(list), at)
	}
}

// count takes in findings of a kind that have no line.
func (s *Shown) count(k *kind, findings int, at string) {
	i := slices.IndexFunc(s.left, func(l leftOut) bool { return l.kind.code == k.code && l.kind.severity == k.severity })
	if i < 0 {
		i = len(s.left)
		s.left = append(s.left, leftOut{kind: kind{code: k.code, severity: k.severity}})
	}
	l := &s.left[i]
	l.findings += findings
	if at != "" && len(l.where) < 2 && !slices.Contains(l.where, at) {
		l.where = append(l.where, at)
	}
}

// siteLine writes one line for findings of a kind.
func (t *terminal) siteLine(run *finding.Run, k *kind, findings []int, at string) {
	language := run.Findings[findings[0]].Language.Terms()
	text := at
	if ranks := ranksOf(run, findings); len(ranks) > 0 {
		text = strings.TrimPrefix(text+", "+label(&language, ranks), ", ")
	}
	if n := len(findings); n > 1 {
		text += ", " + plural(n, "finding", "findings")
	}
	t.line("unknot: ", t.head(k), " ", clean(text))
}

// head is the beginning of a line about findings of a kind.
func (t *terminal) head(k *kind) string {
	return t.paint(severityColor(k.severity), clean(string(k.severity))+":") + " " + t.paint(bold, clean(string(k.code)))
}

// leave notes that a finding is not printed in full.
func (s *Shown) leave(f *finding.Finding) {
	if s.brief == nil {
		s.brief = make(map[string]bool)
	}
	s.brief[identityOf(f)] = true
}

// identityOf tells a finding from the others of a run, as long as nothing is added to it.
func identityOf(f *finding.Finding) string {
	at := siteOf(f)
	return fmt.Sprint(finding.Fingerprint(f), at.File, at.Line, ascending(f.Ranks))
}

// remainder says before the closing line what was not printed in full, and where all of it is.
func (t *terminal) remainder() {
	s := t.opt.Shown
	if s.full == s.findings {
		return
	}
	for i := range s.left {
		l := &s.left[i]
		text := ", " + plural(l.findings, "more finding", "more findings")
		if len(l.where) > 0 {
			text += ", such as at " + strings.Join(l.where, " and ")
		}
		t.line("unknot: ", t.head(&l.kind), clean(text))
	}
	text := fmt.Sprintf("%s of %s findings are above in full", number(s.full), number(s.findings))
	if len(t.opt.Reports) > 0 {
		text += "; all are in " + strings.Join(t.opt.Reports, ", ")
	} else {
		text += "; hint: --report FILE.html writes all of them"
	}
	t.text("unknot: ", "", text)
}
