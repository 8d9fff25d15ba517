package agent

import (
	"unknot/internal/check"
	"unknot/internal/objects"
	"unknot/internal/ring"
	"unknot/internal/symbol"
)

// grounds is what an agent knows of the memory of a rank without asking it: the stacks of its threads and its variables.
type grounds struct {
	data   *symbol.Data
	recent [64]knownGround
}

// knownGround is an address that was asked for, and what it lies in.
type knownGround struct {
	at uint64
	check.Ground
}

// stack is where a thread has its stack.
type stack struct{ low, high uint64 }

// where says what memory an address is in. Programs use the same few buffers again and again, so the last answers are kept.
func (a *Agent) where(r *rank, at uint64) check.Ground {
	for _, t := range r.threads {
		if !t.ended && at >= t.stack.low && at < t.stack.high {
			return check.Ground{Kind: check.ThreadStack, From: t.stack.low, To: t.stack.high}
		}
	}
	if r.maps == nil || at == 0 {
		return check.Ground{}
	}
	known := &r.grounds.recent[at*0x9e3779b97f4a7c15>>58]
	if known.at == at {
		return known.Ground
	}
	if r.grounds.data == nil {
		r.grounds.data = a.resolve.Data(r.maps)
	}
	*known = knownGround{at: at}
	if v, ok := r.grounds.data.Variable(at); ok {
		known.Ground = check.Ground{Kind: check.Variable, From: v.From, To: v.To, Name: v.Name}
	}
	return known.Ground
}

// ground takes Data records about memory.
func (a *Agent) ground(t *thread, id ring.DataID, w words) {
	r := t.rank
	switch id {
	case ring.DataStack:
		t.stack = stack{w.next(), w.next()}
	case ring.DataBelow:
		t.below = stack{w.next(), w.next()}
	case ring.DataMemory:
		b := check.Beneath{Param: int(w.next())}
		switch ring.MemoryState(w.next()) {
		case ring.MemoryBlock:
			b.Kind = check.HeapBlock
		case ring.MemoryFreed:
			b.Kind = check.FreedBlock
		case ring.MemoryBelow:
			b.Kind = check.LeftStack
		}
		b.From, b.To = w.next(), w.next()
		b.Freed = check.Freed{How: "freed", Site: w.next()}
		t.beneath = append(t.beneath, b)
	case ring.DataFreed:
		from, to, how := w.next(), w.next(), check.Freed{How: "freed"}
		switch ring.FreedHow(w.next()) {
		case ring.FreedRealloc:
			how.How = "moved by realloc"
		case ring.FreedUnmap:
			how.How = "unmapped"
		}
		how.Site = w.next()
		if a.checks != nil {
			a.checks.Gone(r.use, from, to, how, nil)
			a.tellChecks()
		}
	case ring.DataChanged:
		a.changed(t, w)
	}
}

// changed takes in that a send's data is not what it was.
func (a *Agent) changed(t *thread, w words) {
	x := check.Change{Sent: objects.Made{Func: a.table.ByID(uint16(w.next())), Site: w.next()}}
	x.Started = objects.Made{Func: a.table.ByID(uint16(w.next())), Site: w.next()}
	x.Offset, x.Length, x.Bytes, x.Gaps = int64(w.next()), int64(w.next()), int64(w.next()), w.next() != 0
	n := int(min(w.next(), uint64(len(w))))
	x.Words = append([]uint64(nil), w[:n]...)
	if a.checks == nil || x.Sent.Func == nil {
		return
	}
	x.Complete, x.Thread = objects.Made{Func: t.fn, Site: t.site}, t.ws.Index
	a.checks.Changed(t.rank.use, &x)
	a.tellChecks()
}

// leave shows the usage checks, before a call, that functions of its thread have returned which had buffers.
func (a *Agent) leave(t *thread) {
	if t.below.high > t.below.low {
		a.checks.Gone(t.rank.use, t.below.low, t.below.high, check.Freed{}, &t.use)
		t.below = stack{}
	}
}
