package past

import (
	"cmp"
	"slices"

	"unknot/internal/attach/look"
	"unknot/internal/observe/record"
	"unknot/internal/trace"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// rank is one while the log is made.
type rank struct {
	seen   *look.Rank
	record *record.Rank
	number op.Rank
	comms  map[uint32]*comm // by serial
	calls  []*call          // requests that are older than the calls of the record come first
	cut    int              // of the calls before this one only what is open counts
	lines  []*line          // of messages to it, if the counts of these are whole
}

// call is one of the last calls of a rank.
type call struct {
	fn     *mpi.Func
	site   uint64
	order  uint64 // position among all of its rank
	count  int64
	open   bool // it has not returned
	failed bool
	starts []*start // what it starts, each completed by itself
	// strange says that it starts something and it is not known what.
	strange bool
}

// start is what one call has started, or one of those requests that one call has: a send, a receive, or both; nothing
// that others take part in if it has no parts.
type start struct {
	parts   []*part
	request *record.Request // if it is open
}

// part is one send, receive, or collective.
type part struct {
	trace.Part
	comm  *comm
	count int64
	open  bool // the call has not returned, or the request is open
	kept  bool // it is in the log
	free  bool // a receive that is complete, and of which it is not known which message it took
	inert bool // a collective that only counts
	at    uint32
	rank  op.Rank
	// what it belongs to, in the log: the message that a receive took, the parts of those who have entered a collective
	message *part
	members []*part
}

// read makes calls of the record of a rank.
func (j *job) read(r *rank) {
	list := r.record.Calls
	open := make(map[uint64][]*record.Request) // by the call that has started them
	for i := range r.record.Requests {
		if q := &r.record.Requests[i]; q.Active && !q.Complete {
			open[q.Order] = append(open[q.Order], q)
		}
	}
	first := r.record.Noted - uint64(len(list))
	for i := len(list) - 1; i >= 0; i-- {
		p := &list[i]
		c := &call{fn: p.Func, site: p.Site, order: first + uint64(i), count: p.Count, open: p.Open, failed: p.Result != 0}
		var other *record.Past
		if p.Func.Class == mpi.Sendrecv || p.Func.Class == mpi.Isendrecv {
			if i--; i < 0 {
				break // the receive is older than all that is known
			}
			other = &list[i]
		}
		if p.Func.Class == mpi.Start || p.Func.Class == mpi.Startall {
			r.persistent(c, open[c.order])
		} else {
			c.starts = r.starts(c, p, other, open[c.order])
		}
		r.calls = append(r.calls, c)
	}
	slices.Reverse(r.calls)
	j.guessed = r.repeat() || j.guessed
	var old []*call
	for order, requests := range open {
		if order >= first {
			continue
		}
		for _, q := range requests {
			s := r.fromRequest(q, q)
			old = append(old, &call{fn: q.Func, site: q.Site, order: order, starts: []*start{s}})
		}
	}
	slices.SortStableFunc(old, func(a, b *call) int { return cmp.Compare(a.order, b.order) })
	r.calls = append(old, r.calls...)
	r.cut = len(old)
	for i, c := range r.calls {
		if c.strange {
			r.cut = i + 1
		}
	}
}

// starts is what a call starts that is no start of persistent requests; other is the receive of one that also sends.
func (r *rank) starts(c *call, p, other *record.Past, open []*record.Request) []*start {
	f := p.Func
	s := &start{}
	if len(open) > 0 {
		s.request = open[0]
	}
	isOpen := c.open || s.request != nil
	add := func(of *part) {
		if of != nil && !c.failed {
			of.open = isOpen
			s.parts = append(s.parts, of)
		}
	}
	switch f.Class {
	case mpi.Send, mpi.Isend:
		add(r.message(op.Send, f.Mode, p.Comm, p.Peer, p.Tag, p.Count))
	case mpi.Recv, mpi.Irecv, mpi.Mprobe, mpi.Improbe:
		add(r.message(op.Recv, 0, p.Comm, p.Peer, p.Tag, p.Count))
	case mpi.Probe:
		if c.open {
			add(r.message(op.Probe, 0, p.Comm, p.Peer, p.Tag, 0))
		}
	case mpi.Sendrecv, mpi.Isendrecv:
		add(r.message(op.Send, f.Mode, p.Comm, p.Peer, p.Tag, p.Count))
		add(r.message(op.Recv, 0, other.Comm, other.Peer, other.Tag, other.Count))
	case mpi.Coll, mpi.CommCreate, mpi.CommFree, mpi.IntercommCreate, mpi.WinCreate, mpi.FileOpen:
		if of := r.collective(f, p.Comm, p.Peer, p.Count); of != nil { // counts even if it has failed
			of.open, of.inert = isOpen, f.Persistent || c.failed
			s.parts = append(s.parts, of)
		}
	case mpi.Imrecv, mpi.Rrma, mpi.FileReq, mpi.FileIcoll, mpi.GreqStart, mpi.BufferIflush:
	default:
		return nil
	}
	return []*start{s}
}

// message is a send, receive or probe; nil if its communicator is not known, or its peer is none.
func (r *rank) message(kind op.PartKind, mode op.SendMode, serial uint32, peer, tag int32, count int64) *part {
	c := r.comms[serial]
	if c == nil {
		return nil
	}
	p := &part{comm: c, count: count, Part: trace.Part{Kind: kind, Mode: mode, Comm: c.index, Peer: r.peer(c, peer),
		Tag: tag, Bytes: -1, Matched: op.Unknown, MatchedTag: int32(op.Unknown)}}
	if p.Peer == op.Unknown {
		return nil
	}
	if kind != op.Send {
		p.Wild = p.Peer == op.AnySource
		if tag == r.record.Constants.AnyTag {
			p.Tag = op.AnyTag
		}
	}
	return p
}

// collective is the part of a rank in a collective call; nil if its communicator is not known.
func (r *rank) collective(f *mpi.Func, serial uint32, root int32, count int64) *part {
	c := r.comms[serial]
	if c == nil {
		return nil
	}
	p := &part{comm: c, count: count, Part: trace.Part{Kind: op.Coll, Sync: f.Sync, Comm: c.index, Peer: op.AnySource,
		What: uint64(f.Family)}}
	if _, rooted := f.Param(mpi.RRoot); rooted && root >= 0 && int(root) < len(c.Members) {
		p.Peer = c.Members[root]
	}
	return p
}

// fromRequest is what a request does that was started at some time; open is the request if it is open.
func (r *rank) fromRequest(q, open *record.Request) *start {
	s := &start{request: open}
	var p *part
	switch q.Func.Class {
	case mpi.Isend, mpi.SendInit:
		p = r.message(op.Send, q.Func.Mode, q.Comm, q.Peer, q.Tag, q.Count)
	case mpi.Irecv, mpi.RecvInit, mpi.Isendrecv:
		p = r.message(op.Recv, 0, q.Comm, q.Peer, q.Tag, q.Count)
	case mpi.Coll, mpi.CommCreate:
		if p = r.collective(q.Func, q.Comm, q.Peer, 0); p != nil && q.Count > 0 {
			p.Seq = uint64(q.Count) - 1
		}
	}
	if p != nil {
		p.open = open != nil
		s.parts = []*part{p}
	}
	return s
}

// persistent has a call start the persistent requests that it has started, if these are known: they say which call has
// started them last.
func (r *rank) persistent(c *call, open []*record.Request) {
	var list []*record.Request
	for i := range r.record.Requests {
		if q := &r.record.Requests[i]; q.Persistent && q.Order == c.order {
			list = append(list, q)
		}
	}
	slices.SortStableFunc(list, func(a, b *record.Request) int {
		if a.Func.Class == mpi.Coll && b.Func.Class == mpi.Coll {
			return cmp.Compare(a.Count, b.Count)
		}
		return 0
	})
	for _, q := range list {
		var now *record.Request
		if slices.Contains(open, q) {
			now = q
		}
		c.starts = append(c.starts, r.fromRequest(q, now))
	}
	c.strange = !c.all()
}

// all says whether it is known of a call that starts requests which ones these are.
func (c *call) all() bool {
	return c.fn.Class == mpi.Start && len(c.starts) == 1 || c.fn.Class == mpi.Startall && int64(len(c.starts)) == c.count
}

// repeat has each call that starts persistent requests, and of which it is not known which, start the same as one after
// it at the same place: as many calls later as there are calls there of which it is known.
func (r *rank) repeat() (guessed bool) {
	places := make(map[uint64][]*call) // the last one first
	for _, c := range slices.Backward(r.calls) {
		if c.fn.Class == mpi.Start || c.fn.Class == mpi.Startall {
			places[c.site] = append(places[c.site], c)
		}
	}
	for _, list := range places {
		known := slices.IndexFunc(list, func(c *call) bool { return c.strange })
		if known <= 0 {
			continue
		}
		for i, c := range list[known:] {
			if n := list[i]; c.strange && !n.strange && n.count == c.count {
				c.starts, c.strange, guessed = again(n.starts), false, true
			}
		}
	}
	return guessed
}

// again is the same, started at another time and complete.
func again(starts []*start) (list []*start) {
	for _, s := range starts {
		one := &start{}
		for _, p := range s.parts {
			part := *p
			part.open = false
			one.parts = append(one.parts, &part)
		}
		list = append(list, one)
	}
	return list
}

// parts are what a call takes part in.
func (c *call) parts() (list []*part) {
	for _, s := range c.starts {
		list = append(list, s.parts...)
	}
	return list
}
