package waitstate

import (
	"unknot/internal/kit/slab"
	"unknot/internal/model/match"
)

// Calls and their parts are made for every record, and most are over soon. Those that nobody has any more are used
// again, so that a run stays in memory that the processor has at hand. An Origin is not: whoever has described a call
// may keep it.

// pool is the memory of calls and parts.
type pool struct {
	recvs   slab.Slab[match.Recv]
	ops     slab.Slab[Op]
	origins slab.Slab[Origin]
	pieces  slab.Slab[Part]
}

// NewOp returns an empty call, for use without a node.
func NewOp() *Op { return &Op{Origin: new(Origin)} }

// NewOp returns an empty call to be entered here. It is the node's again when its thread has entered another one, and
// the strict view has passed it.
func (m *pool) NewOp() *Op {
	o := m.ops.Get()
	o.Origin, o.pooled = m.origins.Get(), true
	return o
}

// NewPart returns an empty part. It is the node's again when the calls that post it or wait for it are over, and all
// others that keep it have dropped it.
func (m *pool) NewPart() *Part {
	p := m.pieces.Get()
	p.pooled = true
	return p
}

// Discard takes back a call that was not entered, and that nobody has kept. Its Origin is whoever's who has it.
func (m *pool) Discard(o *Op) {
	if o.pooled && len(o.Posts) == 0 && len(o.Waits) == 0 {
		m.ops.Put(o)
	}
}

// Copy returns another part like one that has not been posted.
func (p *Part) Copy() *Part {
	c := *p
	c.pooled = false
	return &c
}

// Keep leaves the call to whoever has it, for good: it is not used again.
func (o *Op) Keep() { o.pooled = false }

// Keep notes one more who has the part, until Drop.
func (p *Part) Keep() { p.uses++ }

// free takes back a part that is over, if nobody has it: a send or receive within one node, or a member's part in a
// collective.
func (m *pool) free(p *Part) {
	if p.pooled && p.over && p.uses == 0 && !p.send.Passed {
		m.pieces.Put(p)
	}
}

// reuse takes back a call that its thread has left behind.
func (m *pool) reuse(o *Op) {
	if o != nil && o.pooled && o.returned && !o.inWindow {
		m.ops.Put(o)
	}
}
