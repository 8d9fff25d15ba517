package plan

import (
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/op"
)

// Forced is a plan as a finding carries it.
func (p *Plan) Forced() finding.Forced {
	f := finding.Forced{Synchronous: p.Synchronous}
	for _, d := range p.Decisions {
		f.Receives = append(f.Receives, finding.ForcedReceive{Rank: int(d.Rank), Thread: int(d.Thread), Nth: int(d.Nth),
			Source: int(d.Source)})
	}
	for _, s := range p.Sends {
		f.Sends = append(f.Sends, finding.ForcedSend{Rank: int(s.Rank), Thread: int(s.Thread), Nth: int(s.Nth),
			Buffered: s.Buffered})
	}
	for _, o := range p.Outcomes {
		e := finding.ForcedOutcome{Rank: int(o.Rank), Thread: int(o.Thread), Nth: int(o.Nth), Nothing: o.Nothing}
		for _, n := range o.Done {
			e.Done = append(e.Done, int(n))
		}
		f.Outcomes = append(f.Outcomes, e)
	}
	return f
}

// Of is what a finding's story forces, for a job of so many ranks.
func Of(f *finding.Forced, ranks int) Plan {
	p := Plan{Ranks: ranks, Synchronous: f.Synchronous}
	for _, r := range f.Receives {
		p.Decisions = append(p.Decisions, Decision{Rank: op.Rank(r.Rank), Thread: op.Thread(r.Thread),
			Nth: uint32(r.Nth), Source: int32(r.Source), Tag: -1})
	}
	for _, s := range f.Sends {
		p.Sends = append(p.Sends, Send{Rank: op.Rank(s.Rank), Thread: op.Thread(s.Thread), Nth: uint32(s.Nth),
			Buffered: s.Buffered})
	}
	for _, o := range f.Outcomes {
		e := Outcome{Rank: op.Rank(o.Rank), Thread: op.Thread(o.Thread), Nth: uint32(o.Nth), Nothing: o.Nothing}
		for _, n := range o.Done {
			e.Done = append(e.Done, int32(n))
		}
		p.Outcomes = append(p.Outcomes, e)
	}
	return p
}
