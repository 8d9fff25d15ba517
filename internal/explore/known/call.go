package known

import (
	"fmt"
	"strings"

	"unknot/internal/trace"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// call is what a rank calls at a node of its tree. It holds nothing of what the call gave.
type call struct {
	fn      *mpi.Func
	site    string
	posts   []part
	waits   []wait
	any     bool // one of waits is enough
	choice  bool // MPI chooses what it reports
	poll    bool // it may report nothing
	probe   bool // it asks for a message, posts[0], and starts nothing if there is none
	blocked bool // waits for reasons that are not modelled
	final   bool
	text    string // all of this as text: equal for equal calls
}

// part is a trace.Part without what it met.
type part struct {
	kind  op.PartKind
	mode  op.SendMode
	sync  op.Sync
	wild  bool
	gone  bool
	plain bool // a collective that carries no data
	comm  op.CommID
	peer  op.Rank
	tag   int32
	bytes int64
	seq   uint64
	what  uint64
	nth   uint32
}

// wait is a part that a call waits for, by its number among those of the rank, and its place in the user's array.
type wait struct {
	part uint32
	at   int32
}

// describe fills in the text. Sizes are left out: they are data, which the history decides.
func (c *call) describe() {
	var b strings.Builder
	fmt.Fprintf(&b, "%s|%s|%v%v%v%v|", c.fn.Name, c.site, c.any, c.poll, c.probe, c.final)
	for i := range c.posts {
		p := &c.posts[i]
		fmt.Fprintf(&b, "%d.%d.%d.%v.%x.%d.%d.%d.%x;", p.kind, p.mode, p.sync, p.wild, uint64(p.comm), p.peer, p.tag,
			p.seq, p.what)
	}
	b.WriteByte('|')
	for _, w := range c.waits {
		fmt.Fprintf(&b, "%d ", w.part)
	}
	c.text = b.String()
}

// several says that a call reports any number of its requests.
func (c *call) several() bool {
	return c.fn.Class == mpi.Waitsome || c.fn.Class == mpi.Testsome || c.fn.Class == mpi.GetStatusSome
}

func site(l *trace.Log, n uint32) string {
	if n == 0 || int(n) >= len(l.Sites) {
		return ""
	}
	s := l.Sites[n]
	if s.File != "" {
		return fmt.Sprintf("%s:%d %s+%x", s.File, s.Line, s.Module, s.Offset)
	}
	return fmt.Sprintf("%s+%x", s.Module, s.Offset)
}

func partOf(l *trace.Log, p *trace.Part, fn *mpi.Func) part {
	q := part{kind: p.Kind, mode: p.Mode, sync: p.Sync, wild: p.Wild, gone: p.Gone, peer: p.Peer, tag: p.Tag,
		bytes: p.Bytes,
		seq:   p.Seq, what: p.What, nth: p.Nth}
	if int(p.Comm) < len(l.Comms) {
		q.comm = l.Comms[p.Comm].ID
	}
	switch p.Kind {
	case op.Coll:
		q.plain = fn.Class == mpi.Coll && len(fn.Buffers()) == 0
	case op.Recv, op.Probe:
		if p.Wild {
			q.peer = op.AnySource
		}
	case op.Served:
		q = part{kind: op.Served}
	}
	return q
}
