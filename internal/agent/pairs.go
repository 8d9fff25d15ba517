package agent

import (
	"slices"

	"unknot/internal/finding"
	"unknot/internal/message"
	"unknot/internal/mpi"
	"unknot/internal/op"
	"unknot/internal/tree"
	"unknot/internal/usage"
	"unknot/internal/waitstate"
)

// tellPairs sends the root what does not fit.
func (a *Agent) tellPairs() {
	for i := range a.node.Misfits {
		m := &a.node.Misfits[i]
		a.tellPair(&message.Pair{Give: m.Send, Take: m.Recv, Given: m.Sent, Expected: m.Room, Scope: message.Scope{Contexts: []op.CommID{m.Ctx}}})
	}
	for i := range a.node.Uneven {
		a.tellPair(unevenPair(&a.node.Uneven[i], a.table))
	}
	a.node.Misfits, a.node.Uneven = a.node.Misfits[:0], a.node.Uneven[:0]
}

func unevenPair(u *waitstate.Uneven, table *mpi.T) *message.Pair {
	p := &message.Pair{Give: u.Give, Take: u.Take, Given: u.Given, Expected: u.Expected, Call: "a collective call",
		Scope: message.Scope{Contexts: []op.CommID{u.Ctx}, Collective: true}}
	if f := table.ByID(u.Give.Fn); f != nil {
		p.Call = f.Name
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
				p.Code, _ = unlikeWords(p)
				r.pairs = append(r.pairs, p)
			}
			return
		}
	}
	t.shares = append(t.shares, m.Share)
}

func (a *Agent) tellPair(p *message.Pair) {
	if a.checks == nil {
		return
	}
	p.Code, _ = unlikeWords(p)
	if a.checks.Enabled(p.Code) {
		p.Fields = a.fields(p)
		a.net.Send(tree.Root, *p)
	}
}

func unlikeWords(p *message.Pair) (finding.Code, usage.Words) {
	return usage.Unlike(p.Given, p.Expected, int(p.Give.Rank), int(p.Take.Rank), p.Call, p.Fields)
}

// unlike puts data that do not fit into a finding.
func (s *story) unlike() finding.Finding {
	p := s.q.pair
	code, w := unlikeWords(p)
	f := finding.Finding{Code: code, Severity: w.Severity, Standing: finding.Manifest, Sentence: w.Sentence, Notes: w.Notes, Hint: w.Hint, Count: 1}
	for i := range s.members {
		m := &s.members[i]
		f.Places = append(f.Places, m.d.Place)
		f.Ranks = append(f.Ranks, int(m.d.Key.Rank))
	}
	slices.Sort(f.Ranks)
	f.Ranks = slices.Compact(f.Ranks)
	return f
}
