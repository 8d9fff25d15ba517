package usage

import (
	"maps"
	"slices"

	"unknot/internal/check"
	"unknot/internal/check/registry"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// Tell hands on what the checks have to say. It says whether any of that went to another agent.
func (c *Checks) Tell() (sent bool) {
	if len(c.Watch.Notes) > 0 {
		sent = c.tellNotes()
	}
	if len(c.Watch.Reports) > 0 {
		c.tellReports()
	}
	return sent
}

// tellNotes takes what the checks of one rank have for those of another to its agent. It says whether that was another
// one.
func (c *Checks) tellNotes() (sent bool) {
	for len(c.Watch.Notes) > 0 {
		notes := c.Watch.Notes
		c.Watch.Notes = nil
		for i := range notes {
			n := &notes[i]
			if to := c.home(n.To); to != c.net.ID {
				n.Locate(c.whereIs)
				c.net.Send(to, message.Note{Note: registry.Carried{Note: *n}})
				c.wrote(to)
				sent = true
				continue
			}
			c.Watch.Hear(n)
		}
	}
	return sent
}

// Hear takes in what the checks of another agent's rank had to tell.
func (c *Checks) Hear(n *check.Note) {
	if c.Watch != nil {
		c.Watch.Hear(n)
		c.Tell()
	}
}

// End lets the checks tell other ranks' what they have kept back: no more calls will come.
func (c *Checks) End() {
	if c.Watch != nil {
		c.Watch.End()
		c.Tell()
	}
}

// NotesComplete lets the checks judge what they have deferred until the notes of all agents have arrived, as they have in
// the first consistent state in which all of them are idle. It says whether something of that was sent to other agents.
func (c *Checks) NotesComplete() bool {
	if c.complete || c.Watch == nil {
		return false
	}
	c.complete = true
	c.Watch.Complete()
	return c.Tell()
}

// Conclude lets the checks judge what a rank has done in all, now that it is known what its receives have met and what
// others had to say, and tells how often the ranks did again what was reported.
func (c *Checks) Conclude() {
	if c.judged {
		return
	}
	c.judged = true
	c.NotesComplete()
	if c.Watch != nil {
		for _, world := range slices.Sorted(maps.Keys(c.ranks)) {
			c.Watch.EndRank(c.ranks[world].Use)
		}
		c.Tell()
	}
	for _, m := range c.misused {
		if again := m.report.Count - 1; again > 0 {
			m.again.Finding.Count = again
			c.net.SendUp(m.again)
		}
	}
	c.misused = nil
}

// whereIs says where a call or an access of a rank is in the program, "" if it is not one of this agent's.
func (c *Checks) whereIs(rank int, site uint64) string {
	r := c.ranks[op.Rank(rank)]
	if r == nil {
		return ""
	}
	return c.places.Frame(&r.Process, site).Where()
}

// Reported is how many wrong uses were reported, and how often they were made.
func (c *Checks) Reported() (n uint64) {
	for i := range c.misused {
		n += uint64(c.misused[i].report.Count)
	}
	return n
}
