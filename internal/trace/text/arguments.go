package text

import (
	"slices"

	"unknot/internal/vocab/op"
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
			return p.fail(from, "expected a communicator or an option, found %q; hint: define it on an earlier line: "+
				"\"comm %s: 0 1\"",
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
			return p.fail(at, "expected a communicator defined before, found %s", p.found())
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
