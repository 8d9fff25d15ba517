package detect

import (
	"cmp"
	"slices"

	"unknot/internal/check/messages"
	"unknot/internal/say/explain"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
)

// What is judged when all has been read, by what all agents know together: messages that nobody has received, and
// receives that several messages could have met. An agent has the messages to its own ranks, whoever has sent them;
// where they were sent the senders' agents know.

// addLeft adds what one agent has left to what others have.
func addLeft(all, m *message.Left) {
	all.Through = all.Through.Union(m.Through)
	all.Lost, all.Races = append(all.Lost, m.Lost...), append(all.Races, m.Races...)
	all.History, all.Topologies = append(all.History, m.History...), mergeTopologies(all.Topologies, m.Topologies)
}

// askLeft asks for what is left.
func (r *Root) askLeft() {
	r.renew()
	r.round.ask(remaining, message.Remains{})
}

// locateLeft asks where what is left was sent.
func (r *Root) locateLeft() {
	l := &r.round.left
	r.tellHistory()
	if l.Through.Len() < r.size {
		l.Lost = nil // who has not come to the end might have received them
	}
	slices.SortStableFunc(l.Lost, func(a, b message.Lost) int {
		return cmp.Or(cmp.Compare(a.Dst, b.Dst), cmp.Compare(a.Ctx, b.Ctx))
	})
	known := make(map[message.SentAt]int)
	var lost []message.Lost
	for _, m := range l.Lost {
		lost = message.AddLost(known, lost, m)
	}
	l.Lost = lost
	slices.SortStableFunc(l.Races, func(a, b message.Race) int { return cmp.Compare(a.Place.Rank, b.Place.Rank) })
	sends := sendsOf(l)
	if len(sends) == 0 {
		r.round.step = resting
		return
	}
	r.renew()
	r.round.places = message.Places{}
	r.round.ask(naming, message.Locate{Calls: sends})
}

// tellLeft tells of what is left.
func (r *Root) tellLeft() {
	r.round.step = resting
	sends := r.round.question.(message.Locate).Calls
	places := make(map[message.SentAt]finding.Place)
	for i := range r.round.places.Places {
		if d := &r.round.places.Places[i]; d.Nth >= 0 && d.Nth < len(sends) {
			places[message.SentBy(&sends[d.Nth])] = d.Place
		}
	}
	for i := range r.round.left.Races {
		race := &r.round.left.Races[i]
		var senders []messages.Sender
		for _, s := range race.Sends {
			if f := r.table.ByID(s.Fn); f != nil {
				senders = append(senders, messages.Sender{Rank: int(s.Rank), Func: f,
					At: places[message.SentBy(s)].Frame})
			}
		}
		r.findings.tell(explain.Race(race, senders))
	}
	for i := range r.round.left.Lost {
		lost := &r.round.left.Lost[i]
		if p, known := places[message.SentBy(lost.Send)]; known {
			p.Last = nil
			r.findings.tell(explain.Lost(lost, p))
		}
	}
}
