package waitstate

import (
	"unknot/internal/vocab/op"
)

// A ready send may be started only if its receive is posted already (MPI-4.0, 3.4). It was not if the receive was
// posted by a thread that knew that the send was started. Here that is knowledge which every run with these matches
// has: of messages received, and of collectives that no member leaves before all others are in them. What a thread may
// have learned otherwise, as the rest of a Clock has it, does not count.

// lore is what a thread knows that has seen the part completed.
func (p *Part) lore() *Clock {
	certain := p.Kind == op.Recv || p.Kind == op.Probe || p.Kind == op.Coll && p.Sync == op.SyncAll
	if !certain || p.Unclear || p.Marked {
		return p.clock.perhaps()
	}
	return p.clock
}

// early judges a ready send whose thread knew c when it started it, and the receive that it has met.
func (m *comparison) early(c *Clock, by Calls, r *Part) {
	own, told := c.started(by.Here.Rank), r.heard.started(by.Here.Rank)
	if own == 0 || told < own || r.Kind != op.Recv || r.Unordered || r.Unclear || r.Marked || r.Taking != nil {
		return
	}
	if by.Here.Rank == r.Origin.Rank && by.Here.TS == r.Origin.TS {
		return // one MPI_Startall has started both, in any order
	}
	key := misfitKey{by.Here.Rank, r.Origin.Rank, by.Here.Site, r.Origin.Site, true}
	if m.misfits[key] || len(m.misfits) >= maxMisfits {
		return
	}
	m.misfits[key] = true
	m.Misfits = append(m.Misfits, Misfit{Ctx: r.Ctx, Tag: r.Tag, Send: Calls{Here: by.Here.AsSent()},
		Recv: Calls{Here: r.Origin.AsSent()}, Early: true})
}
