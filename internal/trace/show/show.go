// Package show prints a log for people: a line a call, and a summary.
package show

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"unknot/internal/trace"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/op"
)

// Options choose what is printed.
type Options struct {
	Rank  int // only this one's calls; all if negative
	Limit int // at most so many calls; all if 0
}

// Text prints the calls of a log, rank by rank, and a summary line.
func Text(w io.Writer, log *trace.Log, o Options) error {
	out := bufio.NewWriter(w)
	p := printer{log: log, several: several(log)}
	left := 0
	shown := 0
	for i := range log.Threads {
		t := &log.Threads[i]
		if o.Rank >= 0 && int(t.Rank) != o.Rank {
			continue
		}
		for k := range t.Ops {
			if o.Limit > 0 && shown == o.Limit {
				left += len(t.Ops) - k
				break
			}
			shown++
			out.WriteString(finding.Clean(p.line(t, k))) // names in it are the program's
			out.WriteByte('\n')
		}
	}
	if left > 0 {
		fmt.Fprintf(out, "… and %s more\n", trace.Count(uint64(left), "call"))
	}
	out.WriteString(finding.Clean(Summary(log)))
	out.WriteByte('\n')
	return out.Flush()
}

// Summary is a log in one line.
func Summary(log *trace.Log) string {
	calls, bytes := uint64(0), uint64(0)
	for i := range log.Threads {
		calls += uint64(len(log.Threads[i].Ops))
		for k := range log.Threads[i].Parts {
			if p := &log.Threads[i].Parts[k]; p.Kind == op.Send && p.Bytes > 0 && !log.Comms[p.Comm].Inner {
				bytes += uint64(p.Bytes)
			}
		}
	}
	state := "complete"
	if log.Cut != "" {
		state = "incomplete: " + log.Cut
	}
	return fmt.Sprintf("%s, %s, %s sent; %s", trace.Count(uint64(log.Head.Ranks), "rank"), trace.Count(calls, "call"),
		trace.Count(bytes, "byte"), state)
}

// several says whether some rank has more than one thread, so that lines tell them apart.
func several(log *trace.Log) bool {
	for i := range log.Threads {
		if log.Threads[i].Index != 0 {
			return true
		}
	}
	return false
}

type printer struct {
	log     *trace.Log
	several bool
}

// line is one call: its number in the thread, from 1, and what it does.
func (p *printer) line(t *trace.Thread, k int) string {
	o := &t.Ops[k]
	var b strings.Builder
	fmt.Fprintf(&b, "rank %d", t.Rank)
	if p.several {
		fmt.Fprintf(&b, " thread %d", t.Index)
	}
	fmt.Fprintf(&b, " #%d: %s", k+1, p.log.Funcs[o.Fn])
	var words []string
	own := t.Posts(o)
	for i := range own {
		words = append(words, p.part(t, &own[i]))
	}
	if text := p.waits(t, o); text != "" {
		words = append(words, text)
	}
	if len(words) > 0 {
		b.WriteString(" " + strings.Join(words, "; "))
	}
	if at := place(p.log.Sites[o.Site]); at != "" {
		b.WriteString(" [" + at + "]")
	}
	if !o.Returned {
		b.WriteString(" (did not return)")
	}
	return b.String()
}

// part is one thing that a call started, in words.
func (p *printer) part(t *trace.Thread, q *trace.Part) string {
	var b strings.Builder
	comm := &p.log.Comms[q.Comm]
	switch q.Kind {
	case op.Send:
		fmt.Fprintf(&b, "to %s, tag %d", peer(q.Peer), q.Tag)
		if q.Bytes >= 0 {
			fmt.Fprintf(&b, ", %s", trace.Count(uint64(q.Bytes), "byte"))
		}
		switch q.Mode {
		case op.Synchronous:
			b.WriteString(", synchronous")
		case op.Buffered:
			b.WriteString(", buffered")
		}
	case op.Recv, op.Probe:
		from := peer(q.Peer)
		if q.Wild {
			from = "any source"
		}
		tag := fmt.Sprintf("tag %d", q.Tag)
		if q.Tag == op.AnyTag {
			tag = "any tag"
		}
		fmt.Fprintf(&b, "from %s, %s", from, tag)
		switch {
		case q.Gone:
		case q.Matched < 0:
			b.WriteString(" (no match recorded)")
		case q.Wild || q.Tag == op.AnyTag:
			fmt.Fprintf(&b, " (matched rank %d, tag %d)", q.Matched, q.MatchedTag)
		}
	case op.Coll:
		if q.Peer >= 0 {
			fmt.Fprintf(&b, "root rank %d, ", q.Peer)
		}
		fmt.Fprintf(&b, "on %s", comm.Name)
		return b.String()
	default:
		return "completed by MPI alone"
	}
	if q.Gone {
		b.WriteString(" (cancelled)")
	}
	if q.Comm != 0 {
		fmt.Fprintf(&b, ", on %s", comm.Name)
	}
	return b.String()
}

// waits says what a call waits for besides its own parts: the calls that started it, by their numbers.
func (p *printer) waits(t *trace.Thread, o *trace.Op) string {
	const most = 8
	var names []string
	more := 0
	for _, w := range t.WaitsOf(o) {
		u := &p.log.Threads[w.Thread]
		if u == t && w.Part >= o.First && w.Part < o.First+o.Started {
			continue
		}
		if len(names) == most {
			more++
			continue
		}
		name := fmt.Sprintf("#%d", u.Starter(w.Part)+1)
		if u != t {
			name += fmt.Sprintf(" of thread %d", u.Index)
		}
		if q := &u.Parts[w.Part]; q.Wild && q.Kind == op.Recv && q.Matched >= 0 {
			name += fmt.Sprintf(" (matched rank %d, tag %d)", q.Matched, q.MatchedTag)
		}
		if o.Any && w.Done {
			name += " (done)"
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return ""
	}
	text := "for "
	if o.Any && len(names)+more > 1 {
		text = "for any of "
	}
	text += strings.Join(names, ", ")
	if more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func peer(r op.Rank) string {
	switch r {
	case op.AnySource:
		return "any source"
	case op.ProcNull:
		return "MPI_PROC_NULL"
	case op.RootRank:
		return "the root"
	case op.Unknown:
		return "another process"
	}
	return fmt.Sprintf("rank %d", r)
}

// place is a call site as its user knows it.
func place(s trace.Site) string {
	switch {
	case s.File != "":
		return fmt.Sprintf("%s:%d", filepath.Base(s.File), s.Line)
	case s.Module != "":
		return fmt.Sprintf("%s+%#x", filepath.Base(s.Module), s.Offset)
	}
	return ""
}
