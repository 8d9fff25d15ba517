package agent

import (
	"unknot/internal/explain"
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
				p.Code, _ = explain.UnlikeWords(p)
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
	p.Code, _ = explain.UnlikeWords(p)
	if a.checks.Enabled(p.Code) {
		p.Fields = a.fields(p)
		a.net.Send(tree.Root, *p)
	}
}
