package attach

import (
	"fmt"
	"path/filepath"

	"unknot/internal/attach/dump"
	"unknot/internal/attach/judge"
	"unknot/internal/attach/look"
	"unknot/internal/observe/launch"
	"unknot/internal/say/explain"
	"unknot/internal/vocab/finding"
)

// Judge says of each job of a dump what follows from it. version is that of this unknot.
func Judge(d *dump.Dump, version string) (results []*finding.Run) {
	for _, job := range d.Jobs() {
		run := of(d.Of(job), version)
		run.Start = d.Start
		for _, m := range d.Missing {
			run.Notes = append(run.Notes, fmt.Sprintf("host %s was not looked at: it %s", m.Host, m.Why))
		}
		results = append(results, run)
	}
	return results
}

// of is the result of one job by what was seen on hosts.
func of(hosts []look.Host, version string) *finding.Run {
	j := judge.New(hosts)
	a := &explain.Attached{Seconds: hosts[0].Seconds, Still: hosts[0].Still, Hosts: len(hosts)}
	var names []string
	for i := range hosts {
		h := &hosts[i]
		a.Seconds, a.Still = min(a.Seconds, h.Seconds), min(a.Still, h.Still)
		if a.Refused == "" {
			a.Refused = h.Refused
		}
		names = append(names, h.Name)
	}
	first := &hosts[0].Ranks[0]
	run := &finding.Run{Schema: finding.Schema, Unknot: version, Command: first.Command, MPI: library(first.File),
		Ranks: j.Size(), Complete: true, Seconds: a.Seconds, Findings: j.Findings(a)}
	if len(hosts) > 1 {
		run.Hosts = names
	}
	run.Glimpse = &finding.Glimpse{Seconds: a.Seconds}
	run.Glimpse.Stacks, run.Glimpse.Left = j.Stacks()
	for _, m := range j.Moving() {
		run.Glimpse.Moving = append(run.Glimpse.Moving, int(m))
	}
	return run
}

// library names an MPI library by its family and its file, "" if there is none.
func library(file string) string {
	if file == "" {
		return ""
	}
	family, _ := launch.FamilyOf(file)
	return family.String() + " (" + filepath.Base(file) + ")"
}
