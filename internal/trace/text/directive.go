package text

import (
	"strconv"

	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// directive reads a line that is not of a thread.
func (p *parser) directive() {
	from := p.at
	switch word := string(p.word()); word {
	case "ranks":
		p.blanks()
		n, ok := p.uint(maxRanks, "a number of processes")
		if ok && n == 0 {
			p.fail(p.at-1, "expected a number of processes above 0, found 0")
			return
		}
		if ok && int(n) < len(p.threads) {
			p.fail(from, "expected at least %d processes, as P%d has calls, found %d", len(p.threads),
				len(p.threads)-1, n)
			return
		}
		p.log.Head.Ranks, p.ranksAt = int(n), p.here(from)
	case "command":
		for p.blanks(); p.peek() == '"'; p.blanks() {
			text, ok := p.quoted()
			if !ok {
				return
			}
			p.log.Head.Command = append(p.log.Head.Command, text)
		}
	case "mpi":
		p.text(&p.log.Head.MPI)
	case "unknot":
		p.text(&p.log.Head.Unknot)
	case "start":
		p.text(&p.log.Head.Start)
	case "cut":
		p.text(&p.log.Cut)
	case "comm", "inner":
		p.comm(word == "inner")
	case "site":
		p.site()
	default:
		p.fail(from, "expected \"P0:\" and calls, or ranks, comm, inner, site, command, mpi, unknot, start, "+
			"cut, found %s", quoteShort(word, p.line[from:]))
		return
	}
	if n := len(p.errs); n > 0 && p.errs[n-1].Line == p.number {
		return
	}
	p.blanks()
	if p.at < len(p.line) && p.peek() != '#' {
		p.fail(p.at, "expected the end of the line, found %s", p.found())
	}
}

// quoteShort shows a word, or the first byte of a line that begins with none.
func quoteShort(word string, line []byte) string {
	if word == "" {
		return strconv.Quote(string(line[:1]))
	}
	return strconv.Quote(word[:min(len(word), 32)])
}

func (p *parser) text(into *string) {
	p.blanks()
	if text, ok := p.quoted(); ok {
		*into = text
	}
}

// quoted reads a string as Go writes one.
func (p *parser) quoted() (string, bool) {
	from := p.at
	written, err := strconv.QuotedPrefix(string(p.line[from:]))
	if err != nil || p.peek() != '"' {
		return "", p.fail(from, "expected text in quotation marks, found %s", p.found())
	}
	p.at += len(written)
	text, err := strconv.Unquote(written)
	if err != nil {
		return "", p.fail(from, "expected text in quotation marks, found %s", written)
	}
	return text, true
}

// comm reads a communicator: its word, what differs from the defaults, its members.
func (p *parser) comm(inner bool) {
	p.blanks()
	from := p.at
	word := string(p.word())
	if word == "" {
		p.fail(from, "expected a name for the communicator, found %s", p.found())
		return
	}
	index, known := p.commOf[word]
	if known && (index != 0 || p.world != nil) {
		p.fail(from, "expected a new name, found %q, which is already a communicator", word)
		return
	}
	if reserved(word) {
		p.fail(from, "expected a name for the communicator, found %q, which has a meaning in calls", word)
		return
	}
	c := trace.Comm{ID: op.CommID(len(p.comms)), Name: word, Inner: inner}
	if known {
		c.ID, c.Name = 0, worldName
	}
	for p.blanks(); p.at < len(p.line) && p.peek() != ':' && p.peek() != '#'; p.blanks() {
		if !p.commOption(&c) {
			return
		}
	}
	if !known || p.peek() == ':' {
		if !p.expect(':', "the communicator's name") {
			return
		}
		var ok bool
		if c.Members, ok = p.members(); !ok {
			return
		}
		if p.take('/') {
			if c.Remote, ok = p.members(); !ok {
				return
			}
		}
	}
	if known {
		p.comms[0], p.world = c, c.Members
		return
	}
	p.commOf[word] = uint32(len(p.comms))
	p.comms = append(p.comms, c)
}

func (p *parser) commOption(c *trace.Comm) bool {
	from := p.at
	switch word := string(p.word()); word {
	case "id", "name":
		if !p.expect('=', word) {
			return false
		}
		if word == "name" {
			text, ok := p.quoted()
			c.Name = text
			return ok
		}
		id, ok := p.hex()
		c.ID = op.CommID(id)
		return ok
	}
	p.at = from
	return p.fail(from, "expected \":\" and the members, id= or name=, found %s", p.found())
}

// members reads ranks and ranges of ranks.
func (p *parser) members() ([]op.Rank, bool) {
	ranks := []op.Rank{}
	for {
		p.blanks()
		if !isDigit(p.peek()) {
			return ranks, true
		}
		from := p.at
		first, ok := p.rank()
		if !ok {
			return nil, false
		}
		last := first
		if p.take('-') {
			if last, ok = p.rank(); !ok {
				return nil, false
			}
			if last < first || len(ranks)+int(last-first) > maxRanks {
				return nil, p.fail(from, "expected an ascending range of processes, found %d-%d", first, last)
			}
		}
		p.mention(last, from)
		for r := first; r <= last; r++ {
			ranks = append(ranks, r)
		}
	}
}

// mention keeps the highest rank that is named, to be compared with their number at the end.
func (p *parser) mention(r op.Rank, at int) {
	if r > p.highRank || p.highest.number == 0 {
		p.highRank, p.highest = r, p.here(at)
	}
}

// site reads a place in the program that calls refer to by a word.
func (p *parser) site() {
	p.blanks()
	from := p.at
	word := string(p.word())
	if word == "" {
		p.fail(from, "expected a name for the place, found %s", p.found())
		return
	}
	var s trace.Site
	for p.blanks(); p.at < len(p.line) && p.peek() != '#'; p.blanks() {
		at := p.at
		option := string(p.word())
		var text *string
		switch option {
		case "function":
			text = &s.Function
		case "file":
			text = &s.File
		case "module":
			text = &s.Module
		case "line", "offset":
		default:
			p.at = at
			p.fail(at, "expected function=, file=, line=, module= or offset=, found %s", p.found())
			return
		}
		ok := p.expect('=', option)
		switch {
		case !ok:
		case text != nil:
			*text, ok = p.quoted()
		case option == "line":
			var n uint64
			n, ok = p.uint(1<<31-1, "a line")
			s.Line = int(n)
		default:
			s.Offset, ok = p.hex()
		}
		if !ok {
			return
		}
	}
	if _, known := p.siteNamed[word]; known {
		p.fail(from, "expected a new name, found %q, which is already a place", word)
		return
	}
	p.siteNamed[word] = p.siteIndex(s)
}

// hex reads a number written with 0x.
func (p *parser) hex() (uint64, bool) {
	from := p.at
	for p.at < len(p.line) && isWord(p.line[p.at]) {
		p.at++
	}
	n, err := strconv.ParseUint(string(p.line[from:p.at]), 0, 64)
	if err != nil {
		p.at = from
		return 0, p.fail(from, "expected a number such as 0x1f, found %s", p.found())
	}
	return n, true
}

func (p *parser) siteIndex(s trace.Site) uint32 {
	if s == (trace.Site{}) {
		return 0
	}
	at, known := p.siteOf[s]
	if !known {
		at = uint32(len(p.sites))
		p.sites = append(p.sites, s)
		p.siteOf[s] = at
	}
	return at
}
