package text

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"unknot/internal/op"
	"unknot/internal/trace"
)

// maxRanks is the largest number of processes that a log may have. It keeps a mistyped rank from taking all memory.
const maxRanks = 1 << 22

// maxGap is how many processes in a row may have no line if the log does not say how many there are.
const maxGap = 1 << 16

// Read reads a log; name stands for it in messages. An error is an Errors, with up to ten mistakes, or comes from the
// reader. The calls that stand before, between and after mistakes are not returned.
func Read(r io.Reader, name string) (*trace.Log, error) {
	all, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", name, err)
	}
	shapes, err := newShapes()
	if err != nil {
		return nil, err
	}
	p := &parser{
		file: name, shapes: shapes,
		comms:  []trace.Comm{{Name: worldName}},
		commOf: map[string]uint32{worldWord: 0},
		sites:  []trace.Site{{}}, siteOf: make(map[trace.Site]uint32), siteNamed: make(map[string]uint32),
		requests: make(map[string]int32), seqs: make(map[member]*uint64), more: make(map[threadName]*thread),
	}
	for len(all) > 0 && len(p.errs) < maxErrors {
		line, rest, _ := bytes.Cut(all, []byte{'\n'})
		all = rest
		p.line, p.at, p.number = bytes.TrimSuffix(line, []byte{'\r'}), 0, p.number+1
		p.oneLine()
	}
	if len(p.errs) == 0 {
		p.finish()
	}
	if len(p.errs) > 0 {
		return nil, p.errs
	}
	return &p.log, nil
}

// The first communicator: the word for it in a log, and its name in a program.
const (
	worldWord = "world"
	worldName = "MPI_COMM_WORLD"
)

// parser is the state of reading one log. Methods that parse return false after telling a mistake; the rest of the line is
// then left out.
type parser struct {
	file   string
	line   []byte
	at     int // in line
	number int // of the line, from 1
	errs   Errors

	shapes    *shapes
	log       trace.Log
	world     []op.Rank // the members that a line gives to the first communicator
	comms     []trace.Comm
	commOf    map[string]uint32
	sites     []trace.Site
	siteOf    map[trace.Site]uint32
	siteNamed map[string]uint32 // by the word of a site line, or file:line as written in a call
	requests  map[string]int32  // names of requests, numbered
	seqs      map[member]*uint64
	threads   []*thread // threads 0, by rank
	more      map[threadName]*thread
	foreign   []foreign
	highest   place // the highest rank that anything names, and where
	highRank  op.Rank
	slab      []thread
}

// thread is a thread while it is read.
type thread struct {
	trace.Thread
	seq      uint64         // collectives on the first communicator so far, in thread 0
	wild     uint32         // Nth of the next wildcard
	standard uint32         // Nth of the next send of standard mode
	requests map[int32]span // parts by the number of their request's name
	at       uint32         // index in Log.Threads, known when all is read
}

type threadName struct {
	rank  op.Rank
	index op.Thread
}

type member struct {
	rank op.Rank
	comm uint32
}

// span is some parts in a row.
type span struct{ first, count uint32 }

// place is a place in the file.
type place struct {
	line   []byte
	number int
	at     int
}

// foreign is a wait for what another thread started. It is resolved when all is read.
type foreign struct {
	by    *thread
	wait  uint32
	of    threadName
	name  int32
	word  string
	place place
}

func (p *parser) here(at int) place { return place{p.line, p.number, at} }

// fail tells a mistake at a place of the line.
func (p *parser) fail(at int, format string, args ...any) bool {
	return p.failAt(p.here(at), format, args...)
}

func (p *parser) failAt(where place, format string, args ...any) bool {
	text, caret := excerpt(where.line, where.at)
	p.errs = append(p.errs, &SyntaxError{p.file, where.number, where.at + 1, fmt.Sprintf(format, args...), text, caret})
	return false
}

// found names what stands at the current place, for messages.
func (p *parser) found() string {
	if p.at >= len(p.line) {
		return "the end of the line"
	}
	rest := p.line[p.at:]
	n := 1
	for n < len(rest) && n < 16 && isWord(rest[0]) && isWord(rest[n]) {
		n++
	}
	return fmt.Sprintf("%q", rest[:n])
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// peek is the byte at the current place, 0 at the end of the line.
func (p *parser) peek() byte {
	if p.at < len(p.line) {
		return p.line[p.at]
	}
	return 0
}

func (p *parser) blanks() {
	for p.at < len(p.line) && (p.line[p.at] == ' ' || p.line[p.at] == '\t') {
		p.at++
	}
}

// take steps over a byte if it is there.
func (p *parser) take(c byte) bool {
	if p.peek() != c {
		return false
	}
	p.at++
	return true
}

// expect is take, and a mistake if it is not there.
func (p *parser) expect(c byte, after string) bool {
	if p.take(c) {
		return true
	}
	return p.fail(p.at, "expected %q after %s, found %s", string(c), after, p.found())
}

// word reads a name; empty if there is none.
func (p *parser) word() []byte {
	from := p.at
	if isDigit(p.peek()) {
		return nil
	}
	for p.at < len(p.line) && isWord(p.line[p.at]) {
		p.at++
	}
	return p.line[from:p.at]
}

// uint reads a number of decimal digits that is at most limit.
func (p *parser) uint(limit uint64, what string) (uint64, bool) {
	from, n := p.at, uint64(0)
	for p.at < len(p.line) && isDigit(p.line[p.at]) {
		d := uint64(p.line[p.at] - '0')
		if n > (limit-d)/10 {
			return 0, p.fail(from, "expected %s of at most %d, found a larger number", what, limit)
		}
		n = n*10 + d
		p.at++
	}
	if p.at == from {
		return 0, p.fail(from, "expected %s, found %s", what, p.found())
	}
	return n, true
}

// oneLine reads a line.
func (p *parser) oneLine() {
	p.blanks()
	c := p.peek()
	if c == 0 && p.at >= len(p.line) || c == '#' {
		return
	}
	if c == 'P' && p.at+1 < len(p.line) && isDigit(p.line[p.at+1]) {
		p.at++
		p.calls()
		return
	}
	p.directive()
}

// calls reads the calls of a thread, after the P.
func (p *parser) calls() {
	from := p.at
	rank, ok := p.rank()
	if !ok {
		return
	}
	index := uint64(0)
	if p.take('.') {
		if index, ok = p.uint(1<<20, "a thread"); !ok {
			return
		}
	}
	if !p.expect(':', "the process") {
		return
	}
	if p.log.Head.Ranks > 0 && int(rank) >= p.log.Head.Ranks {
		p.fail(from, "expected a process below %d, which \"ranks\" gives, found %d", p.log.Head.Ranks, rank)
		return
	}
	if p.log.Head.Ranks == 0 && int(rank) >= len(p.threads)+maxGap {
		p.fail(from, "expected a process near those before, found %d; hint: a line \"ranks %d\" at the top says how many there are", rank, rank+1)
		return
	}
	t := p.thread(threadName{rank, op.Thread(index)})
	for {
		p.blanks()
		if c := p.peek(); p.at >= len(p.line) || c == '#' {
			return
		}
		if !p.call(t) {
			return
		}
	}
}

// rank reads the number of a process.
func (p *parser) rank() (op.Rank, bool) {
	n, ok := p.uint(maxRanks-1, "a process")
	return op.Rank(n), ok
}

// thread is the thread of a name, made if there is none.
func (p *parser) thread(name threadName) *thread {
	if n := int(name.rank) + 1; n > len(p.threads) {
		p.threads = append(p.threads, make([]*thread, n-len(p.threads))...)
	}
	if name.index == 0 {
		if p.threads[name.rank] == nil {
			p.threads[name.rank] = p.newThread(name)
		}
		return p.threads[name.rank]
	}
	t := p.more[name]
	if t == nil {
		t = p.newThread(name)
		p.more[name] = t
	}
	return t
}

func (p *parser) newThread(name threadName) *thread {
	if len(p.slab) == 0 {
		p.slab = make([]thread, 1024)
	}
	t := &p.slab[0]
	p.slab = p.slab[1:]
	t.Rank, t.Index = name.rank, name.index
	return t
}

// finish puts the log together when all lines have been read.
func (p *parser) finish() {
	l := &p.log
	if l.Head.Ranks == 0 {
		l.Head.Ranks = len(p.threads)
	}
	if int(p.highRank) >= l.Head.Ranks && p.highest.number > 0 {
		p.failAt(p.highest, "expected a process below %d, found %d; hint: a line \"ranks %d\" at the top says how many there are",
			l.Head.Ranks, p.highRank, p.highRank+1)
		return
	}
	if l.Head.Ranks == 0 {
		p.failAt(place{number: max(1, p.number)}, "expected calls of processes, such as \"P0: Send(1,0)\", found none")
		return
	}
	for r := range l.Head.Ranks {
		p.thread(threadName{op.Rank(r), 0})
	}
	p.comms[0].Members = p.world
	if p.world == nil {
		p.comms[0].Members = make([]op.Rank, l.Head.Ranks)
		for r := range p.comms[0].Members {
			p.comms[0].Members[r] = op.Rank(r)
		}
	}
	all := p.ordered()
	p.resolve()
	l.Funcs, l.Comms, l.Sites = p.shapes.names, p.comms, p.sites
	l.Threads = make([]trace.Thread, len(all))
	for i, t := range all {
		l.Threads[i] = t.Thread
	}
}

// ordered numbers the threads by rank and index, and tells the waits of each its number.
func (p *parser) ordered() []*thread {
	all := p.threads
	if len(p.more) > 0 {
		all = slices.Clone(all)
		for _, t := range p.more {
			all = append(all, t)
		}
		slices.SortFunc(all, func(a, b *thread) int {
			if a.Rank != b.Rank {
				return int(a.Rank - b.Rank)
			}
			return int(a.Index - b.Index)
		})
	}
	for i, t := range all {
		t.at = uint32(i)
		for w := range t.Waits {
			t.Waits[w].Thread = uint32(i)
		}
	}
	return all
}

// resolve finds what is waited for in other threads.
func (p *parser) resolve() {
	for _, f := range p.foreign {
		var s span
		var of *thread
		if int(f.of.rank) < len(p.threads) {
			of = p.threads[f.of.rank]
			if f.of.index != 0 {
				of = p.more[f.of]
			}
		}
		if of != nil {
			s = of.requests[f.name]
		}
		if s.count != 1 && len(p.errs) < maxErrors {
			p.failAt(f.place, "expected a request of one send or receive that P%d.%d starts, found %q", f.of.rank, f.of.index, f.word)
			continue
		}
		if s.count == 1 {
			f.by.Waits[f.wait].Thread, f.by.Waits[f.wait].Part = of.at, s.first
		}
	}
}
