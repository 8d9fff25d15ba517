package explain

import (
	"unknot/internal/check/messages"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
)

// Buffered adds to a finding about a send that only buffering spared the sender a wait for its receiver.
const Buffered = "with a larger message, or another MPI library, the sender waits here forever"

// Lost makes a finding of a message that nobody receives, sent at a place.
func Lost(m *message.Lost, p finding.Place) finding.Finding {
	var size finding.Wording
	if m.Bytes >= 0 {
		size = finding.Wordf(" (%s)", finding.Counted(m.Bytes, "byte", "bytes"))
	}
	f := finding.Finding{Code: messages.MessageLost, Severity: finding.Warning, Standing: finding.Manifest,
		Ranks: []int{int(m.Src)}, Places: []finding.Place{p},
		Count: m.Count}
	f.Say(finding.Wordf("The message from rank %d to rank %d with tag %d%s is never received.", m.Src, m.Dst,
		m.Tag, size))
	return f
}
