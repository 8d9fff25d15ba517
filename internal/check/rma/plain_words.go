package rma

import (
	"unknot/internal/check"
	"unknot/internal/finding"
	"unknot/internal/op"
)

// plainly is what an access of the program's own does, for a reader: now, and when it was done.
func (a *act) plainly() (does, done string) {
	if a.looks() {
		return "reads", "read"
	}
	return "writes to", "written to"
}

// them are bytes that were named before, where so many of them are concerned.
func them(n int64) string {
	if n == 1 {
		return "it"
	}
	return "them"
}

// note says where an access is.
func (p *spot) note() check.Elsewhere {
	_, done := p.act.plainly()
	text := "it is " + done
	if p.act.thread {
		text += " by a thread that has not called MPI"
	}
	return check.Elsewhere{Related: check.Related{Text: text, Site: p.act.call.Site}, Rank: int(p.from)}
}

// plainWords are those of a conflict of an RMA call p with an access q of the program's own, in n bytes.
func (m *remote) plainWords(w *window, p, q *spot, bytes finding.Wording, n int64, say clashWords) check.Words {
	who := finding.Wordf("rank %d", q.from)
	if p.from == q.from {
		who = finding.Wordf("it also")
	}
	does, _ := q.act.plainly()
	return check.Words{
		Sentence: finding.Wordf("Rank %d calls %s, which %s %s of %s; %s%s %s %s itself%s.", p.from, p.act.call.Fn.Name, p.act.manner, bytes, its(p.from, op.Rank(w.rank.World)),
			say.before, who, does, them(n), say.after),
		Elsewhere: []check.Elsewhere{q.note()},
		Hint:      "access the memory before the epoch begins or after it has ended (MPI_Win_fence, MPI_Win_wait), or under a lock of its own",
	}
}

// sayShared reports that two ranks access shared memory and nothing orders them.
func (m *remote) sayShared(to *check.Watch, w *window, p, q *spot, bytes finding.Wording, n int64, say clashWords) {
	r := m.ranks[op.Rank(w.rank.World)]
	if r == nil {
		return
	}
	to.Again(r, &w.making).SayWith(Conflict, -1, check.Mix(p.act.call.Site, q.act.call.Site), func() check.Words {
		first, _ := p.act.plainly()
		second, _ := q.act.plainly()
		return check.Words{
			Sentence:  finding.Wordf("Ranks %d and %d access %s of the shared memory of rank %d: rank %d %s %s, rank %d %s %s%s.", q.from, p.from, bytes, w.rank.World, q.from, second, them(n), p.from, first, them(n), say.after),
			Elsewhere: []check.Elsewhere{q.note(), p.note()},
			Hint:      "order the two by a barrier or a message, with MPI_Win_sync before and after it, or by a lock",
			Severity:  say.severity,
			Notes:     finding.Remarks(say.notes...),
		}
	})
}
