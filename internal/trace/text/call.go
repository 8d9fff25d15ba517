package text

import (
	"bytes"
	"slices"

	"unknot/internal/op"
	"unknot/internal/trace"
)

// arguments are what stands in the parentheses of a call or part.
type arguments struct {
	n      int // positions
	at     [maxPositions]int
	values [maxPositions]int64
	given  uint // options that were given, by place in the list of options
	comm   uint32
	number [optionCount]uint64
}

const maxPositions = 4

// Options of calls and parts.
const (
	optComm = iota
	optBytes
	optNth
	optSeq
	optWhat
	optRoot
	optSync
	optMode
	optWild
	optGone
	optionCount
)

func optionWords() [optionCount]string {
	return [...]string{"comm", "bytes", "nth", "seq", "what", "root", "sync", "mode", "wild", "gone"}
}

// valueWords stand for peers that are no rank.
func valueWord(w []byte) (op.Rank, bool) {
	switch string(w) {
	case "null":
		return op.ProcNull, true
	case "root":
		return op.RootRank, true
	}
	return 0, false
}

// reserved says whether a word in parentheses means something else than a communicator.
func reserved(word string) bool {
	words := optionWords()
	_, isValue := valueWord([]byte(word))
	return isValue || slices.Contains(words[:], word)
}

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
		if !p.part(t, trace.Send, sh, &send) || !p.part(t, trace.Recv, sh, &recv) {
			return false
		}
	case collective:
		if sh.rooted && !p.positions(&a, 1, "root") || !sh.rooted && !p.positions(&a, 0, "") {
			return false
		}
		if !p.part(t, trace.Coll, sh, &a) {
			return false
		}
	default:
		who := "source, tag"
		if sh.kind == trace.Send {
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
		return p.fail(at, "expected no rank here, found %d", a.n)
	}
	return p.fail(max(0, at-1), "expected (%s), found %d of these", names, a.n)
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

// arguments reads what is in parentheses.
func (p *parser) arguments(a *arguments) bool {
	if !p.expect('(', "the name") {
		return false
	}
	p.blanks()
	if p.take(')') {
		return true
	}
	for {
		p.blanks()
		if !p.argument(a) {
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

func (p *parser) argument(a *arguments) bool {
	from := p.at
	c := p.peek()
	value := int64(0)
	switch {
	case isDigit(c):
		n, ok := p.uint(1<<31-1, "a number")
		if !ok {
			return false
		}
		value = int64(n)
	case c == '*':
		p.at++
		value = int64(op.AnySource)
	case c == '?':
		p.at++
		value = int64(op.Unknown)
	default:
		word := p.word()
		if len(word) == 0 {
			return p.fail(from, "expected a number, *, a communicator or an option, found %s", p.found())
		}
		peer, isValue := valueWord(word)
		if !isValue || p.peek() == '=' {
			return p.option(a, word, from)
		}
		value = int64(peer)
	}
	if a.n == maxPositions {
		return p.fail(from, "expected at most %d numbers, found one more", maxPositions)
	}
	a.values[a.n], a.at[a.n] = value, from
	a.n++
	return true
}

// option reads what follows the word of an option, or takes the word for a communicator.
func (p *parser) option(a *arguments, word []byte, from int) bool {
	which := optionCount
	for i, w := range optionWords() {
		if string(word) == w {
			which = i
			break
		}
	}
	if which == optionCount {
		comm, known := p.commOf[string(word)]
		if !known {
			return p.fail(from, "expected a communicator or an option, found %q; hint: a line \"comm %s: 0 1\" before it makes a communicator",
				word, word)
		}
		a.given |= 1 << optComm
		a.comm = comm
		return true
	}
	a.given |= 1 << which
	if which == optWild || which == optGone {
		return true
	}
	if !p.expect('=', string(word)) {
		return false
	}
	at, ok := p.at, true
	switch which {
	case optComm:
		var known bool
		if a.comm, known = p.commOf[string(p.word())]; !known {
			p.at = at
			return p.fail(at, "expected a communicator that was named before, found %s", p.found())
		}
	case optSync, optMode:
		a.number[which], ok = p.choice(which)
	case optRoot:
		a.number[which], ok = p.peer()
	case optBytes, optWhat, optSeq, optNth:
		if which == optBytes && p.take('?') {
			a.number[which] = 1<<64 - 1
			break
		}
		a.number[which], ok = p.hex()
	}
	return ok
}

// peer reads a rank or what stands for one.
func (p *parser) peer() (uint64, bool) {
	from := p.at
	var r op.Rank
	switch {
	case p.take('*'):
		r = op.AnySource
	case p.take('?'):
		r = op.Unknown
	case isDigit(p.peek()):
		var ok bool
		if r, ok = p.rank(); !ok {
			return 0, false
		}
		p.mention(r, from)
	default:
		var known bool
		if r, known = valueWord(p.word()); !known {
			p.at = from
			return 0, p.fail(from, "expected a process, *, ?, null or root, found %s", p.found())
		}
	}
	return uint64(uint32(r)), true
}

// choices are the words of an option in the order of its values.
func choices(which int) []string {
	if which == optMode {
		return []string{"standard", "synchronous", "buffered"}
	}
	return []string{"none", "all", "from-root", "to-root", "lower"}
}

func (p *parser) choice(which int) (uint64, bool) {
	from := p.at
	for p.at < len(p.line) && (isWord(p.line[p.at]) || p.line[p.at] == '-') {
		p.at++
	}
	for i, w := range choices(which) {
		if w == string(p.line[from:p.at]) {
			return uint64(i), true
		}
	}
	p.at = from
	return 0, p.fail(from, "expected one of %q, found %s", choices(which), p.found())
}

// part adds a part of a call to its thread.
func (p *parser) part(t *thread, kind trace.PartKind, sh *shape, a *arguments) bool {
	q := t.defaults(p, kind, sh, a)
	if a.given&^(1<<optComm) != 0 {
		p.options(&q, a)
	}
	if q.Peer >= 0 {
		at := p.at
		if a.n > 0 {
			at = a.at[0]
		}
		if q.Peer >= maxRanks {
			return p.fail(at, "expected a process below %d, found %d", maxRanks, q.Peer)
		}
		if q.Peer > p.highRank || p.highest.number == 0 {
			p.mention(q.Peer, at)
		}
	}
	p.count(t, &q)
	if q.Peer == op.ProcNull && kind <= trace.Probe {
		q = trace.Part{Kind: trace.Served, Comm: q.Comm, Peer: q.Peer, Tag: q.Tag, Nth: q.Nth}
	}
	t.Parts = append(t.Parts, q)
	return true
}

// defaults is a part as its arguments and what came before it in the thread give it.
func (t *thread) defaults(p *parser, kind trace.PartKind, sh *shape, a *arguments) trace.Part {
	q := trace.Part{Kind: kind, Comm: a.comm, Peer: op.Rank(a.values[0]), Tag: int32(a.values[1])}
	switch kind {
	case trace.Send:
		q.Mode, q.Bytes = sh.mode, -1
		if q.Mode == trace.Standard {
			q.Nth = t.standard
		}
	case trace.Recv, trace.Probe:
		q.Met, q.MetTag = op.Unknown, int32(op.Unknown)
		q.Wild = q.Peer == op.AnySource
		if q.Wild || a.given>>optWild&1 == 1 {
			q.Nth = t.wild
		}
	case trace.Coll:
		q.Tag, q.Sync, q.What = 0, sh.sync, sh.what
		if a.n == 0 {
			q.Peer = op.AnySource
		}
		q.Seq = *p.seqOf(t, a.comm)
	}
	return q
}

// options overrides what the defaults say.
func (p *parser) options(q *trace.Part, a *arguments) {
	for which, n := range a.number {
		if a.given>>which&1 == 0 {
			continue
		}
		switch which {
		case optBytes:
			q.Bytes = int64(n)
		case optNth:
			q.Nth = uint32(n)
		case optSeq:
			q.Seq = n
		case optWhat:
			q.What = n
		case optRoot:
			q.Peer = op.Rank(uint32(n))
		case optSync:
			q.Sync = trace.Sync(n)
		case optMode:
			q.Mode = trace.SendMode(n)
		case optWild:
			q.Wild = true
		case optGone:
			q.Gone = true
		}
	}
}

// count moves the thread's counters past a part.
func (p *parser) count(t *thread, q *trace.Part) {
	switch q.Kind {
	case trace.Send:
		if q.Mode == trace.Standard {
			t.standard = q.Nth + 1
		}
	case trace.Recv, trace.Probe:
		if q.Wild {
			t.wild = q.Nth + 1
		}
	case trace.Coll:
		*p.seqOf(t, q.Comm) = q.Seq + 1
	}
}

// seqOf counts the collectives of a thread's rank on a communicator.
func (p *parser) seqOf(t *thread, comm uint32) *uint64 {
	if comm == 0 {
		return &p.thread(threadName{t.Rank, 0}).seq
	}
	key := member{t.Rank, comm}
	n := p.seqs[key]
	if n == nil {
		n = new(uint64)
		p.seqs[key] = n
	}
	return n
}

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
				return p.fail(from, "expected no request, for this call has none, found \"=\"")
			}
			if !p.bind(t, span{o.First, o.Started}) {
				return false
			}
		case '<':
			if o.Started == 0 || !p.met(t.Parts[o.First:]) {
				return p.orFail(from, "expected no \"<-\", for this call receives nothing")
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
			return p.fail(from, "expected a blank, =request, <-source, @place or ... after the call, found %s", p.found())
		}
	}
	return true
}

// orFail tells a mistake unless one has been told for this line.
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
	if t.requests == nil {
		t.requests = make(map[int32]span)
	}
	t.requests[p.request(word)] = s
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
	at := slices.IndexFunc(parts, func(q trace.Part) bool { return q.Kind == trace.Recv || q.Kind == trace.Probe })
	if at < 0 || !bytes.HasPrefix(p.line[p.at:], []byte("<-")) {
		return false
	}
	p.at += 2
	who, ok := p.peer()
	if !ok {
		return false
	}
	q := &parts[at]
	q.Met, q.MetTag = op.Rank(uint32(who)), q.Tag
	if q.Tag == op.AnyTag {
		q.MetTag = int32(op.Unknown)
	}
	if !p.take(':') {
		return true
	}
	if p.take('?') {
		q.MetTag = int32(op.Unknown)
		return true
	}
	tag, ok := p.uint(1<<31-1, "a tag")
	q.MetTag = int32(tag)
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
