package text

import (
	"strconv"

	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// call writes one call, in the short form if its name says all that the form leaves out.
func (f *formatter) call(at int, t *trace.Thread, state *thread, o *trace.Op) {
	name := f.log.Funcs[o.Fn]
	sh := f.p.shapes.exactly(name)
	switch {
	case len(name) > len(prefix) && name[:len(prefix)] == prefix && isIdentifier(name[len(prefix):]):
		f.b = append(f.b, name[len(prefix):]...)
	default:
		f.b = strconv.AppendQuote(f.b, name)
	}
	if !f.short(at, t, state, o, sh) {
		f.long(at, t, state, o)
	}
	if s := f.sites[o.Site]; s != "" {
		f.b = append(append(f.b, '@'), s...)
	}
	if !o.Returned {
		f.b = append(f.b, "..."...)
	}
}

// short writes the short form, or nothing if it does not fit.
func (f *formatter) short(at int, t *trace.Thread, state *thread, o *trace.Op, sh *shape) bool {
	switch sh.form {
	case opaque:
		if !o.Opaque || o.Blocking || o.Any || o.Final || o.Started+o.Waiting > 0 {
			return false
		}
		f.b = append(f.b, "()"...)
		return true
	case finalize:
		if !o.Final || o.Blocking || o.Any || o.Opaque || o.Started+o.Waiting > 0 {
			return false
		}
		f.b = append(f.b, "()"...)
		return true
	case waitAll, waitAny:
		if !o.Blocking || o.Any != (sh.form == waitAny) || o.Opaque || o.Final || o.Started > 0 {
			return false
		}
		f.waits(at, t, o, o.Returned && !o.Any, false)
		return true
	case exchange:
		return false
	}
	if !f.isShort(t, o, sh) || o.Blocking && f.isNamed(at, o.First) {
		return false
	}
	q := &t.Parts[o.First]
	f.arguments(state, sh, *q)
	f.partSuffixes(at, o.First, q)
	return true
}

// isShort says whether a call with a part starts and waits for just what its name says.
func (f *formatter) isShort(t *trace.Thread, o *trace.Op, sh *shape) bool {
	switch {
	case sh.form != sendTo && sh.form != recvFrom && sh.form != collective, o.Any, o.Opaque, o.Final, o.Started != 1,
		sh.starts == o.Blocking:
		return false
	case o.Blocking && !f.isOwn(t, o), !o.Blocking && o.Waiting > 0:
		return false
	}
	q := &t.Parts[o.First]
	if q.Kind == op.Coll && (q.Peer < op.AnySource || sh.rooted != (q.Peer != op.AnySource)) {
		return false
	}
	return q.Kind == sh.kind
}

// long writes the form that leaves nothing out.
func (f *formatter) long(at int, t *trace.Thread, state *thread, o *trace.Op) {
	f.b = append(f.b, '{')
	for i := o.First; i < o.First+o.Started; i++ {
		q := &t.Parts[i]
		f.b = append(f.b, [...]string{"send", "recv", "probe", "coll", "served"}[q.Kind]...)
		f.arguments(state, &shape{}, *q)
		f.partSuffixes(at, i, q)
		f.b = append(f.b, ' ')
	}
	if o.Waiting > 0 {
		f.b = append(f.b, "wait"...)
		f.waits(at, t, o, false, true)
		f.b = append(f.b, ' ')
	}
	for _, flag := range []struct {
		on   bool
		word string
	}{{o.Any, "any"}, {o.Opaque, "opaque"}, {o.Final, "final"}, {o.Blocking && o.Waiting == 0, "blocking"}} {
		if flag.on {
			f.b = append(append(f.b, flag.word...), ' ')
		}
	}
	if f.b[len(f.b)-1] == ' ' {
		f.b = f.b[:len(f.b)-1]
	}
	f.b = append(f.b, '}')
}

func (f *formatter) isNamed(thread int, part uint32) bool {
	return f.named[thread] != nil && f.named[thread][part]
}

func (f *formatter) request(thread int, part uint32) {
	f.b = strconv.AppendUint(append(f.b, 'r'), uint64(part), 10)
}

// partSuffixes writes the name of a part's request and what it met.
func (f *formatter) partSuffixes(thread int, i uint32, q *trace.Part) {
	if f.isNamed(thread, i) {
		f.b = append(f.b, '=')
		f.request(thread, i)
	}
	if q.Kind != op.Recv && q.Kind != op.Probe || q.Matched == op.Unknown && q.MatchedTag == int32(op.Unknown) {
		return
	}
	f.b = append(f.b, "<-"...)
	f.peer(q.Matched)
	usual := q.Tag
	if q.Tag == op.AnyTag {
		usual = int32(op.Unknown)
	}
	if q.MatchedTag != usual {
		f.b = append(f.b, ':')
		f.number(q.MatchedTag)
	}
}

// waits writes what a call waits for. The default is what a wait without a mark means.
func (f *formatter) waits(at int, t *trace.Thread, o *trace.Op, usual, long bool) {
	plain := true
	for _, w := range t.WaitsOf(o) {
		plain = plain && w.Done == usual
	}
	f.b = append(f.b, '(')
	for i, w := range t.WaitsOf(o) {
		if i > 0 {
			f.b = append(f.b, ',')
		}
		if int(w.Thread) != at {
			of := &f.log.Threads[w.Thread]
			f.b = strconv.AppendInt(f.b, int64(of.Rank), 10)
			f.b = strconv.AppendInt(append(f.b, '.'), int64(of.Index), 10)
			f.b = append(f.b, ':')
		}
		f.request(int(w.Thread), w.Part)
		switch {
		case w.Done && (!plain || long):
			f.b = append(f.b, '!')
		case !w.Done && !plain && !long:
			f.b = append(f.b, '?')
		}
	}
	f.b = append(f.b, ')')
}

func (f *formatter) peer(r op.Rank) {
	switch r {
	case op.ProcNull:
		f.b = append(f.b, "null"...)
	case op.RootRank:
		f.b = append(f.b, "root"...)
	default:
		f.number(int32(r))
	}
}

// number writes a tag or rank; AnySource and AnyTag are the same number.
func (f *formatter) number(n int32) {
	switch n {
	case op.AnyTag:
		f.b = append(f.b, '*')
	case int32(op.Unknown):
		f.b = append(f.b, '?')
	default:
		f.b = strconv.AppendInt(f.b, int64(n), 10)
	}
}

// arguments writes what stands in the parentheses of a part: its positions, and what differs from what the reader will
// assume.
func (f *formatter) arguments(state *thread, sh *shape, q trace.Part) {
	a := arguments{comm: q.Comm}
	f.b = append(f.b, '(')
	empty := len(f.b)
	switch {
	case q.Kind != op.Coll:
		a.n, a.values[0], a.values[1] = 2, int64(q.Peer), int64(q.Tag)
		f.peer(q.Peer)
		f.b = append(f.b, ',')
		f.number(q.Tag)
	case sh.rooted:
		a.n, a.values[0] = 1, int64(q.Peer)
		f.peer(q.Peer)
	}
	if q.Comm != 0 {
		f.separate(empty)
		f.b = append(f.b, f.words[q.Comm]...)
	}
	if q.Wild {
		a.given |= 1 << optWild
	}
	d := state.defaults(&f.p, q.Kind, sh, &a)
	option := func(word string, differs bool, value string) {
		if differs {
			f.separate(empty)
			f.b = append(append(f.b, word...), value...)
		}
	}
	option("wild", q.Wild && !d.Wild, "")
	option("gone", q.Gone, "")
	if q.Bytes != d.Bytes {
		size := strconv.FormatInt(q.Bytes, 10)
		if q.Bytes == -1 {
			size = "?"
		}
		option("bytes=", true, size)
	}
	if q.Kind == op.Coll {
		if q.Peer != d.Peer {
			f.separate(empty)
			f.b = append(f.b, "root="...)
			f.peer(q.Peer)
		}
		option("sync=", q.Sync != d.Sync, choices(optSync)[q.Sync])
		option("seq=", q.Seq != d.Seq, strconv.FormatUint(q.Seq, 10))
		option("what=", q.What != d.What, "0x"+strconv.FormatUint(q.What, 16))
	} else {
		option("mode=", q.Mode != d.Mode, choices(optMode)[q.Mode])
	}
	option("nth=", q.Nth != d.Nth, strconv.FormatUint(uint64(q.Nth), 10))
	f.p.count(state, &q)
	f.b = append(f.b, ')')
}

// separate begins another argument.
func (f *formatter) separate(empty int) {
	if len(f.b) > empty {
		f.b = append(f.b, ',')
	}
}
