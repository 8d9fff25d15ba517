package known

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"unknot/internal/trace"
	"unknot/internal/trace/pairing"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
	"unknot/internal/vocab/plan"
)

// nothing is the label of the edge of a poll that found nothing.
const nothing = "-"

// stored is what is not followed.
const stored = "what windows and files hold"

// maxPolls bounds how often in a row the same poll is followed when it reports nothing, other polls in between or not.
const maxPolls = 3

// Learn takes in a run, which the plan was forced on. It says whether the run showed anything new.
func (p *Program) Learn(l *trace.Log, forced plan.Plan) (taught bool) {
	for i := range l.Comms {
		if c := &l.Comms[i]; p.comms[c.ID] == nil {
			p.comms[c.ID] = c
		}
	}
	r := &reading{p: p, log: l, rows: p.table.Rows(l.Funcs), sent: Matches(l, forced).Message, nodes: make(map[ref]int),
		joined: make(map[member]int)}
	for i := range l.Threads {
		t := &l.Threads[i]
		if t.Index > 0 {
			if len(t.Ops) > 0 {
				p.leave("MPI calls of several threads in a rank")
			}
			continue
		}
		if int(t.Rank) >= len(p.ranks) {
			continue
		}
		r.threads = append(r.threads, &reader{t: t, thread: uint32(i), at: p.ranks[t.Rank]})
	}
	for moved := true; moved; {
		moved = false
		for _, t := range r.threads {
			for r.step(t) {
				moved = true
			}
		}
	}
	return r.taught
}

// leave notes something that is not modelled.
func (p *Program) leave(what string) { p.unmodelled[what] = true }

// ref names a part of a log.
type ref = pairing.Ref

// member is a rank's part in a collective.
type member struct {
	comm op.CommID
	seq  uint64
	rank op.Rank
}

// reading is a run on its way into the trees.
type reading struct {
	p       *Program
	log     *trace.Log
	rows    []*mpi.Func // of its functions
	sent    map[ref]ref // by receive or probe: the message
	nodes   map[ref]int // by message: the history of its sender
	joined  map[member]int
	threads []*reader
	taught  bool
}

// reader is how far a thread has been read.
type reader struct {
	t       *trace.Thread
	thread  uint32
	at      *node
	op      int
	poll    int
	count   uint32 // of the poll at hand that were read
	skipped uint32 // polls that do not count in the tree, as the rank continues as before them
	made    bool   // the call at hand is in the tree
	over    bool
}

// step reads one call on; false if it has to wait for another thread, or is at the end.
func (r *reading) step(t *reader) bool {
	if t.over {
		return false
	}
	if t.poll < len(t.t.Polls) && int(t.t.Polls[t.poll].Before) <= t.op {
		return r.nothing(t, &t.t.Polls[t.poll])
	}
	if t.op >= len(t.t.Ops) {
		t.over = true
		return false
	}
	o := &t.t.Ops[t.op]
	if !t.made {
		if !r.p.make(t.at, r.call(t, o), o.Nth-t.skipped, t.skipped > 0) {
			t.over = true
			return false
		}
		t.made = true
		r.entered(t, o)
	}
	if o.Final || !o.Returned {
		t.over = true
		return true
	}
	label, known := r.label(t, o)
	if !known {
		return false
	}
	r.advance(t, label)
	t.op, t.made = t.op+1, false
	return true
}

func (r *reading) advance(t *reader, label string) {
	next, fresh := r.p.after(t.at, label)
	t.at = next
	r.taught = r.taught || fresh
}

// nothing reads a poll that reported nothing.
func (r *reading) nothing(t *reader, q *trace.Poll) bool {
	if t.count == q.Count {
		t.poll, t.count = t.poll+1, 0
		return true
	}
	if t.count == 0 && t.poll >= trace.MostPolls && t.t.Polls[t.poll+1-trace.MostPolls].Before == q.Before {
		r.p.leave(fmt.Sprintf("polls in turns after the first %d between two calls", trace.MostPolls))
		t.over = true // what it polled then is not in the log
		return false
	}
	c := r.polled(t, q)
	if !r.p.make(t.at, c, q.Nth+t.count-t.skipped, t.skipped > 0) {
		t.over = true
		return false
	}
	n := t.at
	r.advance(t, nothing)
	t.count++
	if n.turns {
		t.skipped += n.again()
	}
	if t.at == n { // it stays there
		t.skipped += q.Count - t.count
		t.count = q.Count
	}
	return true
}

func (r *reading) polled(t *reader, q *trace.Poll) *call {
	c := &call{fn: r.rows[q.Fn], site: site(r.log, q.Site), any: q.Any, choice: true, poll: true, probe: q.Probe}
	if q.Probe {
		x := trace.Part{Kind: op.Probe, Comm: q.Comm, Peer: q.Peer, Tag: q.Tag, Wild: q.Peer == op.AnySource}
		if c.fn.Class == mpi.Improbe {
			x.Kind = op.Recv
		}
		c.posts = []part{partOf(r.log, &x, c.fn)}
		c.waits = []wait{{part: t.at.parts}}
	}
	for _, w := range t.t.Waits[q.WaitAt : q.WaitAt+q.Waiting] {
		c.waits = append(c.waits, wait{w.Part, w.At})
	}
	c.describe()
	return c
}

func (r *reading) call(t *reader, o *trace.Op) *call {
	c := &call{fn: r.rows[o.Fn], site: site(r.log, o.Site), any: o.Any, choice: o.Choice, final: o.Final,
		blocked: o.Opaque}
	c.poll = o.Choice && c.fn.Poll
	c.probe = c.poll && (c.fn.Class == mpi.Iprobe || c.fn.Class == mpi.Improbe)
	posts := t.t.Posts(o)
	for i := range posts {
		c.posts = append(c.posts, partOf(r.log, &posts[i], c.fn))
		r.unmodelled(&posts[i], c.fn)
	}
	for _, w := range t.t.WaitsOf(o) {
		if w.Thread != t.thread {
			r.p.leave("requests that another thread waits for")
		}
		c.waits = append(c.waits, wait{w.Part, w.At})
	}
	if c.fn.Stores() {
		r.p.leave(stored)
	}
	if o.Opaque {
		r.p.leave("what " + c.fn.Name + " waits for")
	}
	c.describe()
	return c
}

// unmodelled notes parts whose results the trees do not hold. Messages that are not on a communicator of the program's
// are those of windows, which their calls tell, of the leaders that make an intercommunicator, or partitioned.
func (r *reading) unmodelled(x *trace.Part, fn *mpi.Func) {
	if x.Gone {
		r.p.leave("whether MPI_Cancel comes in time")
	}
	if x.Kind == op.Served || x.Kind == op.Coll || fn.Stores() || fn.Class == mpi.IntercommCreate {
		return
	}
	if int(x.Comm) < len(r.log.Comms) && r.log.Comms[x.Comm].Inner {
		r.p.leave("partitioned messages")
	}
}

// entered notes the history of what the call at hand sends.
func (r *reading) entered(t *reader, o *trace.Op) {
	for k := range o.Started {
		x := &t.t.Parts[o.First+k]
		switch x.Kind {
		case op.Send:
			r.nodes[ref{Thread: t.thread, Part: o.First + k}] = t.at.id
		case op.Coll:
			r.joined[member{r.log.Comms[x.Comm].ID, x.Seq, t.t.Rank}] = t.at.id
		}
	}
}

// label is what a call gave; known is false as long as that depends on what was not read yet.
func (r *reading) label(t *reader, o *trace.Op) (label string, known bool) {
	var b strings.Builder
	for i, w := range t.t.WaitsOf(o) {
		if o.Any && !w.Done {
			continue
		}
		if o.Any {
			fmt.Fprintf(&b, "%d=", i)
		}
		if w.Thread == t.thread {
			text, known := r.given(t, w.Part)
			if !known {
				return "", false
			}
			b.WriteString(text)
		}
		b.WriteByte(';')
	}
	return b.String(), true
}

// given is what a part gave its rank.
func (r *reading) given(t *reader, n uint32) (text string, known bool) {
	x := &t.t.Parts[n]
	switch {
	case x.Gone:
		return "cancelled", true
	case x.Kind == op.Recv || x.Kind == op.Probe:
		s, met := r.sent[ref{Thread: t.thread, Part: n}]
		if !met { // of a process that is not watched, or not certain in a run that was cut
			t.over = true
			return "", false
		}
		id, read := r.nodes[s]
		return message(id, s.Part), read
	case x.Kind == op.Coll:
		c := &r.log.Comms[x.Comm]
		y := partOf(r.log, x, r.fnOf(t, n))
		var ids []int
		for _, m := range contributors(c, &y, t.t.Rank) {
			id, read := r.joined[member{c.ID, x.Seq, m}]
			if !read {
				return "", false
			}
			ids = append(ids, id)
		}
		return collected(ids), true
	}
	return "", true
}

// fnOf is the function that started a part; one without a row if none of the log did.
func (r *reading) fnOf(t *reader, n uint32) *mpi.Func {
	if i := t.t.Starter(n); i < len(t.t.Ops) {
		return r.rows[t.t.Ops[i].Fn]
	}
	return &mpi.Func{}
}

// message is a message as its receiver sees it: the history of its sender, and which of its parts it is.
func message(id int, part uint32) string { return fmt.Sprintf("m%d.%d", id, part) }

// collected is what a collective gives: what those had been given who contribute.
func collected(ids []int) string {
	if len(ids) == 0 {
		return ""
	}
	return fmt.Sprint("c", ids)
}

// contributors are the members of a collective whose data a member is given (MPI-4.0, 6.1).
func contributors(c *trace.Comm, x *part, self op.Rank) []op.Rank {
	if x.plain {
		return nil
	}
	return required(c, x, self)
}

// required are the members without which a member cannot leave a collective.
func required(c *trace.Comm, x *part, self op.Rank) []op.Rank {
	all := c.Members
	if c.Remote != nil {
		all = slices.Concat(c.Members, c.Remote)
	}
	switch x.sync {
	case op.SyncAll:
		return all
	case op.SyncFromRoot:
		if x.peer >= 0 {
			return []op.Rank{x.peer}
		}
	case op.SyncToRoot:
		if self == x.peer {
			return all
		}
	case op.SyncLower:
		return c.Members[:max(0, slices.Index(c.Members, self))]
	}
	return nil
}

// Matches finds out who met whom, from the order in which receives were posted and messages sent (MPI-4.0, 3.5),
// and for receives that have not completed, from the plan that the run was made with.
func Matches(l *trace.Log, forced plan.Plan) *pairing.Pairs {
	type receive struct {
		rank   op.Rank
		thread op.Thread
		nth    uint32
	}
	given := make(map[receive]int32)
	for _, d := range forced.Decisions {
		given[receive{d.Rank, d.Thread, d.Nth}] = d.Source
	}
	var open []*trace.Part // receives from any source of a thread that have not completed
	var of *trace.Thread
	return pairing.By(l, func(t *trace.Thread, p *trace.Part) (op.Rank, int32) {
		if t != of {
			of, open = t, nil
		}
		from, tag := pairing.Envelope(p)
		if source, is := given[receive{t.Rank, t.Index, p.Nth}]; from < 0 && p.Wild && is {
			if peers := l.Comms[p.Comm].Peers(t.Rank); int(source) < len(peers) {
				from = peers[source]
			}
		}
		switch {
		case from < 0:
			if p.Kind == op.Recv {
				open = append(open, p)
			}
		case slices.ContainsFunc(open, func(e *trace.Part) bool {
			return e.Comm == p.Comm && (e.Tag == op.AnyTag || tag == op.AnyTag || e.Tag == tag)
		}):
			return op.AnySource, tag // what an open one has taken is not known, and so not what is left for this
		}
		return from, tag
	})
}

// place shortens a site to what a user would say.
func place(site string) string {
	at, _, _ := strings.Cut(site, " ")
	return path.Base(at)
}
