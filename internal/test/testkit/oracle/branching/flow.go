package branching

import (
	"fmt"
	"strings"

	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// callText is a call as far as it belongs to the control flow: what was called where, with which arguments. Whom its
// wildcards met and what it reported are not part of it, nor are polls that found nothing.
func callText(name string, line int, parts []trace.Part, first uint32, waits []trace.Wait,
	comm func(uint32) string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d", name, line)
	for i := range parts {
		b.WriteString(partText(&parts[i], commText(comm(parts[i].Comm))))
	}
	for _, w := range waits {
		fmt.Fprintf(&b, " %d", int64(w.Part)-int64(first))
	}
	return b.String()
}

// commText names a communicator by the line that made it: the file may have any name.
func commText(name string) string {
	if at := strings.LastIndexByte(name, ':'); at >= 0 {
		return "of line " + name[at+1:]
	}
	return name
}

func partText(p *trace.Part, comm string) string {
	switch p.Kind {
	case op.Send:
		return fmt.Sprintf(" %s-send(to %d, tag %d, %s, %d bytes)", [...]string{"standard", "synchronous",
			"buffered"}[p.Mode], p.Peer, p.Tag, comm, p.Bytes)
	case op.Coll:
		return fmt.Sprintf(" collective(root %d, %s, %d)", p.Peer, comm, p.Seq)
	}
	from := p.Peer
	if p.Wild {
		from = op.AnySource
	}
	return fmt.Sprintf(" %s(from %d, tag %d, %s)", [...]string{op.Recv: "recv", op.Probe: "probe"}[p.Kind],
		from, p.Tag, comm)
}

// threadTexts are the calls of a rank in a log.
func threadTexts(l *trace.Log, t *trace.Thread) (out []string) {
	for i := range t.Ops {
		o := &t.Ops[i]
		line := 0
		if int(o.Site) < len(l.Sites) {
			line = l.Sites[o.Site].Line
		}
		out = append(out, callText(l.Funcs[o.Fn], line, t.Posts(o), o.First, t.WaitsOf(o), func(comm uint32) string {
			return l.Comms[comm].Name
		}))
	}
	return out
}

// FlowOf is the control flow of a run: what each rank called, as Behaviours.Flows has it.
func FlowOf(l *trace.Log) string {
	var b strings.Builder
	for i := range l.Threads {
		flowLine(&b, int(l.Threads[i].Rank), threadTexts(l, &l.Threads[i]))
	}
	return b.String()
}

func flowLine(b *strings.Builder, rank int, calls []string) {
	fmt.Fprintf(b, "rank %d: %s\n", rank, strings.Join(calls, "; "))
}

// flow is the control flow of a state whose ranks have kept their pasts.
func (s *state) flow() string {
	var b strings.Builder
	for r := range s.ranks {
		flowLine(&b, r, s.ranks[r].past.list())
	}
	return b.String()
}
