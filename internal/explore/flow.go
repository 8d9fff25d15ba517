package explore

import (
	"encoding/binary"
	"fmt"
	"hash"
	"hash/fnv"
	"path"

	"unknot/internal/trace"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/op"
)

// flow is the control flow of a run as one number: what each thread called, with which arguments, in its order. Whom
// wildcards met and which requests were reported is not part of it.
func flow(l *trace.Log) uint64 {
	h := fnv.New64a()
	w := writer{hash: h, log: l}
	for i := range l.Threads {
		t := &l.Threads[i]
		w.number(int64(t.Rank), int64(t.Index), int64(len(t.Ops)))
		for k := range t.Ops {
			w.op(t, &t.Ops[k])
		}
	}
	return h.Sum64()
}

// writer feeds calls to a hash in terms that do not depend on the order in which a log names things.
type writer struct {
	hash hash.Hash64
	log  *trace.Log
	met  answers // ranks here count as what they answer, and so do tags of theirs
}

func (w *writer) number(list ...int64) {
	var b [8]byte
	for _, n := range list {
		binary.LittleEndian.PutUint64(b[:], uint64(n))
		_, _ = w.hash.Write(b[:])
	}
}

func (w *writer) text(s string) {
	w.number(int64(len(s)))
	_, _ = w.hash.Write([]byte(s))
}

// partner writes whom a part is for, and its tag.
func (w *writer) partner(p *trace.Part) {
	a, met := w.met[p.Peer]
	switch {
	case !met:
		w.number(int64(p.Peer), int64(p.Tag))
	case a.tagged && a.tag == p.Tag:
		w.number(-201, int64(a.nth))
	default:
		w.number(-200, int64(a.nth), int64(p.Tag))
	}
}

func (w *writer) op(t *trace.Thread, o *trace.Op) {
	w.text(w.log.Funcs[o.Fn])
	if int(o.Site) < len(w.log.Sites) {
		s := w.log.Sites[o.Site]
		w.text(s.File)
		w.number(int64(s.Line))
		if s.File == "" {
			w.text(s.Module)
			w.number(int64(s.Offset))
		}
	}
	for i := range t.Posts(o) {
		p := &t.Posts(o)[i]
		w.number(int64(p.Kind), int64(p.Mode), int64(p.Sync), int64(p.Seq), int64(p.What))
		w.number(p.Bytes)
		w.partner(p)
		if int(p.Comm) < len(w.log.Comms) {
			c := &w.log.Comms[p.Comm]
			w.text(c.Name)
			w.number(int64(c.ID), int64(len(c.Members)), int64(len(c.Remote)))
		}
	}
	w.number(int64(o.Waiting))
	for _, x := range t.WaitsOf(o) {
		w.number(int64(w.log.Threads[x.Thread].Index), int64(x.Part)-int64(o.First))
	}
}

// parting is the first call in which two runs of a program differ.
type parting struct {
	rank   op.Rank
	thread op.Thread
	call   int // the thread's call, counted from 0
	was    string
	is     string // what it is instead
}

func (p *parting) String() string {
	return fmt.Sprintf("the %s call on rank %d was %s, not %s", finding.Ordinal(p.call+1), p.rank, p.is, p.was)
}

// part compares two runs thread by thread; nil if they made the same calls as far as both of them got.
func part(was, is *trace.Log) *parting {
	for i := range was.Threads {
		t := &was.Threads[i]
		u := is.Thread(t.Rank, t.Index)
		if u == nil {
			continue
		}
		for n := range min(len(t.Ops), len(u.Ops)) {
			a, b := one(was, t, n), one(is, u, n)
			if a != b {
				return &parting{t.Rank, t.Index, n, say(was, t, n), say(is, u, n)}
			}
		}
	}
	return nil
}

func one(l *trace.Log, t *trace.Thread, n int) uint64 { return oneAnswering(l, t, n, nil) }

// oneAnswering is one, with other ranks and tags in place of those that are answered.
func oneAnswering(l *trace.Log, t *trace.Thread, n int, met answers) uint64 {
	h := fnv.New64a()
	w := writer{hash: h, log: l, met: met}
	w.op(t, &t.Ops[n])
	return h.Sum64()
}

// say names a call: "MPI_Send to rank 1 with tag 0 (a.c:12)".
func say(l *trace.Log, t *trace.Thread, n int) string {
	o := &t.Ops[n]
	text := l.Funcs[o.Fn]
	for i := range t.Posts(o) {
		p := &t.Posts(o)[i]
		switch p.Kind {
		case op.Send:
			text += fmt.Sprintf(" to rank %d with tag %d", p.Peer, p.Tag)
		case op.Recv, op.Probe:
			from := fmt.Sprintf("rank %d", p.Peer)
			if p.Peer == op.AnySource {
				from = "any source"
			}
			text += " from " + from
			if p.Tag == op.AnyTag {
				text += " with any tag"
			} else {
				text += fmt.Sprintf(" with tag %d", p.Tag)
			}
		}
	}
	if s := l.Sites[o.Site]; s.File != "" {
		text += fmt.Sprintf(" (%s:%d)", path.Base(s.File), s.Line)
	}
	return text
}
