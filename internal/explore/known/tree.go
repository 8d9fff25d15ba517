package known

import (
	"fmt"

	"unknot/internal/op"
	"unknot/internal/trace"
)

// Program is what is known of a program.
type Program struct {
	ranks []*node // before the first call, by world rank
	comms map[op.CommID]*trace.Comm
	nodes int
	// Unmodelled are the calls and circumstances whose results the trees do not hold, in words, sorted; nothing is claimed of a program
	// that has any.
	unmodelled map[string]bool
	// contrary says how a rank made another call after the same history; "" if none did.
	contrary string
	past     past
}

// node is a history of a rank: what its calls gave it.
type node struct {
	id    int
	rank  op.Rank
	call  *call // that it makes next; nil if no run has shown it
	next  map[string]*node
	parts uint32 // that it had started before
	wilds uint32 // receives and probes from any source among them
	nth   uint32 // of its call among those with a choice
	polls int    // times that the same poll, asked, has reported nothing right before
	asked string
}

// NewProgram knows nothing of a program of so many ranks.
func NewProgram(ranks int) *Program {
	p := &Program{comms: make(map[op.CommID]*trace.Comm), unmodelled: make(map[string]bool),
		past: past{closed: make(map[digest]bool), stuck: make(map[string]Stuck), failed: make(map[string]bool)}}
	for r := range ranks {
		p.ranks = append(p.ranks, p.node(op.Rank(r)))
	}
	return p
}

func (p *Program) node(r op.Rank) *node {
	p.nodes++
	return &node{id: p.nodes, rank: r, next: make(map[string]*node)}
}

// after is the history of a node and what its call gave; made if it is new.
func (p *Program) after(n *node, label string) (child *node, fresh bool) {
	if c := n.next[label]; c != nil {
		return c, false
	}
	c := p.node(n.rank)
	c.parts, c.wilds = n.parts, n.wilds
	if label == nothing {
		c.polls, c.asked = n.streak()+1, n.call.text
	} else {
		c.parts += uint32(len(n.call.posts))
		for i := range n.call.posts {
			if n.call.posts[i].wild {
				c.wilds++
			}
		}
	}
	n.next[label] = c
	return c, true
}

// streak is how often the poll of a node has reported nothing right before.
func (n *node) streak() int {
	if n.call.text == n.asked {
		return n.polls
	}
	return 0
}

// make sets what is called at a node, or compares it.
func (p *Program) make(n *node, c *call, nth uint32) bool {
	switch {
	case n.call == nil:
		n.call, n.nth = c, nth
		return true
	case n.call.text == c.text:
		return true
	}
	if p.contrary == "" {
		p.contrary = fmt.Sprintf("rank %d made another call after it had been given the same (%s, not %s)", n.rank, c.named(), n.call.named())
	}
	return false
}

func (c *call) named() string {
	if c.site == "" {
		return c.fn
	}
	return c.fn + " at " + place(c.site)
}
