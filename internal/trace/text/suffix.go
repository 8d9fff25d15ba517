package text

import (
	"bytes"
	"slices"

	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// suffixes reads what may follow a call: =request, <-source, @place and "..." for one that did not return.
func (p *parser) suffixes(t *thread, o *trace.Op, sh *shape) bool {
	for p.at < len(p.line) {
		from := p.at
		switch p.line[p.at] {
		case ' ', '\t', '#':
			return true
		case '=':
			p.at++
			if o.Blocking || o.Started == 0 {
				return p.fail(from, "expected no request, as this call has none, found \"=\"")
			}
			if !p.bind(t, span{o.First, o.Started}) {
				return false
			}
		case '<':
			if o.Started == 0 || !p.met(t.Parts[o.First:]) {
				return p.orFail(from, "expected no \"<-\", as this call receives nothing")
			}
		case '@':
			p.at++
			if !p.place(o) {
				return false
			}
		case '.':
			if !bytes.HasPrefix(p.line[p.at:], []byte("...")) {
				return p.fail(from, "expected \"...\" for a call that did not return, found %s", p.found())
			}
			p.at += 3
			o.Returned = false
		default:
			return p.fail(from, "expected a blank, =request, <-source, @place or ... after the call, found %s",
				p.found())
		}
	}
	return true
}

// orFail reports a mistake unless one has been reported for this line.
func (p *parser) orFail(at int, message string) bool {
	if n := len(p.errs); n > 0 && p.errs[n-1].Line == p.number {
		return false
	}
	return p.fail(at, "%s", message)
}

// bind gives a request's name to parts.
func (p *parser) bind(t *thread, s span) bool {
	from := p.at
	word := p.word()
	if len(word) == 0 {
		return p.fail(from, "expected the name of a request, found %s", p.found())
	}
	t.requests.set(p.request(word), s)
	return true
}

func (p *parser) request(word []byte) int32 {
	n, known := p.requests[string(word)]
	if !known {
		n = int32(len(p.requests))
		p.requests[string(word)] = n
	}
	return n
}

// met reads whose message the receive or probe among some parts was given.
func (p *parser) met(parts []trace.Part) bool {
	at := slices.IndexFunc(parts, func(q trace.Part) bool { return q.Kind == op.Recv || q.Kind == op.Probe })
	if at < 0 || !bytes.HasPrefix(p.line[p.at:], []byte("<-")) {
		return false
	}
	p.at += 2
	who, ok := p.peer()
	if !ok {
		return false
	}
	q := &parts[at]
	q.Matched, q.MatchedTag = op.Rank(uint32(who)), q.Tag
	if q.Tag == op.AnyTag {
		q.MatchedTag = int32(op.Unknown)
	}
	if !p.take(':') {
		return true
	}
	if p.take('?') {
		q.MatchedTag = int32(op.Unknown)
		return true
	}
	tag, ok := p.uint(1<<31-1, "a tag")
	q.MatchedTag = int32(tag)
	return ok
}

// place reads where in the program a call is: file:line, or the word of a site line.
func (p *parser) place(o *trace.Op) bool {
	from := p.at
	for p.at < len(p.line) && !bytes.ContainsRune([]byte(" \t#"), rune(p.line[p.at])) {
		p.at++
	}
	written := p.line[from:p.at]
	if ended := bytes.TrimSuffix(written, []byte("...")); len(ended) < len(written) {
		written = ended
		p.at = from + len(ended)
	}
	if at, known := p.siteNamed[string(written)]; known {
		o.Site = at
		return true
	}
	s, ok := fileLine(written)
	if !ok {
		p.at = from
		return p.fail(from, "expected file:line or the name of a site line after \"@\", found %s", p.found())
	}
	o.Site = p.siteIndex(s)
	p.siteNamed[string(written)] = o.Site
	return true
}

func fileLine(text []byte) (trace.Site, bool) {
	colon := bytes.LastIndexByte(text, ':')
	if colon < 1 || colon == len(text)-1 || len(text)-colon > 10 {
		return trace.Site{}, false
	}
	line := 0
	for _, c := range text[colon+1:] {
		if !isDigit(c) {
			return trace.Site{}, false
		}
		line = line*10 + int(c-'0')
	}
	return trace.Site{File: string(text[:colon]), Line: line}, true
}
