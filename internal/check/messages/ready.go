package messages

import (
	"unknot/internal/check"
	"unknot/internal/vocab/finding"
)

// Early are the functions by which a ready send was started and its receive posted.
type Early struct{ Send, Recv string }

// Words say that the send was started first.
func (e Early) Words(sender, receiver int) (finding.Code, check.Words) {
	w := check.Words{Severity: finding.Error,
		Hint: "post the receive first and then let the sender know, by a message or a barrier, or use a standard send"}
	if sender == receiver {
		w.Sentence = finding.Wordf("Rank %d starts a ready send to itself by %s before it posts the receive by %s.",
			sender, e.Send, e.Recv)
	} else {
		w.Sentence = finding.Wordf("Rank %d starts a ready send by %s before rank %d posts the receive: rank %d "+
			"calls %s after a message or a collective that follows the send.", sender, e.Send, receiver,
			receiver, e.Recv)
	}
	return ReadyEarly, w
}
