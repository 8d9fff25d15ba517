package text

import (
	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// long reads a call that says itself what it starts and waits for: Name{send(1,0)=a wait(a,b) any}.
func (p *parser) long(t *thread, o *trace.Op, marked *bool) bool {
	p.at++
	for {
		p.blanks()
		if p.take('}') {
			return true
		}
		from := p.at
		switch word := string(p.word()); word {
		case "send":
			if !p.longPart(t, op.Send, 2, "destination, tag") {
				return false
			}
		case "recv":
			if !p.longPart(t, op.Recv, 2, "source, tag") {
				return false
			}
		case "probe":
			if !p.longPart(t, op.Probe, 2, "source, tag") {
				return false
			}
		case "coll":
			if !p.longPart(t, op.Coll, 0, "") {
				return false
			}
		case "served":
			if !p.longPart(t, op.Served, 2, "peer, tag") {
				return false
			}
		case "wait":
			o.Blocking, *marked = true, true
			if !p.waits(t, marked) {
				return false
			}
			*marked = true
		case "any":
			o.Any = true
		case "opaque":
			o.Opaque = true
		case "final":
			o.Final = true
		case "blocking":
			o.Blocking = true
		default:
			p.at = from
			return p.fail(from, "expected \"}\", send, recv, probe, coll, served, wait, any, opaque, final or "+
				"blocking, found %s", p.found())
		}
	}
}

// longPart reads a part with all of its arguments, its request's name and what it met.
func (p *parser) longPart(t *thread, kind op.PartKind, positions int, names string) bool {
	var a arguments
	if !p.arguments(&a) || !p.positions(&a, positions, names) || !p.part(t, kind, &shape{}, &a) {
		return false
	}
	last := uint32(len(t.Parts) - 1)
	for {
		from := p.at
		switch p.peek() {
		case '=':
			p.at++
			if !p.bind(t, span{last, 1}) {
				return false
			}
		case '<':
			if !p.met(t.Parts[last:]) {
				return p.orFail(from, "expected no \"<-\", as this part receives nothing")
			}
		default:
			return true
		}
	}
}

// waits reads the names of requests in parentheses, each with ! or ? if the call said whether it was complete.
func (p *parser) waits(t *thread, marked *bool) bool {
	if !p.expect('(', "the name") {
		return false
	}
	p.blanks()
	if p.take(')') {
		return true
	}
	for {
		p.blanks()
		if !p.wait(t, marked) {
			return false
		}
		p.blanks()
		if p.take(')') {
			return true
		}
		if !p.take(',') {
			return p.fail(p.at, "expected \",\" or \")\", found %s", p.found())
		}
	}
}

func (p *parser) wait(t *thread, marked *bool) bool {
	from := p.at
	var of threadName
	other := isDigit(p.peek())
	if other {
		rank, ok := p.rank()
		if !ok || !p.expect('.', "the process") {
			return false
		}
		index, ok := p.uint(1<<20, "a thread")
		if !ok || !p.expect(':', "the thread") {
			return false
		}
		of = threadName{rank, op.Thread(index)}
	}
	word := p.word()
	if len(word) == 0 {
		return p.fail(p.at, "expected the name of a request, found %s", p.found())
	}
	first := len(t.Waits)
	if other {
		p.foreign = append(p.foreign, foreign{t, uint32(first), of, p.request(word), string(word), p.here(from)})
		t.Waits = append(t.Waits, trace.Wait{})
	} else {
		id, known := p.requests[string(word)]
		s := span{}
		if known {
			s, known = t.requests.get(id)
		}
		if !known {
			return p.fail(from, "expected a request that P%d started before, found %q; hint: Irecv(0,0)=%s names one",
				t.Rank, word, word)
		}
		for i := range s.count {
			t.Waits = append(t.Waits, trace.Wait{Part: s.first + i})
		}
	}
	done := p.take('!')
	if done || p.take('?') {
		*marked = true
		for i := range t.Waits[first:] {
			t.Waits[first+i].Done = done
		}
	}
	return true
}
