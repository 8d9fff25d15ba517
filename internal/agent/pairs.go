package agent

import (
	"slices"

	"unknot/internal/datatype"
	"unknot/internal/finding"
	"unknot/internal/mpi"
	"unknot/internal/op"
	"unknot/internal/tree"
	"unknot/internal/usage"
	"unknot/internal/waitstate"
)

// pair is data that one call gives and another expects, and that do not fit.
type pair struct {
	code            finding.Code
	give, take      *waitstate.Origin
	given, expected datatype.Content
	call            string // the collective; "" for a message
	fields          usage.Fields
	scope           scope
}

// tellPairs sends the root what does not fit.
func (a *Agent) tellPairs() {
	for i := range a.node.Misfits {
		m := &a.node.Misfits[i]
		a.tellPair(&pair{give: m.Send, take: m.Recv, given: m.Sent, expected: m.Room, scope: scope{contexts: []op.CommID{m.Ctx}}})
	}
	for i := range a.node.Uneven {
		a.tellPair(unevenPair(&a.node.Uneven[i], a.table))
	}
	a.node.Misfits, a.node.Uneven = a.node.Misfits[:0], a.node.Uneven[:0]
}

func unevenPair(u *waitstate.Uneven, table *mpi.T) *pair {
	p := &pair{give: u.Give, take: u.Take, given: u.Given, expected: u.Expected, call: "a collective call",
		scope: scope{contexts: []op.CommID{u.Ctx}, collective: true}}
	if f := table.ByID(u.Give.Fn); f != nil {
		p.call = f.Name
	}
	return p
}

// even compares the members of a collective on one agent with those on others, by one of each.
func (r *root) even(t *tally, m waitstate.Message) {
	if m.Share == nil || t.uneven {
		return
	}
	for _, s := range t.shares {
		if u, uneven := waitstate.Differ(*s, *m.Share); uneven {
			t.uneven = true
			if p := unevenPair(&u, r.table); r.enabled[usage.UnevenData] {
				p.code, _ = p.words()
				r.pairs = append(r.pairs, p)
			}
			return
		}
	}
	t.shares = append(t.shares, m.Share)
}

func (a *Agent) tellPair(p *pair) {
	if a.checks == nil {
		return
	}
	p.code, _ = p.words()
	if a.checks.Enabled(p.code) {
		p.fields = a.fields(p)
		a.net.Send(tree.Root, message{kind: kPair, from: a.id, pair: p})
	}
}

func (p *pair) words() (finding.Code, usage.Words) {
	return usage.Unlike(p.given, p.expected, int(p.give.Rank), int(p.take.Rank), p.call, p.fields)
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
