package agent

import (
	"unknot/internal/check"
	"unknot/internal/check/registry"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// tellChecks hands on what the checks have to say. It says whether any of that went to another agent.
func (a *follower) tellChecks() (told bool) {
	if len(a.checks.Notes) > 0 {
		told = a.tellNotes()
	}
	if len(a.checks.Reports) > 0 {
		a.tellReports()
	}
	return told
}

// tellNotes takes what the checks of one rank have for those of another to its agent. It says whether that was another
// one.
func (a *follower) tellNotes() (told bool) {
	for len(a.checks.Notes) > 0 {
		notes := a.checks.Notes
		a.checks.Notes = nil
		for i := range notes {
			n := &notes[i]
			if to := a.home(n.To); to != a.id {
				n.Locate(a.whereIs)
				a.net.Send(to, message.Note{Note: registry.Carried{Note: *n}})
				a.wrote(to)
				told = true
				continue
			}
			a.checks.Hear(n)
		}
	}
	return told
}

// hearNote takes in what the checks of another agent's rank had to tell.
func (a *Agent) hearNote(n *check.Note) {
	if a.checks != nil {
		a.checks.Hear(n)
		a.tellChecks()
	}
}

// endChecks lets the checks tell other ranks' what they have kept back: no more calls will come.
func (a *Agent) endChecks() {
	if a.checks != nil {
		a.checks.End()
		a.tellChecks()
	}
}

// heardAll lets the checks judge what they have kept back until all agents had said what they had to, as they have in
// the first consistent state in which all of them are idle. It says whether something of that was sent to other agents.
func (a *Agent) heardAll() bool {
	if a.heard || a.checks == nil {
		return false
	}
	a.heard = true
	a.checks.Heard()
	return a.tellChecks()
}

// conclude lets the checks judge what a rank has done in all, now that it is known what its receives have met and what
// others had to say, and tells how often the ranks did again what was reported.
func (a *Agent) conclude() {
	if a.judged {
		return
	}
	a.judged = true
	a.heardAll()
	if a.checks != nil {
		for _, r := range a.order {
			a.checks.EndRank(r.use)
		}
		a.tellChecks()
	}
	for _, m := range a.misused {
		if again := m.report.Count - 1; again > 0 {
			m.again.Finding.Count = again
			a.net.SendUp(m.again)
		}
	}
	a.misused = nil
}

// whereIs says where a call or an access of a rank is in the program, "" if it is not one of this agent's.
func (a *follower) whereIs(rank int, site uint64) string {
	r := a.ranks[op.Rank(rank)]
	if r == nil {
		return ""
	}
	return a.Frame(&r.Process, site).Where()
}
