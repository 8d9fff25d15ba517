package text

import (
	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// call reads one call of a thread.
func (p *parser) call(t *thread) bool {
	from := p.at
	var sh *shape
	if p.peek() == '"' {
		name, ok := p.quoted()
		if !ok {
			return false
		}
		sh = p.shapes.exactly(name)
	} else {
		name := p.word()
		if len(name) == 0 {
			return p.fail(from, "expected a call such as Send(1,0), found %s", p.found())
		}
		sh = p.shapes.named(name)
	}
	if sh == nil {
		return p.fail(from, "expected a log with at most 65536 different functions, found one more")
	}
	o := trace.Op{Fn: sh.fn, Returned: true, First: uint32(len(t.Parts)), WaitAt: uint32(len(t.Waits))}
	marked := false
	switch {
	case p.peek() == '{':
		if !p.long(t, &o, &marked) {
			return false
		}
	case !p.short(t, &o, sh, &marked):
		return false
	}
	o.Started, o.Waiting = uint32(len(t.Parts))-o.First, uint32(len(t.Waits))-o.WaitAt
	if !p.suffixes(t, &o, sh) {
		return false
	}
	if o.Blocking && !o.Any && !marked && o.Returned {
		for i := range t.Waits[o.WaitAt:] {
			t.Waits[int(o.WaitAt)+i].Done = true
		}
	}
	if sh.choice {
		o.Choice, o.Nth = true, t.choices
		t.choices++
		for i := range t.Waits[o.WaitAt:] {
			t.Waits[int(o.WaitAt)+i].At = int32(i)
		}
	}
	t.Ops = append(t.Ops, o)
	return true
}

// short reads the arguments of a call whose name says the rest.
func (p *parser) short(t *thread, o *trace.Op, sh *shape, marked *bool) bool {
	switch sh.form {
	case opaque:
		o.Opaque = true
		return p.skipArguments()
	case finalize:
		o.Final = true
		return p.skipArguments()
	case waitAll, waitAny:
		o.Blocking, o.Any = true, sh.form == waitAny
		return p.waits(t, marked)
	}
	var a arguments
	if sh.form != collective || p.peek() == '(' {
		if !p.arguments(&a) {
			return false
		}
	}
	switch sh.form {
	case exchange:
		if !p.positions(&a, 4, "destination, tag, source, tag") {
			return false
		}
		send, recv := a, a
		recv.values[0], recv.values[1] = a.values[2], a.values[3]
		send.given &^= 1<<optWild | 1<<optGone
		recv.given &^= 1 << optBytes
		if !p.part(t, op.Send, sh, &send) || !p.part(t, op.Recv, sh, &recv) {
			return false
		}
	case collective:
		if sh.rooted && !p.positions(&a, 1, "root") || !sh.rooted && !p.positions(&a, 0, "") {
			return false
		}
		if !p.part(t, op.Coll, sh, &a) {
			return false
		}
	default:
		who := "source, tag"
		if sh.kind == op.Send {
			who = "destination, tag"
		}
		if !p.positions(&a, 2, who) || !p.part(t, sh.kind, sh, &a) {
			return false
		}
	}
	if !sh.starts {
		o.Blocking = true
		for i := o.First; i < uint32(len(t.Parts)); i++ {
			t.Waits = append(t.Waits, trace.Wait{Part: i})
		}
	}
	return true
}

// positions checks the number of arguments without a name. A collective without a root may have none, or an asterisk.
func (p *parser) positions(a *arguments, want int, names string) bool {
	if a.n == want {
		return true
	}
	at := p.at
	if a.n > want {
		at = a.at[want]
	}
	if want == 0 {
		return p.fail(at, "expected no rank, found %d", a.n)
	}
	return p.fail(max(0, at-1), "expected (%s), found %d arguments", names, a.n)
}

// skipArguments steps over the arguments of a call that are not looked at.
func (p *parser) skipArguments() bool {
	if p.peek() != '(' {
		return true
	}
	from, depth := p.at, 0
	for ; p.at < len(p.line); p.at++ {
		switch p.line[p.at] {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 {
			p.at++
			return true
		}
	}
	return p.fail(from, "expected \")\" for this \"(\", found the end of the line")
}
