// Package jsonlog writes a log as JSON and reads it back, for programs of others. docs/trace.md describes the members.
package jsonlog

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"unknot/internal/trace"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/op"
)

// Format is what the member "format" of a document says.
const Format = "unknot-trace-1"

// document is a log. Everything that refers to something else does so by its place in a list, from 0.
type document struct {
	Format  string     `json:"format"`
	Head    trace.Head `json:"head"`
	Cut     string     `json:"cut,omitempty"`
	Comms   []comm     `json:"communicators"`
	Sites   []site     `json:"sites"`
	Threads []thread   `json:"threads"`
}

type comm struct {
	ID      uint64    `json:"id"`
	Name    string    `json:"name,omitempty"`
	Members []op.Rank `json:"members"`
	Remote  []op.Rank `json:"remote,omitempty"`
	Inner   bool      `json:"inner,omitempty"`
}

type site struct {
	Function string          `json:"function,omitempty"`
	File     string          `json:"file,omitempty"`
	Line     int             `json:"line,omitempty"`
	Module   string          `json:"module,omitempty"`
	Offset   uint64          `json:"offset,omitempty"`
	Stack    []finding.Frame `json:"stack,omitempty"`
}

type thread struct {
	Rank  op.Rank   `json:"rank"`
	Index op.Thread `json:"index"`
	Calls []call    `json:"calls"`
	Polls []poll    `json:"polls,omitempty"`
}

// poll is of a message if there is a communicator.
type poll struct {
	Before   uint32   `json:"before"`
	Function string   `json:"function"`
	Any      bool     `json:"any,omitempty"`
	Count    uint32   `json:"count"`
	Nth      uint32   `json:"nth"`
	Site     uint32   `json:"site,omitempty"`
	Comm     *uint32  `json:"communicator,omitempty"`
	Peer     *op.Rank `json:"peer,omitempty"`
	Tag      *int32   `json:"tag,omitempty"`
	Waits    []wait   `json:"waits,omitempty"`
}

type call struct {
	Function string  `json:"function"`
	Blocking bool    `json:"blocking,omitempty"`
	Any      bool    `json:"any,omitempty"`
	Opaque   bool    `json:"opaque,omitempty"`
	Final    bool    `json:"final,omitempty"`
	Returned bool    `json:"returned,omitempty"`
	Choice   *uint32 `json:"choice,omitempty"`
	Site     uint32  `json:"site,omitempty"`
	Parts    []part  `json:"parts,omitempty"`
	Waits    []wait  `json:"waits,omitempty"`
}

type part struct {
	Kind       string   `json:"kind"`
	Mode       string   `json:"mode,omitempty"`
	Sync       string   `json:"sync,omitempty"`
	Wild       bool     `json:"wild,omitempty"`
	Gone       bool     `json:"cancelled,omitempty"`
	Comm       uint32   `json:"communicator"`
	Peer       op.Rank  `json:"peer"`
	Tag        int32    `json:"tag"`
	Bytes      *int64   `json:"bytes,omitempty"`
	Matched    *op.Rank `json:"met,omitempty"`
	MatchedTag *int32   `json:"met_tag,omitempty"`
	Seq        uint64   `json:"seq,omitempty"`
	What       uint64   `json:"what,omitempty,string"`
	Nth        uint32   `json:"nth,omitempty"`
}

type wait struct {
	Thread uint32 `json:"thread"`
	Part   uint32 `json:"part"`
	Done   bool   `json:"done,omitempty"`
	At     int32  `json:"at,omitempty"`
}

// The words for kinds, modes and synchronisations, in the order of package trace.
func kinds() []string { return []string{"send", "recv", "probe", "collective", "served"} }
func modes() []string { return []string{"standard", "synchronous", "buffered"} }
func syncs() []string { return []string{"none", "all", "from-root", "to-root", "lower"} }

// Write writes a log.
func Write(w io.Writer, log *trace.Log) error {
	d := document{Format: Format, Head: log.Head, Cut: log.Cut, Comms: []comm{}, Sites: []site{}, Threads: []thread{}}
	for _, c := range log.Comms {
		d.Comms = append(d.Comms, comm{uint64(c.ID), c.Name, c.Members, c.Remote, c.Inner})
	}
	for i, s := range log.Sites {
		d.Sites = append(d.Sites, site{s.Function, s.File, s.Line, s.Module, s.Offset, log.Stack(uint32(i))})
	}
	for i := range log.Threads {
		t := &log.Threads[i]
		out := thread{Rank: t.Rank, Index: t.Index, Calls: make([]call, 0, len(t.Ops))}
		for k := range t.Ops {
			out.Calls = append(out.Calls, callOf(log, t, &t.Ops[k]))
		}
		for k := range t.Polls {
			out.Polls = append(out.Polls, pollOf(log, t, &t.Polls[k]))
		}
		d.Threads = append(d.Threads, out)
	}
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(d); err != nil {
		return err
	}
	return out.Flush()
}

func callOf(log *trace.Log, t *trace.Thread, o *trace.Op) call {
	c := call{Function: log.Funcs[o.Fn], Blocking: o.Blocking, Any: o.Any, Opaque: o.Opaque, Final: o.Final,
		Returned: o.Returned, Site: o.Site}
	if o.Choice {
		c.Choice = &o.Nth
	}
	for _, p := range t.Posts(o) {
		q := part{Kind: kinds()[p.Kind], Wild: p.Wild, Gone: p.Gone, Comm: p.Comm, Peer: p.Peer, Tag: p.Tag, Seq: p.Seq,
			What: p.What, Nth: p.Nth}
		switch p.Kind {
		case op.Send:
			q.Mode = modes()[p.Mode]
			if p.Bytes >= 0 {
				q.Bytes = &p.Bytes
			}
		case op.Coll:
			q.Sync = syncs()[p.Sync]
		}
		if p.Matched >= 0 {
			q.Matched, q.MatchedTag = &p.Matched, &p.MatchedTag
		}
		c.Parts = append(c.Parts, q)
	}
	for _, w := range t.WaitsOf(o) {
		c.Waits = append(c.Waits, wait(w))
	}
	return c
}

func pollOf(log *trace.Log, t *trace.Thread, p *trace.Poll) poll {
	q := poll{Before: p.Before, Function: log.Funcs[p.Fn], Any: p.Any, Count: p.Count, Nth: p.Nth, Site: p.Site}
	if p.Probe {
		q.Comm, q.Peer, q.Tag = &p.Comm, &p.Peer, &p.Tag
	}
	for _, w := range t.Waits[p.WaitAt : p.WaitAt+p.Waiting] {
		q.Waits = append(q.Waits, wait(w))
	}
	return q
}

// Read reads a log. name is that of the file, for errors.
func Read(r io.Reader, name string) (*trace.Log, error) {
	var d document
	if err := json.NewDecoder(bufio.NewReader(r)).Decode(&d); err != nil {
		return nil, fmt.Errorf("%s: %w; hint: the format is that of `unknot trace export --format=json`", name, at(err))
	}
	if d.Format != Format {
		return nil, fmt.Errorf("%s: format %q, expected %q; hint: `unknot trace export --format=json` writes it", name,
			d.Format, Format)
	}
	log, err := d.log()
	if err != nil {
		return nil, fmt.Errorf("%s: %w; hint: docs/trace.md describes the members", name, err)
	}
	return log, nil
}

// at is an error with its place in the file.
func at(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the JSON ends in the middle")
	case errors.As(err, &syntax):
		return fmt.Errorf("byte %d: %w", syntax.Offset, err)
	case errors.As(err, &kind):
		return fmt.Errorf("byte %d: %w", kind.Offset, err)
	}
	return err
}

// log makes a Log of a document, or says what in it cannot be.
func (d *document) log() (*trace.Log, error) {
	const mostRanks = 1 << 22
	if d.Head.Ranks < 1 || d.Head.Ranks > mostRanks {
		return nil, fmt.Errorf("head.ranks is %d, expected 1 to %d", d.Head.Ranks, mostRanks)
	}
	log := &trace.Log{Head: d.Head, Cut: d.Cut}
	for i, c := range d.Comms {
		for _, r := range append(append([]op.Rank(nil), c.Members...), c.Remote...) {
			if r < op.Unknown || int(r) >= d.Head.Ranks {
				return nil, fmt.Errorf("communicators[%d] has rank %d of %d", i, r, d.Head.Ranks)
			}
		}
		log.Comms = append(log.Comms, trace.Comm{ID: op.CommID(c.ID), Name: c.Name, Members: c.Members,
			Remote: c.Remote, Inner: c.Inner})
	}
	if len(log.Comms) == 0 {
		return nil, errors.New("there are no communicators; the first must be MPI_COMM_WORLD")
	}
	for _, s := range d.Sites {
		at := trace.Site{Function: s.Function, File: s.File, Line: s.Line, Module: s.Module, Offset: s.Offset}
		if len(s.Stack) > 0 {
			if log.Stacks == nil {
				log.Stacks = [][]finding.Frame{nil}
			}
			at.Stack = uint32(len(log.Stacks))
			log.Stacks = append(log.Stacks, s.Stack)
		}
		log.Sites = append(log.Sites, at)
	}
	if len(log.Sites) == 0 || log.Sites[0] != (trace.Site{}) {
		return nil, errors.New("sites[0] is not empty: it stands for an unknown place")
	}
	r := reader{d: d, log: log, funcs: make(map[string]uint16)}
	for i := range d.Threads {
		if err := r.thread(&d.Threads[i]); err != nil {
			return nil, fmt.Errorf("threads[%d]: %w", i, err)
		}
	}
	return log, r.order()
}

type reader struct {
	d     *document
	log   *trace.Log
	funcs map[string]uint16
}

func (r *reader) thread(d *thread) error {
	if d.Rank < 0 || int(d.Rank) >= r.d.Head.Ranks || d.Index < 0 {
		return fmt.Errorf("rank %d, index %d of %d ranks", d.Rank, d.Index, r.d.Head.Ranks)
	}
	t := trace.Thread{Rank: d.Rank, Index: d.Index}
	for i := range d.Calls {
		c := &d.Calls[i]
		fn, err := r.function(c.Function)
		if err != nil {
			return fmt.Errorf("calls[%d]: %w", i, err)
		}
		if int(c.Site) >= len(r.log.Sites) {
			return fmt.Errorf("calls[%d]: site %d of %d", i, c.Site, len(r.log.Sites))
		}
		if !c.Blocking && len(c.Waits) > 0 {
			return fmt.Errorf("calls[%d] waits, but is not blocking", i)
		}
		t.Ops = append(t.Ops, trace.Op{Fn: fn, Blocking: c.Blocking, Any: c.Any, Opaque: c.Opaque, Final: c.Final,
			Returned: c.Returned || i < len(d.Calls)-1, Site: c.Site, First: uint32(len(t.Parts)),
			Started: uint32(len(c.Parts)),
			WaitAt:  uint32(len(t.Waits)), Waiting: uint32(len(c.Waits))})
		if c.Choice != nil {
			t.Ops[i].Choice, t.Ops[i].Nth = true, *c.Choice
		}
		for k := range c.Parts {
			p, err := r.part(&c.Parts[k])
			if err != nil {
				return fmt.Errorf("calls[%d].parts[%d]: %w", i, k, err)
			}
			t.Parts = append(t.Parts, p)
		}
		for _, w := range c.Waits {
			t.Waits = append(t.Waits, trace.Wait(w))
		}
	}
	for i := range d.Polls {
		if err := r.poll(&t, &d.Polls[i]); err != nil {
			return fmt.Errorf("polls[%d]: %w", i, err)
		}
	}
	r.log.Threads = append(r.log.Threads, t)
	return nil
}

func (r *reader) function(name string) (uint16, error) {
	fn, known := r.funcs[name]
	if !known {
		if len(r.log.Funcs) > math.MaxUint16 {
			return 0, fmt.Errorf("more than %d functions", math.MaxUint16)
		}
		fn = uint16(len(r.log.Funcs))
		r.funcs[name], r.log.Funcs = fn, append(r.log.Funcs, name)
	}
	return fn, nil
}

// poll takes the next poll of a thread whose calls are known.
func (r *reader) poll(t *trace.Thread, d *poll) error {
	last := uint32(0)
	if n := len(t.Polls); n > 0 {
		last = t.Polls[n-1].Before
	}
	if d.Before < last || int(d.Before) > len(t.Ops) {
		return fmt.Errorf("before is %d, expected %d to %d", d.Before, last, len(t.Ops))
	}
	if int(d.Site) >= len(r.log.Sites) {
		return fmt.Errorf("site %d of %d", d.Site, len(r.log.Sites))
	}
	fn, err := r.function(d.Function)
	if err != nil {
		return err
	}
	p := trace.Poll{Before: d.Before, Fn: fn, Any: d.Any, Count: d.Count, Nth: d.Nth, Site: d.Site,
		Probe:  d.Comm != nil,
		WaitAt: uint32(len(t.Waits)), Waiting: uint32(len(d.Waits))}
	if p.Probe {
		if d.Peer == nil || d.Tag == nil || len(d.Waits) > 0 {
			return errors.New("a communicator, expected peer and tag as well, and no waits")
		}
		p.Comm, p.Peer, p.Tag = *d.Comm, *d.Peer, *d.Tag
		if int(p.Comm) >= len(r.log.Comms) {
			return fmt.Errorf("communicator %d of %d", p.Comm, len(r.log.Comms))
		}
		if p.Peer < op.Unknown || int(p.Peer) >= r.d.Head.Ranks {
			return fmt.Errorf("rank %d of %d", p.Peer, r.d.Head.Ranks)
		}
	}
	for _, w := range d.Waits {
		t.Waits = append(t.Waits, trace.Wait(w))
	}
	t.Polls = append(t.Polls, p)
	return nil
}

func (r *reader) part(d *part) (trace.Part, error) {
	p := trace.Part{Wild: d.Wild, Gone: d.Gone, Comm: d.Comm, Peer: d.Peer, Tag: d.Tag, Bytes: -1, Seq: d.Seq,
		What: d.What, Nth: d.Nth,
		Matched: op.Unknown, MatchedTag: int32(op.Unknown)}
	kind, err := word("kind", d.Kind, kinds())
	if err != nil {
		return p, err
	}
	p.Kind = op.PartKind(kind)
	switch p.Kind {
	case op.Send:
		mode, err := word("mode", d.Mode, modes())
		if err != nil {
			return p, err
		}
		p.Mode = op.SendMode(mode)
		if d.Bytes != nil {
			p.Bytes = *d.Bytes
		}
	case op.Coll:
		sync, err := word("sync", d.Sync, syncs())
		if err != nil {
			return p, err
		}
		p.Sync = op.Sync(sync)
	}
	if p.Wild && p.Kind != op.Recv && p.Kind != op.Probe {
		return p, fmt.Errorf("a %s cannot be wild", d.Kind)
	}
	if int(p.Comm) >= len(r.log.Comms) {
		return p, fmt.Errorf("communicator %d of %d", p.Comm, len(r.log.Comms))
	}
	if d.Matched != nil {
		p.Matched = *d.Matched
	}
	if d.MatchedTag != nil {
		p.MatchedTag = *d.MatchedTag
	}
	for _, rank := range []op.Rank{p.Peer, p.Matched} {
		if rank < op.Unknown || int(rank) >= r.d.Head.Ranks {
			return p, fmt.Errorf("rank %d of %d", rank, r.d.Head.Ranks)
		}
	}
	return p, nil
}

// order checks what can be checked only when all threads are known: that they are in the order of a log and complete,
// and that waits are for parts that exist.
func (r *reader) order() error {
	next := op.Rank(0)
	for i := range r.log.Threads {
		t := &r.log.Threads[i]
		switch {
		case t.Rank == next:
			next++
		case t.Rank != next-1 || t.Index <= r.log.Threads[i-1].Index:
			return fmt.Errorf("threads[%d] is of rank %d, expected rank %d: they come by rank and index, and every "+
				"rank has one", i, t.Rank, next)
		}
		for _, w := range t.Waits {
			if int(w.Thread) >= len(r.log.Threads) || int(w.Part) >= len(r.log.Threads[w.Thread].Parts) {
				return fmt.Errorf("threads[%d] waits for part %d of thread %d, which is not there", i, w.Part, w.Thread)
			}
		}
		for k := range t.Ops {
			for _, w := range t.WaitsOf(&t.Ops[k]) {
				if int(w.Thread) == i && w.Part >= t.Ops[k].First+t.Ops[k].Started {
					return fmt.Errorf("threads[%d].calls[%d] waits for part %d, which is started later", i, k, w.Part)
				}
			}
		}
	}
	if int(next) != r.d.Head.Ranks {
		return fmt.Errorf("there are threads of %d ranks, expected %d", next, r.d.Head.Ranks)
	}
	return nil
}

// word is the place of a word among those that are allowed.
func word(what, have string, allowed []string) (int, error) {
	for i, w := range allowed {
		if w == have {
			return i, nil
		}
	}
	return 0, fmt.Errorf("%s %q, expected one of %q", what, have, allowed)
}
