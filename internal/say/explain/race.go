package explain

import (
	"unknot/internal/check/messages"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
)

// Race makes a finding of a receive that several messages could have met, those of senders.
func Race(m *message.Race, senders []messages.Sender) finding.Finding {
	w := messages.Racing(m.Asked, m.Place.Rank, m.Recv, senders, m.Apart)
	f := finding.Finding{Code: messages.MessageRace, Severity: w.Severity, Standing: finding.Predicted, Notes: w.Notes,
		Hint: w.Hint, Ranks: []int{m.Place.Rank},
		Places: []finding.Place{m.Place}, Count: 1}
	f.Say(w.Sentence)
	return f
}
