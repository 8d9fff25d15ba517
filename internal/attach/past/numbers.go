package past

import (
	"slices"

	"unknot/internal/observe/record"
	"unknot/internal/vocab/op"
)

// way is where messages follow each other.
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

// number gives each collective its number, from the last one backwards, and finds out which messages receives from any
// source took, where that is possible.
func (j *job) number() {
	for _, r := range j.ranks {
		for _, c := range r.calls[r.cut:] {
			for _, p := range c.parts() {
				if p.Kind == op.Recv && !p.open && p.unknown() {
					r.resolve(p)
				}
			}
		}
		r.collectives()
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

// counts says whether the counts of messages from one rank to another are whole.
func (j *job) counts(from *rank, to op.Rank) bool {
	l := &j.ranks[to].record.Lost
	return !from.record.Lost.Channels && !l.Channels && !l.Receives && !l.Requests
}

// keep decides what is in the log.
func (j *job) keep() {
	type meeting struct {
		comm uint32
		seq  uint64
	}
	met := make(map[meeting][]*part)
	bytes := make(map[meeting]int64) // of those who have most, as records do not have the counts of all forms
	j.each(func(r *rank, c *call, p *part) {
		if p.Kind == op.Coll && !p.inert {
			at := meeting{p.Comm, p.Seq}
			met[at] = append(met[at], p)
			bytes[at] = max(bytes[at], j.sizes.bytes(j.site(r, c.site), p.count))
		}
	})
	j.each(func(r *rank, c *call, p *part) {
		switch {
		case !p.comm.whole():
		case p.Kind == op.Coll:
			at := meeting{p.Comm, p.Seq}
			p.kept = !p.inert && len(met[at]) == p.comm.entered(p.Seq)
			p.members, p.rank, p.Bytes = met[at], r.number, bytes[at]
		case p.Peer == op.ProcNull, p.Kind == op.Probe, p.Kind == op.Recv && p.open:
			p.kept = true
		case p.Kind == op.Send && !j.counts(r, p.Peer):
			p.kept = p.open
		}
	})
	j.messages()
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
func (j *job) each(visit func(*rank, *call, *part)) {
	for _, r := range j.ranks {
		for i, c := range r.calls {
			for _, p := range c.parts() {
				if i >= r.cut || p.open {
					visit(r, c, p)
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
