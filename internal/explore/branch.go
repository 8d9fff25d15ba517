package explore

import (
	"fmt"
	"slices"

	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// pruned counts what was left out, for the line on coverage.
type pruned struct {
	Alone int `json:"alone,omitempty"` // alternatives that compete with no receive from a definite source (MSPOE)
}

// metBy is whom a wildcard receive met in the recorded run; op.Unknown if it did not get there.
func (c *course) metBy(k key) op.Rank {
	for _, w := range c.wild {
		if c.key(w) == k {
			return c.at(w).Matched
		}
	}
	return op.Unknown
}

// branch adds a run for each match that the recorded one could have had instead, from the first receive on that is not
// settled. What comes of all these runs and theirs is every order of
// matches, each once: they differ from the recorded one at a first receive.
func (x *explorer) branch(it *item, c *course) error {
	settled := make(map[key]bool)
	for _, d := range it.Forced[:min(it.Fixed, len(it.Forced))] {
		settled[d.key] = true
	}
	before := slices.Clone(it.Forced[:min(it.Fixed, len(it.Forced))])
	for _, w := range c.wild {
		if settled[c.key(w)] {
			continue
		}
		if err := x.alternatives(it, c, w, before); err != nil {
			return err
		}
		own, err := c.decide(w, c.send[w])
		if err != nil {
			return err
		}
		before = append(before, own)
	}
	return nil
}

// alternatives adds the runs in which a receive meets another message, all receives before it being settled.
func (x *explorer) alternatives(it *item, c *course, w ref, before []decision) error {
	list, others := c.alternatives(w)
	for _, s := range list {
		if x.o.Strategy == MSPOE && !c.competes(w, s) {
			x.state.pruned.Alone++
			continue
		}
		d, err := c.decide(w, s)
		if err != nil {
			return err
		}
		next := &item{Parent: it.ID, Purpose: alternative, Finding: -1, Forced: append(slices.Clone(before), d),
			Fixed: len(before) + 1}
		forced := make(map[key]bool)
		for _, e := range next.Forced {
			forced[e.key] = true
		}
		for _, o := range others { // what happens without it may have to happen for the message to be there
			if e, err := c.decide(o, c.send[o]); err == nil && !forced[e.key] {
				next.Forced = append(next.Forced, e)
			}
		}
		if x.state.tried[next.identity()] {
			continue
		}
		if err := x.state.add(next); err != nil {
			return err
		}
	}
	return nil
}

// competes says whether a later receive of the same rank asks for the source of a message by name (MSPOE, section 4:
// the competition between a wildcard and a definite receive is what matters), and no barrier keeps the two apart.
func (c *course) competes(w, s ref) bool {
	t := &c.log.Threads[w.Thread]
	from, x := c.rank(s), c.at(w)
	for k := int(w.Part) + 1; k < len(t.Parts); k++ {
		p := &t.Parts[k]
		if p.Kind == op.Recv && p.Peer == from && p.Comm == x.Comm && (p.Tag == op.AnyTag || x.Tag == op.AnyTag ||
			p.Tag == x.Tag) {
			met, known := c.send[ref{Thread: w.Thread, Part: uint32(k)}]
			return !known || !c.apart(w, met)
		}
	}
	return false
}

// apart says whether the sender of a message passed a barrier before sending it that the receiver reaches only after
// the receive.
func (c *course) apart(w, s ref) bool {
	t := &c.log.Threads[s.Thread]
	for k := range t.Parts[:s.Part] {
		p := &t.Parts[k]
		if p.Kind != op.Coll || p.Sync != op.SyncAll {
			continue
		}
		mine := &c.log.Threads[w.Thread]
		later := slices.ContainsFunc(mine.Parts[w.Part:], func(q trace.Part) bool {
			return q.Kind == op.Coll && q.Comm == p.Comm && q.Seq == p.Seq
		})
		if later {
			return true
		}
	}
	return false
}

// site names the call site of a wildcard receive.
func (c *course) site(w ref) string {
	t := &c.log.Threads[w.Thread]
	o := &t.Ops[t.Starter(w.Part)]
	s := c.log.Sites[o.Site]
	return fmt.Sprintf("%s %s:%d %s+%#x", c.log.Funcs[o.Fn], s.File, s.Line, s.Module, s.Offset)
}
