package branching

import (
	"hash/fnv"
	"slices"

	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// What a run does is noted in the terms of a log: by a recorder, which makes one; by the pasts of ranks, which tell
// flows apart; and by a guide, which has a log that shall be followed.

// note takes down a call as it is made, with the parts that it starts and those that it waits for, and numbers the
// parts.
func (m *machine) note(s *state, r int, o trace.Op, parts []trace.Part, waits []trace.Wait) {
	k := &s.ranks[r]
	i := m.at(s, r)
	nth := k.count.ops
	first := k.count.parts
	k.count.ops++
	k.count.parts += uint32(len(parts))
	if m.rec != nil {
		m.rec.call(r, i, o, parts, waits)
	}
	if !m.past && m.guide == nil {
		return
	}
	text := callText(i.call.name(), i.line, parts, first, waits, func(comm uint32) string { return m.comms[comm] })
	if m.past {
		k.past = k.past.then(text)
	}
	if m.guide != nil && !m.guide.called(r, nth, text) {
		s.dead = true
	}
}

// found notes a probe that does not block and has found a message: it is the blocking one.
func (m *machine) found(s *state, r int, c *Call) {
	k := &s.ranks[r]
	k.now.part = k.count.parts
	kind := op.Probe
	if c.Kind == Improbe {
		kind = op.Recv
	}
	m.note(s, r, trace.Op{Blocking: true, Choice: true, Nth: k.count.choices - 1},
		[]trace.Part{m.recvPart(s, r, &k.now.probe, kind)}, own(r, k.now.part))
}

// testFound notes a test that has reported something: it is the call that waits for it.
func (m *machine) testFound(s *state, r int, c *Call) {
	m.note(s, r, trace.Op{Blocking: true, Any: c.Kind.any(), Choice: true, Nth: s.ranks[r].count.choices - 1}, nil,
		m.awaited(s, r, c))
}

// polled notes a poll that found nothing.
func (m *machine) polled(s *state, r int, c *Call) {
	if m.rec != nil {
		m.rec.poll(r, m.at(s, r), s.ranks[r].count, c, &s.ranks[r].now.probe, m.awaited(s, r, c))
	}
}

// unrecorded notes a call that is no Op: polls before and after it are not in a row.
func (m *machine) unrecorded(r int) {
	if m.rec != nil {
		m.rec.breakRow(r)
	}
}

// returned notes that the rank's last call is over; done are the parts that it reported, nil for all.
func (m *machine) returned(s *state, r int, done map[uint32]bool) {
	if m.rec != nil {
		m.rec.returned(r, done)
	}
	if m.guide != nil && !m.guide.reported(r, s.ranks[r].count.ops-1, done) {
		s.dead = true
	}
}

// met notes whose message a receive or probe was given.
func (m *machine) met(s *state, r int, part uint32, got content) {
	if m.rec != nil {
		m.rec.met(r, part, got)
	}
	if m.guide != nil && !m.guide.met(r, part, got) {
		s.dead = true
	}
}

// lost notes that a receive was cancelled.
func (m *machine) lost(s *state, r int, part uint32) {
	if m.rec != nil {
		m.rec.log.Threads[r].Parts[part].Gone = true
	}
	if m.guide != nil && !m.guide.gone(r, part) {
		s.dead = true
	}
}

// then is a past with one more call.
func (p *past) then(text string) *past {
	h := fnv.New64a()
	if p != nil {
		var b [8]byte
		for i := range b {
			b[i] = byte(p.hash >> (8 * i))
		}
		_, _ = h.Write(b[:])
	}
	_, _ = h.Write([]byte(text))
	return &past{p, text, h.Sum64()}
}

// list is what was called, in order.
func (p *past) list() (out []string) {
	for ; p != nil; p = p.before {
		out = append(out, p.text)
	}
	slices.Reverse(out)
	return out
}

// recorder makes the log of a run.
type recorder struct {
	log   *trace.Log
	funcs map[string]uint16
	sites map[int]uint32
	row   []bool // by rank: the last call was the last of Polls
}

const sourceName = "program.c"

func newRecorder(code *code) *recorder {
	p := code.p
	l := &trace.Log{Head: trace.Head{Ranks: len(p.Ranks)}, Sites: make([]trace.Site, 1)}
	for i, members := range p.Comms {
		c := trace.Comm{ID: op.CommID(i + 1), Name: code.comms[i]}
		for _, r := range members {
			c.Members = append(c.Members, op.Rank(r))
		}
		l.Comms = append(l.Comms, c)
	}
	for r := range p.Ranks {
		l.Threads = append(l.Threads, trace.Thread{Rank: op.Rank(r)})
	}
	return &recorder{log: l, funcs: make(map[string]uint16), sites: make(map[int]uint32),
		row: make([]bool, len(p.Ranks))}
}

func (w *recorder) fn(name string) uint16 {
	n, known := w.funcs[name]
	if !known {
		n = uint16(len(w.log.Funcs))
		w.log.Funcs = append(w.log.Funcs, name)
		w.funcs[name] = n
	}
	return n
}

func (w *recorder) site(line int) uint32 {
	n, known := w.sites[line]
	if !known {
		n = uint32(len(w.log.Sites))
		w.log.Sites = append(w.log.Sites, trace.Site{Function: "main", File: sourceName, Line: line})
		w.sites[line] = n
	}
	return n
}

func (w *recorder) waits(r int, waits []trace.Wait) (at, n uint32) {
	t := &w.log.Threads[r]
	at = uint32(len(t.Waits))
	t.Waits = append(t.Waits, waits...)
	return at, uint32(len(waits))
}

func (w *recorder) call(r int, i *instr, o trace.Op, parts []trace.Part, waits []trace.Wait) {
	t := &w.log.Threads[r]
	w.row[r] = false
	o.Fn, o.Site = w.fn(i.call.name()), w.site(i.line)
	o.First, o.Started = uint32(len(t.Parts)), uint32(len(parts))
	t.Parts = append(t.Parts, parts...)
	o.WaitAt, o.Waiting = w.waits(r, waits)
	o.Returned = !o.Blocking
	if !o.Choice {
		o.Nth = 0
	}
	t.Ops = append(t.Ops, o)
}

func (w *recorder) returned(r int, done map[uint32]bool) {
	t := &w.log.Threads[r]
	o := &t.Ops[len(t.Ops)-1]
	o.Returned = true
	waits := t.WaitsOf(o)
	for i := range waits {
		waits[i].Done = done == nil || done[waits[i].Part]
	}
}

func (w *recorder) met(r int, part uint32, got content) {
	p := &w.log.Threads[r].Parts[part]
	p.Matched, p.MatchedTag = op.Rank(got.from), int32(got.tag)
}

// poll adds to the row of polls, or begins another.
func (w *recorder) poll(r int, i *instr, n counters, c *Call, p *posted, waits []trace.Wait) {
	t := &w.log.Threads[r]
	x := trace.Poll{Before: uint32(len(t.Ops)), Fn: w.fn(c.name()), Any: c.Kind.any(), Count: 1, Nth: n.choices - 1,
		Site: w.site(i.line)}
	if c.Kind == Iprobe || c.Kind == Improbe {
		x.Probe, x.Comm, x.Peer, x.Tag = true, uint32(c.Comm), op.AnySource, int32(p.wanted)
		if !p.any {
			x.Peer = w.log.Comms[c.Comm].Members[p.from]
		}
	}
	if w.row[r] {
		last := &t.Polls[len(t.Polls)-1]
		before := t.Waits[last.WaitAt : last.WaitAt+last.Waiting]
		same := last.Site == x.Site && last.Peer == x.Peer && last.Tag == x.Tag &&
			slices.Equal(before, waits)
		if same {
			last.Count++
			return
		}
	}
	x.WaitAt, x.Waiting = w.waits(r, waits)
	t.Polls = append(t.Polls, x)
	w.row[r] = true
}

func (w *recorder) breakRow(r int) { w.row[r] = false }
