package explain

import (
	"fmt"

	"unknot/internal/check/messages"
	"unknot/internal/finding"
	"unknot/internal/message"
)

// LostSends adds to such a finding that only buffering spared the sender a wait for its receiver.
const LostSends = "with a larger message, or another MPI library, the sender waits here forever"

// Lost makes a finding of a message that nobody receives, sent at a place.
func Lost(m *message.Lost, p finding.Place) finding.Finding {
	size := ""
	if m.Bytes >= 0 {
		size = " (" + finding.Count(m.Bytes, "byte", "bytes") + ")"
	}
	return finding.Finding{Code: messages.MessageLost, Severity: finding.Warning, Standing: finding.Manifest, Ranks: []int{int(m.Src)}, Places: []finding.Place{p},
		Count: m.Count, Sentence: fmt.Sprintf("The message from rank %d to rank %d with tag %d%s is never received.", m.Src, m.Dst, m.Tag, size)}
}
