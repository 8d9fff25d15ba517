package past

import (
	"cmp"
	"slices"

	"unknot/internal/attach/look"
	"unknot/internal/trace"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// line is the messages of a way. Their numbers count from the last one that a receive was posted for, which is 0:
// those that follow are in no receive. The numbers of sends and receives are not known that are older than the calls
// which are known, and those of receives before one that may have taken a message of the way, or not. Only those are
// there that are open.
type line struct {
	way
	of                                     *comm
	sends, oldSends, receives, oldReceives []*part
	early                                  []*part // sends that are for none of the receives that are known
}

// messages decides which sends and receives are in the log: those that belong together, and what is open or under way.
// Sends of messages that are under way are added if they are older than the calls that are known.
func (j *job) messages() {
	lines := make(map[way]*line)
	at := func(w way, c *comm) *line {
		l := lines[w]
		if l == nil {
			l = &line{way: w, of: c}
			lines[w] = l
		}
		return l
	}
	for _, r := range j.ranks {
		any := r.any()
		for i, c := range r.calls {
			for _, p := range c.parts() {
				w, ok := r.way(p)
				receives := p.Kind == op.Recv && !p.open && p.Peer != op.ProcNull && p.comm.whole() && i >= r.cut
				if !ok || !p.comm.whole() {
					p.free = receives
					continue
				}
				l := at(w, p.comm)
				before := p.Kind == op.Recv && any.after(i, w)
				p.free = before && receives
				switch old := i < r.cut || before; {
				case old && p.open && p.Kind == op.Send:
					l.oldSends = append(l.oldSends, p)
				case old && p.open:
					l.oldReceives = append(l.oldReceives, p)
				case old:
				case p.Kind == op.Send:
					l.sends = append(l.sends, p)
				default:
					l.receives = append(l.receives, p)
				}
			}
		}
		for _, ch := range r.record.Channels {
			if c := r.comms[ch.Comm]; c != nil && c.whole() && ch.Sent > 0 {
				if to := r.peer(c, ch.Peer); to >= 0 {
					at(way{c.index, r.number, to, ch.Tag}, c)
				}
			}
		}
	}
	older := make(map[op.Rank][]*call)
	for _, l := range sorted(lines) {
		if j.counts(j.ranks[l.from], l.to) {
			for range l.keep(j) {
				older[l.from] = append(older[l.from], l.send())
			}
			j.ranks[l.to].lines = append(j.ranks[l.to].lines, l)
		}
	}
	for _, r := range j.ranks {
		list := older[r.number]
		r.calls = append(list, r.calls...)
		r.cut += len(list)
	}
}

// wild is what receives may have taken whose messages are not known, each with its last call.
type wild map[way]int

// any are the receives of a rank that are complete, and of which it is not known which message they took.
func (r *rank) any() wild {
	w := make(wild)
	for i, c := range r.calls {
		for _, p := range c.parts() {
			if p.Kind == op.Recv && !p.open && p.unknown() {
				w[way{p.Comm, p.Peer, r.number, p.Tag}] = i
			}
		}
	}
	return w
}

// after says whether a call after one may have taken a message of a way.
func (w wild) after(call int, of way) bool {
	for x, at := range w {
		if at > call && x.comm == of.comm && (x.from == of.from || x.from == op.AnySource) &&
			(x.tag == of.tag || x.tag == op.AnyTag) {
			return true
		}
	}
	return false
}

func sorted(lines map[way]*line) (list []*line) {
	for _, l := range lines {
		list = append(list, l)
	}
	slices.SortFunc(list, func(a, b *line) int {
		return cmp.Or(cmp.Compare(a.comm, b.comm), cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to),
			cmp.Compare(a.tag, b.tag))
	})
	return list
}

// keep decides what of a way is in the log. It gives how many messages have to be there that were sent before all calls
// that are known.
func (l *line) keep(j *job) (missing int) {
	from, to := j.ranks[l.from], j.ranks[l.to]
	received := to.channel(l.of, l.from, l.tag).Received + uint32(len(l.oldReceives))
	for _, p := range l.receives {
		if p.open {
			received++
		}
	}
	last := int(int32(from.channel(l.of, l.to, l.tag).Sent - received)) // the number of the last message
	first := -len(l.receives)                                           // receives after this one are known
	receive := func(n int) *part {
		if n > 0 || n <= first {
			return nil
		}
		return l.receives[n-first-1]
	}
	var early []*part // those that are open
	for i, p := range l.sends {
		switch n := last - len(l.sends) + 1 + i; {
		case n > 0:
			p.kept = true
		case receive(n) != nil:
			p.kept, receive(n).kept, receive(n).message = true, true, p
		case p.open:
			early = append(early, p)
		default:
			l.early = append(l.early, p)
		}
	}
	// Messages that were sent before all calls which are known.
	for n := first + 1; n <= last-len(l.sends) && missing < look.MostCalls; n++ {
		if p := receive(n); p == nil || p.open {
			missing++
		}
	}
	// Open receives that are older than those which are known have a message unless it was not sent yet.
	have := max(0, len(l.oldReceives)-max(0, first-last))
	for _, p := range early[max(0, len(early)-have):] {
		p.kept = true
		have--
	}
	missing += have
	for _, p := range l.oldSends[max(0, len(l.oldSends)-missing):] {
		p.kept = true
		missing--
	}
	return missing
}

// take has a receive take a message of those that are for none that is known, and that was sent, if there is one that
// it may take.
func (r *replay) take(one *rank, p *part) bool {
	answered := r.answered(one)
	for _, l := range one.lines {
		if !r.loose && answered >= 0 && l.from != answered && p.Peer == op.AnySource {
			continue
		}
		if len(l.early) == 0 || !r.started[l.early[0]] || l.comm != p.Comm || p.Peer != op.AnySource && p.Peer != l.from ||
			p.Tag != op.AnyTag && p.Tag != l.tag {
			continue
		}
		r.chosen = true
		p.message, l.early = l.early[0], l.early[1:]
		p.message.kept, p.kept, p.free, p.Matched, p.MatchedTag = true, true, false, l.from, l.tag
		return true
	}
	return false
}

// send is a call that has sent a message of which nothing else is known.
func (l *line) send() *call {
	p := &part{comm: l.of, open: true, kept: true, Part: trace.Part{Kind: op.Send, Comm: l.comm, Peer: l.to, Tag: l.tag,
		Bytes: -1, Matched: op.Unknown, MatchedTag: int32(op.Unknown)}}
	return &call{fn: &mpi.Func{Name: "MPI_Isend", Class: mpi.Isend}, starts: []*start{{parts: []*part{p}}}}
}
