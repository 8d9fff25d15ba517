package agent

import (
	"slices"

	"unknot/internal/finding"
	"unknot/internal/tree"
	"unknot/internal/usage"
	"unknot/internal/usage/typemap"
	"unknot/internal/waitstate"
)

// pair is data that one call gives and another expects, and that do not fit.
type pair struct {
	code            finding.Code
	give, take      *waitstate.Origin
	given, expected typemap.Content
	call            string // the collective; "" for a message
}

// tellPairs sends the root what does not fit.
func (a *Agent) tellPairs() {
	for i := range a.node.Misfits {
		m := &a.node.Misfits[i]
		a.tellPair(&pair{give: m.Send, take: m.Recv, given: m.Sent, expected: m.Room})
	}
	for i := range a.node.Uneven {
		u := &a.node.Uneven[i]
		p := &pair{give: u.Give, take: u.Take, given: u.Given, expected: u.Expected, call: "a collective call"}
		if f := a.table.ByID(u.Give.Fn); f != nil {
			p.call = f.Name
		}
		a.tellPair(p)
	}
	a.node.Misfits, a.node.Uneven = a.node.Misfits[:0], a.node.Uneven[:0]
}

func (a *Agent) tellPair(p *pair) {
	if a.checks == nil {
		return
	}
	p.code, _ = p.words()
	if a.checks.Enabled(p.code) {
		a.net.Send(tree.Root, message{kind: kPair, from: a.id, pair: p})
	}
}

func (p *pair) words() (finding.Code, usage.Words) {
	return usage.Unlike(p.given, p.expected, int(p.give.Rank), int(p.take.Rank), p.call)
}

// unlike puts data that do not fit into a finding.
func (s *story) unlike() finding.Finding {
	p := s.q.pair
	code, w := p.words()
	f := finding.Finding{Code: code, Severity: w.Severity, Standing: finding.Manifest, Sentence: w.Sentence, Notes: w.Notes, Hint: w.Hint, Count: 1}
	for i := range s.members {
		m := &s.members[i]
		f.Places = append(f.Places, m.d.place)
		f.Ranks = append(f.Ranks, int(m.d.key.rank))
	}
	slices.Sort(f.Ranks)
	f.Ranks = slices.Compact(f.Ranks)
	return f
}

// content is what a call's count and datatype say of a buffer.
func (c *call) content(count int64, datatype uint64) typemap.Content {
	if o := c.r.use.Object(usage.TypeKind, datatype); o != nil {
		return typemap.Content{Type: o.Type, Count: count}
	}
	return typemap.Content{}
}
