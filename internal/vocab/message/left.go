package message

import (
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/op"
)

// SentAt is where messages were sent: a call site of a rank.
type SentAt struct {
	Rank op.Rank
	Site uint64
}

// SentBy is where a call sends.
func SentBy(o *waitstate.Origin) SentAt { return SentAt{o.Rank, o.Site} }

// AddLost puts a message behind others that nobody has received, of which it is known where they were sent. The first
// of those that one call has sent stands for the others.
func AddLost(known map[SentAt]int, list []Lost, m Lost) []Lost {
	at := SentBy(m.Send)
	if i, again := known[at]; again {
		list[i].Count += m.Count
		return list
	}
	known[at] = len(list)
	return append(list, m)
}
