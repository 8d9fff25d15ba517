package past

import (
	"slices"

	"unknot/internal/attach/look"
	"unknot/internal/observe/record"
	"unknot/internal/trace"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// way is where messages of one number follow each other.
type way struct {
	comm     uint32
	from, to op.Rank
	tag      int32
}

// way is that of a send or receive of a rank; false if it is not known which message a receive took, or it is from
// nobody.
func (r *rank) way(p *part) (w way, ok bool) {
	switch {
	case p.Peer == op.ProcNull:
		return w, false
	case p.Kind == op.Send:
		return way{p.Comm, r.number, p.Peer, p.Tag}, true
	case p.Kind != op.Recv:
		return w, false
	case p.Matched >= 0:
		return way{p.Comm, p.Matched, r.number, p.MatchedTag}, true
	}
	return way{p.Comm, p.Peer, r.number, p.Tag}, p.Peer >= 0 && p.Tag >= 0
}

// number gives each message and collective its number, from the last one backwards. Behind a receive of which it is not
// known which message it took, a rank is cut.
func (j *job) number() {
	for _, r := range j.ranks {
		messages := make(map[way]uint32) // the number of the one before
		for i, c := range slices.Backward(r.calls) {
			for _, p := range c.parts() {
				if p.Kind == op.Recv && !p.open && i >= r.cut && p.unknown() {
					r.resolve(p)
					if p.unknown() {
						r.cut = i + 1
					}
				}
				w, ok := r.way(p)
				if !ok {
					continue
				}
				n, known := messages[w]
				if !known {
					n = r.last(p, w)
				}
				p.number, messages[w] = n, n-1
			}
		}
		r.collectives()
		j.under(r, messages)
	}
}

// unknown says whether a receive may have taken messages of several tags or ranks.
func (p *part) unknown() bool {
	return p.Matched < 0 && (p.Peer == op.AnySource || p.Peer >= 0 && p.Tag == op.AnyTag)
}

// resolve finds out which message a receive took that is complete, where there is one possibility.
func (r *rank) resolve(p *part) {
	if peer, tag, ok := r.only(p.comm, p); ok {
		p.Matched, p.MatchedTag = peer, tag
	}
}

// last is the number of the last message of a way that a rank has sent, or posted a receive for.
func (r *rank) last(p *part, w way) uint32 {
	if p.Kind == op.Send {
		return r.channel(p.comm, w.to, w.tag).Sent
	}
	n := r.channel(p.comm, w.from, w.tag).Received
	for _, c := range r.calls {
		for _, q := range c.parts() {
			if v, ok := r.way(q); ok && q.Kind == op.Recv && q.open && v == w {
				n++
			}
		}
	}
	return n
}

// collectives numbers those of a rank, from 0.
func (r *rank) collectives() {
	left := make(map[*comm]uint64)
	for _, c := range slices.Backward(r.calls) {
		for _, p := range slices.Backward(c.parts()) {
			if p.Kind != op.Coll || c.order < r.record.Noted-uint64(len(r.record.Calls)) {
				continue // of an old request it is known
			}
			n, known := left[p.comm]
			if !known {
				n = p.comm.entries[r.number].Collectives
			}
			if n == 0 {
				p.inert = true // its record is damaged
				continue
			}
			left[p.comm], p.Seq = n-1, n-1
		}
	}
}

// under adds sends of messages that are under way and were sent before all calls that are known. before has the numbers
// of the messages before those.
func (j *job) under(r *rank, before map[way]uint32) {
	var list []*call
	for _, ch := range r.channels() {
		c := r.comms[ch.Comm]
		to := op.Unknown
		if c != nil {
			to = r.peer(c, ch.Peer)
		}
		if to < 0 || !c.whole() || ch.Sent == 0 || !j.counts(r, to) {
			continue
		}
		n, some := before[way{c.index, r.number, to, ch.Tag}]
		if !some {
			n = ch.Sent
		}
		got := j.ranks[to].channel(c, r.number, ch.Tag).Received
		for k := min(int(int32(n-got)), look.MostCalls); k > 0; k-- {
			p := &part{comm: c, number: n - uint32(k) + 1, open: true, Part: trace.Part{Kind: op.Send, Comm: c.index, Peer: to,
				Tag: ch.Tag, Bytes: -1, Matched: op.Unknown, MatchedTag: int32(op.Unknown)}}
			list = append(list, &call{fn: &mpi.Func{Name: "MPI_Isend", Class: mpi.Isend}, starts: []*start{{parts: []*part{p}}}})
		}
	}
	r.calls = append(list, r.calls...)
	r.cut += len(list)
}

// counts says whether the counts of messages from one rank to another are whole.
func (j *job) counts(from *rank, to op.Rank) bool {
	l := &j.ranks[to].record.Lost
	return !from.record.Lost.Channels && !l.Channels && !l.Receives && !l.Requests
}

// keep decides what is in the log.
func (j *job) keep() {
	type message struct {
		way
		number uint32
	}
	type meeting struct {
		comm uint32
		seq  uint64
	}
	taken := make(map[message]*part)
	met := make(map[meeting][]*part)
	j.each(func(r *rank, p *part) {
		if w, ok := r.way(p); ok && p.Kind == op.Recv && !p.open {
			taken[message{w, p.number}] = p
		}
		if p.Kind == op.Coll && !p.inert {
			at := meeting{p.Comm, p.Seq}
			met[at] = append(met[at], p)
		}
	})
	j.each(func(r *rank, p *part) {
		switch {
		case !p.comm.whole():
		case p.Kind == op.Coll:
			at := meeting{p.Comm, p.Seq}
			p.kept = !p.inert && len(met[at]) == p.comm.entered(p.Seq)
		case p.Peer == op.ProcNull, p.Kind == op.Probe, p.Kind == op.Recv && p.open:
			p.kept = true
		case p.Kind == op.Send:
			w, _ := r.way(p)
			got := j.ranks[p.Peer].channel(p.comm, r.number, p.Tag).Received
			receive := taken[message{w, p.number}]
			switch {
			case !j.counts(r, p.Peer):
				p.kept = p.open
			case int32(p.number-got) > 0:
				p.kept = true
			case receive != nil:
				p.kept, receive.kept = true, true
			}
		}
	})
}

// entered is how many members have entered a collective.
func (c *comm) entered(seq uint64) (n int) {
	for _, e := range c.entries {
		if e.Collectives > seq {
			n++
		}
	}
	return n
}

// each calls visit for all that may be in the log.
func (j *job) each(visit func(*rank, *part)) {
	for _, r := range j.ranks {
		for i, c := range r.calls {
			for _, p := range c.parts() {
				if i >= r.cut || p.open {
					visit(r, p)
				}
			}
		}
	}
}

// request is an open one by its handle; nil if there is none.
func (r *rank) request(handle uint64) *record.Request {
	if handle == r.record.Constants.NoRequest {
		return nil
	}
	return r.record.RequestOf(handle)
}
