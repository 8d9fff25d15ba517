package text

import (
	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// part adds a part of a call to its thread.
func (p *parser) part(t *thread, kind op.PartKind, sh *shape, a *arguments) bool {
	q := t.defaults(p, kind, sh, a)
	if a.given&^(1<<optComm) != 0 {
		p.options(&q, a)
	}
	if q.Peer >= 0 {
		at := p.at
		if a.n > 0 {
			at = a.at[0]
		}
		if q.Peer >= maxRanks {
			return p.fail(at, "expected a process below %d, found %d", maxRanks, q.Peer)
		}
		if q.Peer > p.highRank || p.highest.number == 0 {
			p.mention(q.Peer, at)
		}
	}
	p.count(t, &q)
	if q.Peer == op.ProcNull && kind <= op.Probe {
		q = trace.Part{Kind: op.Served, Comm: q.Comm, Peer: q.Peer, Tag: q.Tag, Nth: q.Nth}
	}
	t.Parts = append(t.Parts, q)
	return true
}

// defaults is a part as its arguments and what came before it in the thread give it.
func (t *thread) defaults(p *parser, kind op.PartKind, sh *shape, a *arguments) trace.Part {
	q := trace.Part{Kind: kind, Comm: a.comm, Peer: op.Rank(a.values[0]), Tag: int32(a.values[1])}
	switch kind {
	case op.Send:
		q.Mode, q.Bytes = sh.mode, -1
		if q.Mode == op.Standard {
			q.Nth = t.standard
		}
	case op.Recv, op.Probe:
		q.Matched, q.MatchedTag = op.Unknown, int32(op.Unknown)
		q.Wild = q.Peer == op.AnySource
		if q.Wild || a.given>>optWild&1 == 1 {
			q.Nth = t.wild
		}
	case op.Coll:
		q.Tag, q.Sync, q.What = 0, sh.sync, sh.what
		if a.n == 0 {
			q.Peer = op.AnySource
		}
		q.Seq = *p.seqOf(t, a.comm)
	}
	return q
}

// options overrides what the defaults say.
func (p *parser) options(q *trace.Part, a *arguments) {
	for which, n := range a.number {
		if a.given>>which&1 == 0 {
			continue
		}
		switch which {
		case optBytes:
			q.Bytes = int64(n)
		case optNth:
			q.Nth = uint32(n)
		case optSeq:
			q.Seq = n
		case optWhat:
			q.What = n
		case optRoot:
			q.Peer = op.Rank(uint32(n))
		case optSync:
			q.Sync = op.Sync(n)
		case optMode:
			q.Mode = op.SendMode(n)
		case optWild:
			q.Wild = true
		case optGone:
			q.Gone = true
		}
	}
}

// count moves the thread's counters past a part.
func (p *parser) count(t *thread, q *trace.Part) {
	switch q.Kind {
	case op.Send:
		if q.Mode == op.Standard {
			t.standard = q.Nth + 1
		}
	case op.Recv, op.Probe:
		if q.Wild {
			t.wild = q.Nth + 1
		}
	case op.Coll:
		*p.seqOf(t, q.Comm) = q.Seq + 1
	}
}

// seqOf counts the collectives of a thread's rank on a communicator.
func (p *parser) seqOf(t *thread, comm uint32) *uint64 {
	if comm == 0 {
		return &p.thread(threadName{t.Rank, 0}).seq
	}
	key := member{t.Rank, comm}
	n := p.seqs[key]
	if n == nil {
		n = new(uint64)
		p.seqs[key] = n
	}
	return n
}
