package explain

import (
	"fmt"

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

// Forgotten says that accesses were not compared with later ones, of a program of whatever language.
func Forgotten(accesses, memory uint64) string {
	return fmt.Sprintf("races: %d accesses were forgotten, as there was no room for them in %d bytes of memory; races "+
		"with them are not reported; hint: --race-memory", accesses, memory)
}
