package waitstate

import "unknot/internal/vocab/op"

// Channel is between two ranks on a context. The tag is op.AnyTag where tags are too many to be counted one by one, or
// not known.
type Channel struct {
	Src, Dst op.Rank
	Ctx      op.CommID
	Tag      int32
}

// Tally is how many messages were on a channel.
type Tally struct {
	Channel
	Count int
}

// counts are the messages to and from other nodes, while they are counted for a Ledger.
type counts struct {
	sent, known map[Channel]int
	lossy       bool
}

// add counts on a channel.
func (c *counts) add(to map[Channel]int, at Channel, by int) {
	if _, known := to[at]; !known {
		if len(to) >= maxTagged {
			at.Tag = op.AnyTag
		}
		if len(to) >= maxChannels {
			c.lossy = true
			return
		}
	}
	to[at] += by
}

// Bounds of what is counted: tags by themselves up to the first number of channels, channels up to the second.
const (
	maxTagged   = 1 << 16
	maxChannels = 1 << 20
)
