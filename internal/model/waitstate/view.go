package waitstate

import (
	"unknot/internal/model/match"
	"unknot/internal/vocab/op"
)

// NeedKind says what a blocked call waits for.
type NeedKind uint8

// Kinds of needs.
const (
	NeedMessage   NeedKind = iota // a message from Rank (op.AnySource: from any member of Ctx)
	NeedReceive                   // Rank to receive
	NeedMembers                   // members of Ctx to call their Seq-th collective
	NeedSelf                      // the rank's own doing: partitions that it has not released
	NeedUnlock                    // one of Ranks to release its lock on a window
	NeedThread                    // the end of another thread of the rank
	NeedOwnUnlock                 // the rank's own unlock of what it has locked already
	// Rank, the leader of its group, to get on in the Seq-th collective on Ctx, in which it is too
	NeedLeader
	// Rank, the target of one-sided operations on the window Ctx, to see to them (op.AnySource: all members); the agent
	// knows of it when the call has lasted long
	NeedTarget
)

// Need is one thing that a blocked call waits for.
type Need struct {
	Kind   NeedKind
	Rank   op.Rank
	Ctx    op.CommID
	Tag    int32
	Seq    uint64
	Sync   op.Sync
	Root   op.Rank
	Bytes  int64
	Index  int32 // place in the user's array of requests, -1 if there is none
	Origin *Origin
	Ranks  []op.Rank // NeedUnlock
	// Free: it will be served, or what is known does not exclude it.
	Free bool
	// Met: the other side of it has called, so that MPI has to complete it without anything else that a program does
	// (MPI-4.0, 3.5 and 6.1, progress). Of a message from any rank, There is one that has sent it.
	Met bool
	// Weak: the standard lets the call complete without it, or it follows only from the call's not having completed.
	Weak bool
	// Buffers: MPI may buffer the message of the send, so its receiver may only have to make room for it.
	Buffers bool
	// Carried is the size of a message that MPI may be carrying over right now, as it must in the end (MPI-4.0, 3.5,
	// progress); 0 if there is none.
	Carried int64
	// Doubt: it may have been met without a trace, but one of the call's needs that are not Free has not.
	Doubt bool
	// Clash: the members of the collective have all come but disagree, so that nothing is known of how it continues.
	Clash bool
	// Decided: the run showed whom the wildcard receive met, a send that the strict view has not reached; or, for a
	// send, there is such a receive that could have taken it instead.
	Decided bool
	Diversion
}

// Diversion is what a receive could have that a plan does not let it have.
type Diversion struct {
	// Barred: a message of There could be received, but a plan has this receive wait for another, Forced.
	Barred   bool
	Forced   *Forced
	There    op.Rank
	ThereTag int32
}

// Equal says whether two needs are the same, except for Ranks and where Forced points to.
func (n *Need) Equal(o *Need) bool {
	return n.Kind == o.Kind && n.Rank == o.Rank && n.Ctx == o.Ctx && n.Tag == o.Tag && n.Seq == o.Seq &&
		n.Sync == o.Sync && n.Root == o.Root &&
		n.Bytes == o.Bytes && n.Index == o.Index && n.Origin == o.Origin && n.Free == o.Free && n.Weak == o.Weak &&
		n.Buffers == o.Buffers && n.Carried == o.Carried &&
		n.Met == o.Met && n.Doubt == o.Doubt && n.Clash == o.Clash && n.Decided == o.Decided && n.Barred == o.Barred &&
		n.There == o.There && n.ThereTag == o.ThereTag
}

// Wait is what a blocked thread waits for.
type Wait struct {
	Rank     op.Rank
	Thread   op.Thread
	TS       uint64
	Stamp    uint32
	Fn       uint16
	Site     uint64
	Any      bool // one need is enough
	Terminal bool // in MPI_Finalize
	Returned bool // strict view only: the run got past this call
	Needs    []Need
}

// Barred is the first need of w that only a plan keeps from being met, nil if there is none.
func (w *Wait) Barred() *Need {
	for i := range w.Needs {
		if w.Needs[i].Barred {
			return &w.Needs[i]
		}
	}
	return nil
}

func newWait(t *Thread, o *Op) Wait {
	return Wait{Rank: t.Rank, Thread: t.Index, TS: o.TS, Stamp: o.Stamp, Fn: o.Fn, Site: o.Site, Any: o.Any,
		Terminal: o.Terminal, Returned: o.returned}
}

// RealWait says what a thread waits for in the run as it is: the second result is false if it is not inside a call that
// blocks. The caller has said Return for every call that returned.
func (n *Node) RealWait(t *Thread) (Wait, bool) {
	o := t.cur
	if o == nil || o.returned || o.Opaque || !o.Blocking && !o.Terminal {
		return Wait{}, false
	}
	if len(o.Waits) == 0 && !o.Terminal {
		return Wait{}, false // no request is active: it returns at once (MPI-4.0, 3.7.5)
	}
	w := newWait(t, o)
	for i, p := range o.Waits {
		w.Needs = append(w.Needs, n.realNeed(p, index(o, i)))
	}
	doubtBuffered(o, w.Needs)
	return w, true
}

// doubtBuffered marks the standard sends of a call that needs something else as well: MPI may have buffered them, and
// that the call has not returned shows only that one of its needs is not met. That may be one which the model takes for
// met: a message on its way, or a collective that all have started and that some do not attend to (MPI-4.0, 3.7.4).
func doubtBuffered(o *Op, needs []Need) {
	if o.Any || len(needs) < 2 {
		return
	}
	for i, p := range o.Waits {
		if p.Kind == op.Send && p.Mode == op.Standard {
			needs[i].Doubt = true
		}
	}
}

// PollNeeds says what the parts that a thread polls wait for.
func (n *Node) PollNeeds(parts []*Part) []Need {
	var needs []Need
	for _, p := range parts {
		if p.owner == nil && p.Kind == op.Probe { // what an Iprobe looks for is in no queue
			p.recv = &match.Recv{Src: p.Src, Tag: p.Tag, Peek: true, Owner: p}
		}
		needs = append(needs, n.realNeed(p, -1))
	}
	return needs
}

// StrictWait says what a thread waits for at its strict position; false if some rule lets it go on or it has caught up.
func (n *Node) StrictWait(t *Thread) (Wait, bool) {
	o := t.Strict()
	if o == nil || n.canAdvance(t, o) {
		return Wait{}, false
	}
	w := newWait(t, o)
	if o.Opaque {
		w.Needs = []Need{{Free: true}}
	}
	for i, p := range o.Waits {
		if n.partDone(o, p) {
			if !o.Any {
				continue
			}
			return Wait{}, false
		}
		w.Needs = append(w.Needs, n.strictNeed(t, p, index(o, i)))
	}
	return w, true
}

func index(o *Op, i int) int32 {
	if i < len(o.Indices) {
		return o.Indices[i]
	}
	return -1
}

func need(p *Part, at int32) Need {
	need := Need{Index: at, Ctx: p.Ctx, Tag: p.Tag, Bytes: p.Bytes, Origin: p.Origin}
	switch p.Kind {
	case op.Send:
		need.Kind, need.Rank = NeedReceive, p.Dst
		if p.Held {
			need.Kind, need.Rank = NeedSelf, p.Src
		}
	case op.Recv, op.Probe:
		need.Kind, need.Rank = NeedMessage, p.source()
	case op.Coll:
		need.Kind, need.Ctx, need.Sync, need.Root = NeedMembers, p.wave.Group.Ctx, p.Sync, p.Root
		need.Seq = p.wave.Seq
	}
	return need
}

func (n *Node) realNeed(p *Part, at int32) Need {
	out := need(p, at)
	switch p.Kind {
	case op.Send:
		out.Met = !p.gone && !p.Held && (p.paired || p.Mode == op.Buffered || n.taken(p))
		out.Free = out.Met || p.paired || p.Mode == op.Buffered || p.gone
		out.Weak, out.Buffers = n.outlookOf(p) != shut, p.Mode != op.Synchronous
		if out.Weak {
			out.Carried = p.Bytes
		}
	case op.Recv, op.Probe:
		out.Met = p.paired && !p.gone && !(p.partner != nil && p.partner.Held)
		out.Free = p.paired || p.gone
		if !out.Free {
			if s := n.queue(p.Dst, p.Ctx).Candidate(p.recv); s != nil {
				out.Weak, out.Carried = true, size(s)
				n.bar(&out, p)
				if !out.Barred && n.served(p) {
					out.Free, out.Met, out.There = true, true, s.Src
				}
			}
		}
	case op.Coll:
		out.Free = p.wave.done && !p.wave.clash
		out.Met, out.Clash = out.Free, p.wave.clash
	default:
		out.Free = true
	}
	if p.Unclear || p.Marked {
		// A handle that is given out twice is that of requests which are complete. If it is not, it is this part's.
		out.Free, out.Met = true, p.paired && !p.Marked
	}
	return out
}

// served says whether a receive or probe that has not been given a message has one for certain.
func (n *Node) served(p *Part) bool {
	q := n.queue(p.Dst, p.Ctx)
	return !n.unsettled(q) && q.Served(p.recv)
}

// taken says whether a send that has not been given a receive has one for certain. Of a receive on another node that is
// not known.
func (n *Node) taken(p *Part) bool {
	if p.Held || !n.here(p.Dst) || p.send.Recv != nil {
		return false
	}
	q := n.queue(p.Dst, p.Ctx)
	return !n.unsettled(q) && q.Taken(&p.send)
}

// mostWeighed bounds the sends and receives without a partner among which MPI's choice is looked into, as each of them
// may be asked about.
const mostWeighed = 512

// unsettled says whether a send or receive that has found no partner may be cancelled, is one of a request whose
// identity is not certain, or has data that are not released; or whether there are too many of them.
func (n *Node) unsettled(q *match.Queue) bool {
	is, seen := false, 0
	q.Unmatched(func(s *match.Send) bool {
		seen++
		if p, here := s.Owner.(*Part); here {
			is = p.Marked || p.Unclear || p.Held
		}
		is = is || seen > mostWeighed
		return !is
	})
	if is {
		return true
	}
	q.Posted(func(r *match.Recv) bool {
		seen++
		if p, here := r.Owner.(*Part); here {
			is = p.Marked || p.Unclear || p.Forced != nil
		}
		is = is || seen > mostWeighed
		return !is
	})
	return is
}

// bar notes that only a plan keeps a receive from a message that is there. Whether the planned one is there as well
// does not matter: an earlier receive whose match is not known yet may have taken that.
func (n *Node) bar(need *Need, p *Part) {
	if p.Forced == nil {
		return
	}
	n.queue(p.Dst, p.Ctx).Unmatched(func(s *match.Send) bool {
		planned := s.Src == p.Forced.Src && fitsTag(p.Forced.Tag, s.Tag)
		if !planned && fitsTag(p.Tag, s.Tag) {
			need.Barred, need.Forced, need.There, need.ThereTag = true, p.Forced, s.Src, s.Tag
		}
		return !need.Barred
	})
}

// size is the size of a message that is under way, -1 if it is not known.
func size(s *match.Send) int64 {
	switch o := s.Owner.(type) {
	case *Part:
		return o.Bytes
	case *remote:
		return o.bytes
	}
	return -1
}

func (n *Node) strictNeed(t *Thread, p *Part, at int32) Need {
	out := need(p, at)
	switch p.Kind {
	case op.Recv, op.Probe:
		switch {
		case p.wildcard && p.source() != op.AnySource:
			// What MPI chose is not active in the strict view. Any active message would do there, so the receive is
			// taken as the wildcard that it is; if another message is at hand the match was an unexpected one (section
			// 3.3).
			out.Rank, out.Decided = op.AnySource, true
			out.Free = n.otherMessage(t, p)
		case p.paired:
			out.Rank = p.senderRank()
		default:
			out.Free = n.queue(p.Dst, p.Ctx).Candidate(p.recv) != nil
		}
	case op.Send:
		// In the strict view a wildcard receive would have taken this message, had the run not given it another one.
		out.Decided = n.missedReceive(p)
		out.Free = out.Decided || n.outlookOf(p) == reached
	case op.Coll:
	default:
		out.Free = true
	}
	if p.Unclear || p.Marked {
		out.Free = true
	}
	return out
}

// otherMessage says whether a message other than the observed one could reach a wildcard receive in the strict view:
// one that nobody has been given yet, or one that the run gave to a later receive of the thread.
func (n *Node) otherMessage(t *Thread, p *Part) bool {
	asPosted := match.Recv{Src: op.AnySource, Tag: p.Tag}
	if n.queue(p.Dst, p.Ctx).Candidate(&asPosted) != nil {
		return true
	}
	for _, o := range t.window[t.head:] {
		for _, r := range o.Posts {
			if r != p && r.Kind == op.Recv && r.Ctx == p.Ctx && r.paired && r.metBy(p.Tag) {
				return true
			}
		}
	}
	return false
}

// metBy says whether an active send with a tag that fits was given to this receive. Of a remote one that is not known.
func (p *Part) metBy(tag int32) bool {
	switch {
	case p.parted:
		return fitsTag(tag, p.metTag)
	case p.partner == nil:
		return true
	}
	return p.partner.active && fitsTag(tag, p.partner.Tag)
}

func (p *Part) senderRank() op.Rank {
	if p.partner != nil {
		return p.partner.Src
	}
	return p.other.Rank
}
