package agent

import (
	"unknot/internal/check/messages"
	"unknot/internal/message"
	"unknot/internal/waitstate"
)

// tellRaces tells of the receives that several messages could have met. It is done at the end, when all of these are known.
func (a *Agent) tellRaces() {
	for _, race := range a.node.Races() {
		r, f := a.ranks[race.Recv.Rank], a.table.ByID(race.Recv.Fn)
		if r == nil || f == nil {
			continue
		}
		var senders []messages.Sender
		for _, s := range race.Sends {
			if x, ok := a.sender(s); ok {
				senders = append(senders, x)
			}
		}
		p := a.place(r, f, race.Recv.Site, race.Recv.Words[:race.Recv.NWords], race.Recv.Stamp)
		p.Thread, p.State = int(race.Recv.Thread), "called"
		a.net.SendUp(message.Race{Place: p, Recv: f, Senders: senders, Asked: messages.AsksForRaces(a.opts.Checks),
			Apart: messages.Apart{Difference: race.Differ, One: rival(race.One), Other: rival(race.Other), Room: race.Room}})
	}
}

func (a *Agent) sender(o *waitstate.Origin) (messages.Sender, bool) {
	r, f := a.ranks[o.Rank], a.table.ByID(o.Fn)
	if r == nil || f == nil {
		return messages.Sender{}, false
	}
	return messages.Sender{Rank: int(o.Rank), Func: f, At: a.frame(r, o.Site)}, true
}

func rival(m waitstate.Rival) (r messages.Rival) {
	if m.Origin != nil {
		r = messages.Rival{Rank: int(m.Rank), Tag: int(m.Tag), Content: m.Content}
	}
	return r
}
