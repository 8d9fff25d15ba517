package threads

import (
	"unknot/internal/check"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

const threadMessage finding.Code = "thread-message"

func messageChecker() check.Checker {
	return check.Checker{
		Name: "thread-messages", Family: check.Threads, Watch: watchThreadMessages,
		Codes: []finding.Doc{{
			Code: threadMessage, Title: "two threads' messages of different kinds may be exchanged",
			Severity: finding.Warning, Since: finding.Version01,
			Means: "Two threads of a rank have sent to the same rank, or received from it, with the same communicator " +
				"and tag, but with datatypes that do not match, or with room for messages of different lengths, of which " +
				"one is too long for the other's buffer; and " + nothingOrders + ". Messages of one sender arrive " +
				"in the order of their calls only if that is fixed (MPI-4.0, 3.5). So in another run one of the calls " +
				"meets the other one's message, or receive.",
			Why: "All threads use one communicator and the same tag, though each has its own kind of message.",
			Fix: "Give each thread its own tag or its own communicator (MPI_Comm_dup), or order the calls.",
		}},
	}
}

// envelope is what decides which message meets which receive, in one direction.
type envelope struct {
	sends     bool
	comm      *objects.Comm
	peer, tag int64
}

// posted is a call of a thread with an envelope, and what it sends or has room for.
type posted struct {
	envelope
	content datatype.Content
	at      check.Place
	by      objects.Made
	room    *room // of a receive that is asked how long its message is
}

// lastPosted are the last ones of the threads of a rank, by communicator.
type lastPosted map[*objects.Comm]*onComm

// onComm are those on a communicator. Most are of one thread.
type onComm struct {
	last    op.Thread
	recent  *recentPosted // of that thread
	threads map[op.Thread]*recentPosted
}

// recentPosted are the last ones of a thread.
type recentPosted struct {
	all  [8]posted
	next int
}

// Bounds of the threads whose calls are remembered on a communicator, and of these.
const (
	mostThreads = 256
	mostComms   = 1024
)

// side is where a function has an envelope among its parameters.
type side struct {
	sends                  bool
	peer, tag, count, data int
}

func sides(f *mpi.Func) (out []side) {
	add := func(sends bool, peer, tag, count, data int) { out = append(out, side{sends, peer, tag, count, data}) }
	switch f.Class {
	case mpi.Send, mpi.Isend:
		add(true, f.Named("dest"), f.Named("tag"), f.Named("count"), f.Named("datatype"))
	case mpi.Recv, mpi.Irecv:
		add(false, f.Named("source"), f.Named("tag"), f.Named("count"), f.Named("datatype"))
	case mpi.Sendrecv, mpi.Isendrecv:
		add(true, f.Named("dest"), f.Named("sendtag"), f.Named("sendcount", "count"), f.Named("sendtype", "datatype"))
		add(false, f.Named("source"), f.Named("recvtag"), f.Named("recvcount", "count"), f.Named("recvtype", "datatype"))
	}
	return out
}

// watchThreadMessages looks for messages whose order nothing fixes and that are not alike.
func watchThreadMessages(h *check.Hooks) {
	ranks := check.SlotOf[lastPosted](h)
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		both := sides(f)
		if both == nil {
			return nil
		}
		return func(c *check.Call) {
			if c.Rank.Order == nil || c.Comm == nil {
				return
			}
			at, followed := c.Place()
			if !followed {
				return
			}
			on := ranks.Of(c.Rank).on(c)
			if on == nil {
				return
			}
			for _, s := range both {
				if p, ok := newPosted(c, s); ok {
					p.at = at
					on.measure(c, s, &p)
					if len(on.threads) > 1 {
						on.compare(c, s, &p)
						on.exchange(c, s, &p)
					}
					on.recent.note(p)
				}
			}
		}
	})
}

func newPosted(c *check.Call, s side) (p posted, ok bool) {
	var known [4]bool
	var count, handle int64
	p = posted{envelope: envelope{sends: s.sends, comm: c.Comm}, by: c.By()}
	p.peer, known[0] = c.Int(s.peer)
	p.tag, known[1] = c.Int(s.tag)
	count, known[2] = c.Int(s.count)
	handle, known[3] = c.Int(s.data)
	o := c.Rank.TypeOf(uint64(handle))
	if known != [4]bool{true, true, true, true} || p.peer == c.Rank.Limits.ProcNull || count <= 0 || o == nil ||
		o.Type == nil || o.Type.Elements() == 0 {
		return posted{}, false
	}
	p.content = datatype.Content{Type: o.Type, Count: count}
	return p, true
}

// on are the calls on a call's communicator, with those of its thread as recent; nil if there are too many threads.
func (l *lastPosted) on(c *check.Call) *onComm {
	on := (*l)[c.Comm]
	if on == nil {
		if len(*l) == mostComms {
			clear(*l)
		}
		on = &onComm{threads: make(map[op.Thread]*recentPosted)}
		objects.Set((*map[*objects.Comm]*onComm)(l), c.Comm, on)
	}
	if on.recent != nil && on.last == c.Thread {
		return on
	}
	r := on.threads[c.Thread]
	if r == nil {
		if len(on.threads) == mostThreads {
			return nil
		}
		r = new(recentPosted)
		on.threads[c.Thread] = r
	}
	on.last, on.recent = c.Thread, r
	return on
}

func (r *recentPosted) note(p posted) {
	r.all[r.next%len(r.all)] = p
	r.next++
}

// compare reports the first call of another thread whose message this one may get, or the other way round.
func (l *onComm) compare(c *check.Call, s side, p *posted) {
	var first op.Thread
	var other *posted
	for t, r := range l.threads {
		if t == c.Thread || other != nil && t > first {
			continue
		}
		for i := range r.all[:min(r.next, len(r.all))] {
			if x := &r.all[i]; x.meets(&c.Rank.Limits, p) && c.Unordered(x.at) {
				first, other = t, x
				break
			}
		}
	}
	if other == nil || c.Said {
		return
	}
	c.Say(threadMessage, s.data, func() check.Words {
		return check.ByChance(p.words(c, first, other),
			"give each thread its own tag or its own communicator, or order the calls",
			check.MadeAt(other.by.Func, other.by.Site))
	})
}

// competes says whether two calls compete for the same message or receive.
func (p *posted) competes(l *objects.Limits, other *posted) bool {
	return p.sends == other.sends && p.comm == other.comm && same(p.peer, other.peer, l.AnySource) &&
		same(p.tag, other.tag, l.AnyTag)
}

// meets says whether two calls compete for the same message or receive, and no receive or message suits both.
func (p *posted) meets(l *objects.Limits, other *posted) bool {
	if !p.competes(l, other) {
		return false
	}
	_, alike := datatype.Compare(p.content.Type, p.content.Count, other.content.Type, other.content.Count)
	return !alike
}

func same(a, b, wild int64) bool { return a == b || a == wild || b == wild }

func (p *posted) words(c *check.Call, thread op.Thread, other *posted) finding.Wording {
	does, has, then := "receives", "received", "each of the two may get the message that is meant for the other"
	if p.sends {
		does, has, then = "sends", "sent", "the messages may arrive in the other order, and one meets a receive for the other"
	}
	return finding.Wordf("Rank %d %s %v by %s in thread %d after its thread %d has %s %v by %s with the same communicator, "+
		"rank and tag, and nothing orders the two: in another run %s.", c.Rank.World, does, p.content, c.Func.Name,
		c.Thread, thread, has, other.content, other.by.Func.Name, then)
}
