package match

import (
	"iter"
	"slices"

	"unknot/internal/vocab/op"
)

// channels are those of a queue, by source. Most ranks hear of few others, and a list of few takes less than a map.
type channels struct {
	few  []*channel
	many map[op.Rank]*channel // all of them, when they are not few any more
}

const fewChannels = 8

// of is the channel of a source, nil if there is none.
func (c *channels) of(src op.Rank) *channel {
	if c.many != nil {
		return c.many[src]
	}
	for _, x := range c.few {
		if x.src == src {
			return x
		}
	}
	return nil
}

// add adds one whose source has none.
func (c *channels) add(x *channel) {
	switch {
	case c.many != nil:
		c.many[x.src] = x
	case len(c.few) < fewChannels:
		c.few = append(c.few, x)
	default:
		c.many = map[op.Rank]*channel{x.src: x}
		for _, y := range c.few {
			c.many[y.src] = y
		}
		c.few = nil
	}
}

// all are the channels, in no order.
func (c *channels) all() iter.Seq[*channel] {
	return func(yield func(*channel) bool) {
		for _, x := range c.few {
			if !yield(x) {
				return
			}
		}
		for _, x := range c.many {
			if !yield(x) {
				return
			}
		}
	}
}

// sources are the channels by ascending source.
func (c *channels) sources() []*channel {
	return slices.SortedFunc(c.all(), func(a, b *channel) int { return int(a.src) - int(b.src) })
}
