package rma

import (
	"unknot/internal/check"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/op"
)

// plainly is what an access of the program's own does with n bytes that were named before, for a reader.
func (a *act) plainly(n int64) string {
	does, them := "reads", "them"
	if !a.looks() {
		does = "writes to"
	}
	if n == 1 {
		them = "it"
	}
	return does + " " + them
}

// elsewhere says where an act is, for the report of another one.
func (p *spot) elsewhere() check.Elsewhere {
	text := "the other access was made"
	if p.act.plain() {
		text = "it is written to"
		if p.act.looks() {
			text = "it is read"
		}
		if p.act.thread {
			text += " by a thread that has not called MPI"
		}
	}
	return check.Elsewhere{Related: check.Related{Text: text, Func: p.act.call.Fn, Site: p.act.call.Site},
		Rank: int(p.from)}
}

// sayShared reports that two ranks access shared memory and nothing orders them. It names the lower rank first: which
// access is known first says nothing.
func (m *remote) sayShared(to *check.Watch, w *window, p, q *spot, bytes finding.Wording, n int64, say clashWords) {
	r := m.ranks[op.Rank(w.rank.World)]
	if r == nil {
		return
	}
	if p.from < q.from {
		p, q = q, p
	}
	to.Again(r, &w.making).SayWith(Conflict, -1, check.Mix(p.act.call.Site, q.act.call.Site), func() check.Words {
		return check.Words{
			Sentence: finding.Wordf("Ranks %d and %d access %s of the shared memory of rank %d: rank %d %s, "+
				"rank %d %s%s.", q.from, p.from, bytes, w.rank.World, q.from, q.act.plainly(n), p.from,
				p.act.plainly(n), say.after),
			Elsewhere: []check.Elsewhere{q.elsewhere(), p.elsewhere()},
			Hint:      "order the two by a barrier or a message, with MPI_Win_sync before and after it, or by a lock",
			Severity:  say.severity,
			Notes:     finding.Remarks(say.notes...),
		}
	})
}
