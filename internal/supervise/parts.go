package supervise

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"unknot/internal/check/registry"
	"unknot/internal/root/parts"
	"unknot/internal/say/explain"
	"unknot/internal/upc/reports"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// tellParts fills in what the agents of other hosts need to leave parts, should the root be lost: beside the reports
// that the user has asked for, else in the working directory, which hosts rather share than others.
func (o *Options) tellParts(session string) {
	if len(o.Listen) == 0 {
		return
	}
	o.Job = strings.TrimPrefix(filepath.Base(session), "unknot-")
	o.Options.Command, o.Options.Start = o.command(), time.Now().Format(time.RFC3339)
	beside := o.Files.beside()
	at, err := filepath.Abs(filepath.Dir(beside))
	if err != nil {
		at = os.TempDir()
	}
	o.Parts = filepath.Join(at, "unknot-parts-"+o.Job)
}

// partsAt is where the agents of other hosts leave what they know when the root is lost; "" if there are none.
func (r *run) partsAt() string {
	here, _ := os.Hostname()
	if !slices.ContainsFunc(r.account.result.Hosts, func(h string) bool { return h != here }) {
		return ""
	}
	o := r.o
	o.tellParts(r.session.Dir)
	return o.Parts
}

// Parts is the result of a job whose root was lost, by the parts that agents have left in a directory; missing says
// that some ranks have none. The calls that were recorded go into one trace, if that has a path.
func Parts(dir, trace string) (run *finding.Run, missing bool, err error) {
	table, err := mpi.Load()
	if err != nil {
		return nil, false, err
	}
	set, err := parts.Read(dir, table)
	if err != nil {
		return nil, false, err
	}
	said, err := parts.Merge(set, table)
	if err != nil {
		return nil, false, fmt.Errorf("%s: %w", dir, err)
	}
	known, err := finding.KnownFindings(registry.Catalogue())
	if err != nil {
		return nil, false, err
	}
	h := set.Head()
	a := account{known: known, result: finding.Run{Schema: finding.Schema, Unknot: h.Unknot, Command: h.Command,
		Start: h.Start, Findings: []finding.Finding{}}}
	a.hearAll(said)
	if err := a.hearThreads(set); err != nil {
		return nil, false, fmt.Errorf("%s: %w", dir, err)
	}
	a.ofMPI()
	switch {
	case trace != "":
		if err := set.JoinTraces(dir, trace); err != nil {
			return nil, false, err
		}
	case set.Recorded():
		a.remark(explain.TraceToJoin(dir))
	}
	if start, err := time.Parse(time.RFC3339, h.Start); err == nil {
		a.result.Seconds = max(0, set.Head().Until.Sub(start).Seconds())
	}
	return &a.result, set.Missing(), nil
}

// hearThreads takes in what threads of UPC had reported to their agents.
func (a *account) hearThreads(set *parts.Set) error {
	session, err := os.MkdirTemp("", "unknot-report-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(session)
	if err := reports.Prepare(session); err != nil {
		return err
	}
	for _, p := range set.Parts {
		if err := p.Threads.Paste(session, p.Host, p.Process); err != nil {
			return err
		}
		if len(p.Threads.Threads) > 0 {
			a.result.Language = finding.UPC
		}
	}
	report, err := reports.Read(session)
	if err != nil {
		return err
	}
	if report.Ended { // its ranks did not die of themselves
		a.result.Findings = slices.DeleteFunc(a.result.Findings, func(f finding.Finding) bool {
			return f.Code == finding.RankDied
		})
	}
	for _, f := range report.Findings {
		a.found(0, f)
	}
	for _, p := range set.Parts {
		for _, text := range p.Threads.Standings(p.Host) {
			a.remark(text)
		}
	}
	return nil
}
