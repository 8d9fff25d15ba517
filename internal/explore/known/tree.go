package known

import (
	"fmt"
	"slices"

	"unknot/internal/trace"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// Program is what is known of a program.
type Program struct {
	ranks []*node // before the first call, by world rank
	comms map[op.CommID]*trace.Comm
	table *mpi.T
	nodes int
	// Unmodelled are the calls and circumstances whose results the trees do not hold, in words, sorted; nothing is
	// claimed of a program that has any.
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
	parts uint32  // that it had started before
	wilds uint32  // receives and probes from any source among them
	nth   uint32  // of its call among those with a choice
	turns bool    // its poll, if it reports nothing, does as before
	asked []*node // polls that have reported nothing right before, in order
}

// NewProgram knows nothing of a program of so many ranks.
func NewProgram(ranks int, table *mpi.T) *Program {
	p := &Program{table: table, comms: make(map[op.CommID]*trace.Comm), unmodelled: make(map[string]bool),
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
		c.asked = append(slices.Clip(n.asked), n)
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

// turn lets a poll that has reported nothing maxPolls times in a row, other polls aside, go on as after the last time
// when it reports nothing once more. So the tree of a rank that polls forever, in turns even, is finite. What such a
// rank does that counts its polls is not followed.
func (p *Program) turn(n *node) {
	times := 0
	var last *node
	for _, m := range n.asked {
		if m.call.text == n.call.text {
			times, last = times+1, m
		}
	}
	if times >= maxPolls {
		p.leave(fmt.Sprintf("polls that report nothing more than %d times in a row", maxPolls))
		n.next[nothing], n.turns = last.next[nothing], true
	}
}

// again is how many choices are made once more when a poll does as before.
func (n *node) again() uint32 { return n.nth + 1 - n.next[nothing].nth }

// make sets what is called at a node, or compares it. Turned says that the rank came there as by turn.
func (p *Program) make(n *node, c *call, nth uint32, turned bool) bool {
	switch {
	case n.call == nil:
		n.call, n.nth = c, nth
		if c.poll {
			p.turn(n)
		}
		return true
	case n.call.text == c.text:
		return true
	}
	if p.contrary == "" && !turned {
		is, was := c.named(), n.call.named()
		if is == was {
			is, was = c.detailed(), n.call.detailed()
		}
		p.contrary = fmt.Sprintf("rank %d made a different call after the same results (%s, not %s)", n.rank, is, was)
	}
	return false
}

func (c *call) named() string {
	if c.site == "" {
		return c.fn.Name
	}
	return c.fn.Name + " at " + place(c.site)
}

// detailed is named with whom the call is meant for.
func (c *call) detailed() string {
	text := c.named()
	for i := range c.posts {
		p := &c.posts[i]
		from := fmt.Sprintf("rank %d", p.peer)
		if p.peer == op.AnySource {
			from = "any source"
		}
		switch p.kind {
		case op.Send:
			text += fmt.Sprintf(" to %s with tag %d", from, p.tag)
		case op.Recv, op.Probe:
			text += fmt.Sprintf(" from %s with tag %d", from, p.tag)
		case op.Coll:
			text += " on another communicator or with another root or operator"
		}
	}
	return text
}
