package supervise

import (
	"slices"

	"unknot/internal/agent/proto"
	"unknot/internal/check/registry"
	"unknot/internal/vocab/finding"
)

// account is what has been found in a run, without what rules leave out.
type account struct {
	rules *finding.Suppressions
	known []finding.Known

	result     finding.Run
	heard      []heard // of each finding of the result
	latest     int     // of the result: what was taken in last
	suppressed int     // findings that a rule of the user leaves out
	omitted    []int   // numbers of all that rules leave out

	notes []string // remarks, each once
	lost  string   // why the run was not watched to its end
}

// heard is what is known of a finding of the result besides its words.
type heard struct {
	number int              // by which the agent knows it, 0 for none
	shown  *finding.Finding // as it was printed; nil if it was not
}

// hello takes in who the job is.
func (a *account) hello(m *proto.Message) {
	a.result.MPI, a.result.Ranks = m.MPI, m.Ranks
	a.result.Hosts = append(a.result.Hosts, m.Hosts...)
}

// told takes in a finding of the agent, or what stands instead of it if a rule leaves it out, unless that is not to be
// reported. It says whether there is something new.
func (a *account) told(m *proto.Message, not func(*finding.Finding) bool) bool {
	switch {
	case not(m.Finding):
		return false
	case a.found(m.Number, *m.Finding):
		return true
	}
	return m.Instead != nil && !not(m.Instead) && a.found(-m.Number, *m.Instead)
}

// found takes a finding in, or what it has become; false if a rule leaves it out.
func (a *account) found(number int, f finding.Finding) bool {
	if _, ok := a.rules.Match(&f); ok {
		if a.firstOf(number) {
			a.suppressed++
		}
		return false
	}
	for i := range a.known {
		if _, ok := a.known[i].Match(&f); ok {
			if a.firstOf(number) {
				a.leftOut(a.known[i].Library)
			}
			return false
		}
	}
	i := -1
	if number != 0 {
		i = slices.IndexFunc(a.heard, func(h heard) bool { return h.number == number })
	}
	if i < 0 {
		i = len(a.heard)
		a.heard = append(a.heard, heard{number: number})
		a.result.Findings = append(a.result.Findings, f)
	} else {
		a.result.Findings[i] = f
	}
	a.latest = i
	return true
}

// firstOf says whether a finding that is left out comes for the first time.
func (a *account) firstOf(number int) bool {
	if number > 0 && slices.Contains(a.omitted, number) {
		return false
	}
	a.omitted = append(a.omitted, number)
	return true
}

// leftOut counts a known finding of a library.
func (a *account) leftOut(library string) {
	for i := range a.result.Known {
		if k := &a.result.Known[i]; k.Library == library {
			k.Findings++
			return
		}
	}
	a.result.Known = append(a.result.Known, finding.Left{Library: library, Findings: 1})
}

// Account is what a report says of a job whose launcher exited with a status, by what its agent process said, and the
// exit status of `unknot run` with its usual options.
func Account(said []proto.Message, exit int) (finding.Run, int, error) {
	known, err := finding.KnownFindings(registry.Catalogue())
	if err != nil {
		return finding.Run{}, ExitTool, err
	}
	a := account{known: known, result: finding.Run{Schema: finding.Schema, Exit: exit, Findings: []finding.Finding{}}}
	a.hearAll(said)
	if a.result.Ranks == 0 {
		a.result.Complete, a.result.Why = false, unseen(exit)
	}
	if Fails(&a.result, finding.Error) {
		return a.result, ExitFindings, nil
	}
	return a.result, exit, nil
}

// hearAll takes in all that an agent process has said.
func (a *account) hearAll(said []proto.Message) {
	stopping := false
	for i := range said {
		switch m := &said[i]; m.Type {
		case proto.Hello:
			a.hello(m)
		case proto.Found:
			a.told(m, func(f *finding.Finding) bool { return stopping && f.Code == finding.RankDied })
		case proto.Stop:
			stopping = true
		case proto.Note:
			a.remark(m.Text)
		case proto.History:
			a.result.History, a.result.Topologies = m.History, m.Topologies
		case proto.Done:
			a.result.Calls, a.result.Complete, a.result.Why = m.Calls, m.Complete, m.Why
		}
	}
}

// ofMPI leaves out the calls to MPI of a program that communicates in another way: they say next to nothing of it.
func (a *account) ofMPI() {
	if a.result.Language != finding.MPI {
		a.result.History, a.result.Topologies = nil, nil
	}
}

func (a *account) remark(text string) { a.result.Notes = append(a.result.Notes, text) }

// note keeps a remark for the report, once.
func (a *account) note(text string) {
	if !slices.Contains(a.notes, text) {
		a.notes = append(a.notes, text)
	}
}
