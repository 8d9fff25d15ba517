package waitstate

import (
	"cmp"
	"slices"

	"unknot/internal/model/match"
	"unknot/internal/vocab/op"
)

// Ledger is what a node has counted of the messages and collectives that its ranks share with those of other nodes. Two
// ledgers together say what the nodes would have sent each other: a message that one has sent and the other does not
// know of is on its way, or has been received without a trace.
type Ledger struct {
	Sent []Tally // by ranks of this node, to ranks of others
	// to ranks of this node: those that were heard of, and those that the run showed to have been received
	Known    []Tally
	Waiting  []Tally // of these, those that nobody has received
	Posted   []Posting
	Arrivals []Arrival
	// Lossy says that there were too many kinds of messages to count them all.
	Lossy bool
}

// Posting is a receive of this node's ranks that no known message has met.
type Posting struct {
	Src, Dst op.Rank // of any source it may be op.AnySource
	Ctx      op.CommID
	Tag      int32
}

// Arrival is how many collectives a rank has called on a context that it has not freed.
type Arrival struct {
	Rank op.Rank
	Ctx  op.CommID
	Seq  uint64
}

// Count has the node keep a ledger.
func (n *Node) Count() {
	n.counts = &counts{sent: make(map[Channel]int), known: make(map[Channel]int)}
}

// Ledger is what was counted, and what is open now.
func (n *Node) Ledger() Ledger {
	if n.counts == nil {
		return Ledger{Lossy: true}
	}
	n.settleUnseen()
	l := Ledger{Sent: tallies(n.counts.sent), Known: tallies(n.counts.known), Lossy: n.counts.lossy}
	waiting := make(map[Channel]int)
	for key, q := range n.byKey {
		q.Unmatched(func(s *match.Send) bool {
			if _, away := s.Owner.(*remote); away {
				waiting[Channel{s.Src, key.rank, key.ctx, s.Tag}]++
			}
			return true
		})
		q.Posted(func(r *match.Recv) bool {
			if !r.Peek {
				l.Posted = append(l.Posted, Posting{Src: r.Src, Dst: key.rank, Ctx: key.ctx, Tag: r.Tag})
			}
			return true
		})
	}
	l.Waiting = tallies(waiting)
	slices.SortStableFunc(l.Posted, func(a, b Posting) int {
		return cmp.Or(cmp.Compare(a.Dst, b.Dst), cmp.Compare(a.Ctx, b.Ctx))
	})
	for _, ctx := range n.sortedGroups() {
		for _, m := range n.groups[ctx].members {
			l.Arrivals = append(l.Arrivals, Arrival{Rank: m.Rank, Ctx: ctx, Seq: m.seq})
		}
	}
	return l
}

func tallies(of map[Channel]int) []Tally {
	list := make([]Tally, 0, len(of))
	for at, count := range of {
		if count != 0 {
			list = append(list, Tally{at, count})
		}
	}
	slices.SortFunc(list, func(a, b Tally) int {
		return cmp.Or(cmp.Compare(a.Src, b.Src), cmp.Compare(a.Dst, b.Dst), cmp.Compare(a.Ctx, b.Ctx),
			cmp.Compare(a.Tag, b.Tag))
	})
	return list
}

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
