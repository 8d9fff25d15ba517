package text

import (
	"bytes"
	"fmt"
	"io"

	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// maxRanks is the largest number of processes that a log may have. It keeps a mistyped rank from taking all memory.
const maxRanks = 1 << 22

// maxGap is how many processes in a row may have no line if the log does not say how many there are.
const maxGap = 1 << 16

// maxIdle is how many processes may have no line for each that has one, once there are more than maxGap of them: what
// is kept of a process and of its place in communicators would else be far more than the log.
const maxIdle = 16

// Read reads a log; name stands for it in messages. An error is an Errors, with up to ten mistakes, comes from the
// reader, or says that the file is something else. The calls that stand before, between and after mistakes are not
// returned.
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
		cursor: cursor{file: name}, shapes: shapes,
		comms: []trace.Comm{{Name: worldName}},
		names: names{commOf: map[string]uint32{worldWord: 0},
			sites: []trace.Site{{}}, siteOf: make(map[trace.Site]uint32), siteNamed: make(map[string]uint32),
			requests: make(map[string]int32), seqs: make(map[member]*uint64)},
		population: population{more: make(map[threadName]*thread)},
	}
	for len(all) > 0 && len(p.errs) < maxErrors {
		line, rest, _ := bytes.Cut(all, []byte{'\n'})
		all = rest
		p.line, p.at, p.number = bytes.TrimSuffix(line, []byte{'\r'}), 0, p.number+1
		p.oneLine()
	}
	if len(p.errs) == maxErrors && len(p.threads) == 0 {
		return nil, fmt.Errorf("%s is not a log of MPI calls, whose lines are like \"P0: Send(1,0)\"; hint: "+
			"docs/logs.md says what such logs have", name)
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

// parser is the state of reading one log. Methods that parse return false after telling a mistake; the rest of the line
// is then left out.
type parser struct {
	cursor

	shapes *shapes
	log    trace.Log
	world  []op.Rank // the members that a line gives to the first communicator
	comms  []trace.Comm
	names
	population
}

// cursor is where the parser is in the log, and the mistakes so far.
type cursor struct {
	file   string
	line   []byte
	at     int // in line
	number int // of the line, from 1
	errs   Errors
}

// names are what words of the log stand for.
type names struct {
	commOf    map[string]uint32
	sites     []trace.Site
	siteOf    map[trace.Site]uint32
	siteNamed map[string]uint32 // by the word of a site line, or file:line as written in a call
	requests  map[string]int32  // names of requests, numbered
	seqs      map[member]*uint64
}

// population is the ranks that the log names, with their threads.
type population struct {
	threads  []*thread // threads 0, by rank
	more     map[threadName]*thread
	foreign  []foreign
	highest  place // the highest rank that anything names, and where
	highRank op.Rank
	ranksAt  place // the line that says how many processes there are
	slab     []thread
}

// thread is a thread while it is read.
type thread struct {
	trace.Thread
	seq      uint64 // collectives on the first communicator so far, in thread 0
	wild     uint32 // Nth of the next wildcard
	standard uint32 // Nth of the next send of standard mode
	choices  uint32 // Nth of the next call of which MPI may choose what it reports
	requests requests
	at       uint32 // index in Log.Threads, known when all is read
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
		p.fail(from, "expected a process near those before, found %d; hint: a line \"ranks %d\" at the top says how "+
			"many there are", rank, rank+1)
		return
	}
	t := p.thread(threadName{rank, op.Thread(index)})
	if t.Ops == nil {
		// Mostly this is all that the thread does, and each call has its parentheses.
		n := bytes.Count(p.line[p.at:], []byte{'('})
		t.Ops, t.Parts, t.Waits = make([]trace.Op, 0, n), make([]trace.Part, 0, n), make([]trace.Wait, 0, n)
	}
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
