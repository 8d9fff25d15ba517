package screen

import (
	"cmp"
	"math"
	"slices"

	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// Log screens a recorded run, in time and memory linear in its length.
func Log(l *trace.Log) Result { return look(l, false) }

// AsRecorded simulates the run again, with every message of standard mode buffered and every wildcard that met one
// given the source and tag of that. What has a definite flag then is stuck forever, although each thread has seen what
// it saw in the run.
func AsRecorded(l *trace.Log) Result { return look(l, true) }

func look(l *trace.Log, recorded bool) Result {
	most := 0
	for i := range l.Threads {
		most += len(l.Threads[i].Parts) + len(l.Threads[i].Waits) + len(l.Threads[i].Ops)
	}
	if most > math.MaxInt32 {
		return Result{Limits: tooLong.sentences()}
	}
	c, ops := fromLog(l, recorded)
	r, hits := c.Screen()
	p := placer{l, c.startOf, ops}
	for _, h := range hits {
		f := Flag{Reason: h.Reason, At: p.place(h.Step), In: p.place(h.In), Definite: h.Definite}
		for _, partner := range h.Partners {
			f.Partners = append(f.Partners, p.place(partner))
		}
		r.Flags = append(r.Flags, f)
	}
	slices.SortStableFunc(r.Flags, func(a, b Flag) int {
		return cmp.Or(cmp.Compare(isLost(a), isLost(b)), cmp.Compare(a.At.Thread, b.At.Thread),
			cmp.Compare(a.At.Op, b.At.Op),
			cmp.Compare(a.At.Part, b.At.Part), cmp.Compare(a.Reason, b.Reason))
	})
	return r
}

func isLost(f Flag) int {
	if f.Reason == Lost {
		return 1
	}
	return 0
}

// fromLog puts a recorded run in columns. It also returns the call of each step, by its place in its thread.
func fromLog(l *trace.Log, recorded bool) (*Columns, []uint32) {
	c := NewColumns(l.Head.Ranks, l.Comms)
	steps := 0
	for i := range l.Threads {
		for k := range l.Threads[i].Ops {
			steps += expected(&l.Threads[i], &l.Threads[i].Ops[k])
		}
	}
	c.Reserve(steps)
	if l.Cut != "" {
		c.limits |= cut
	}
	f := filler{c: c, log: l, recorded: recorded, stepOf: make([][]int32, 0, len(l.Threads)),
		ops: make([]uint32, 0, steps)}
	for i := range l.Threads {
		f.thread(i)
	}
	return c, f.ops
}

// expected is how many steps a call mostly is.
func expected(t *trace.Thread, o *trace.Op) int {
	waits := t.WaitsOf(o)
	switch {
	case o.Any:
		return int(o.Started) + 1 + len(waits)
	case o.Started == 1 && len(waits) == 1:
		return 1
	}
	n := int(o.Started)
	for i := range waits {
		if i == 0 || waits[i].Part != waits[i-1].Part+1 {
			n++
		}
	}
	return n
}

// filler puts the threads of a log in columns.
type filler struct {
	c        *Columns
	log      *trace.Log
	recorded bool      // see AsRecorded
	stepOf   [][]int32 // by thread and part; only of this thread unless threads wait for each other
	waited   []bool    // by part of this thread: a wait for all has completed it
	anyOf    []int32
	ops      []uint32 // by step: the call, by its place in its thread
}

func (f *filler) thread(at int) {
	t := &f.log.Threads[at]
	f.c.Thread(t.Rank)
	if len(f.stepOf) > 0 && len(f.log.Threads) == f.log.Head.Ranks {
		f.stepOf[at-1] = nil
	}
	f.stepOf = append(f.stepOf, make([]int32, len(t.Parts)))
	f.waited = append(f.waited[:0], make([]bool, len(t.Parts))...)
	for i := range t.Ops {
		f.call(at, t, &t.Ops[i])
		for len(f.ops) < f.c.Steps() {
			f.ops = append(f.ops, uint32(i))
		}
	}
}

// call adds a call. One that starts a single part and waits for just that is one step.
func (f *filler) call(at int, t *trace.Thread, o *trace.Op) {
	waits := t.WaitsOf(o)
	whole := o.Started == 1 && o.Waiting == 1 && int(waits[0].Thread) == at && waits[0].Part == o.First &&
		!t.Parts[o.First].Gone
	for i := o.First; i < o.First+o.Started; i++ {
		f.stepOf[at][i] = f.part(&t.Parts[i], whole)
	}
	if whole {
		f.waited[o.First] = true
		return
	}
	if !o.Any {
		f.waitAll(at, waits)
		return
	}
	f.anyOf = f.anyOf[:0]
	for _, w := range waits {
		if step, ok := f.step(at, w); ok && (int(w.Thread) != at || !f.waited[w.Part]) {
			f.anyOf = append(f.anyOf, step)
		}
	}
	f.c.WaitAny(f.anyOf, f.log.Funcs[o.Fn] != "MPI_Waitany" && f.log.Funcs[o.Fn] != "MPI_Testany")
}

// waitAll adds a step for each row of steps that a call waits for.
func (f *filler) waitAll(at int, waits []trace.Wait) {
	first, count := int32(0), int32(0)
	for _, w := range waits {
		step, ok := f.step(at, w)
		if int(w.Thread) == at {
			f.waited[w.Part] = true
		}
		switch {
		case !ok:
		case count > 0 && step == first+count:
			count++
		default:
			if count > 0 {
				f.c.Wait(first, count)
			}
			first, count = step, 1
		}
	}
	if count > 0 {
		f.c.Wait(first, count)
	}
}

// step is the step of what is waited for. What a later thread starts has none yet; a wait for it counts as over.
func (f *filler) step(at int, w trace.Wait) (int32, bool) {
	if int(w.Thread) == at {
		return f.stepOf[at][w.Part], true
	}
	f.c.limits |= threaded
	if int(w.Thread) > at || f.stepOf[w.Thread] == nil {
		return 0, false
	}
	return f.stepOf[w.Thread][w.Part], true
}

func (f *filler) part(p *trace.Part, isBlocking bool) int32 {
	switch {
	case p.Gone || p.Kind == op.Served:
		return f.c.Served()
	case p.Kind == op.Send:
		mode := p.Mode
		if f.recorded && mode == op.Standard {
			mode = op.Buffered
		}
		return f.c.Send(p.Peer, p.Tag, p.Comm, mode, isBlocking)
	case p.Kind == op.Coll:
		return f.c.Coll(p.Comm, p.Seq, p.Sync, p.Peer, p.What, isBlocking)
	}
	from, met := p.Peer, p.Matched
	if p.Wild && from >= 0 {
		from, met = op.AnySource, p.Peer
	}
	if f.recorded && p.Matched >= 0 {
		if p.Kind == op.Probe {
			return f.c.Probe(p.Matched, p.MatchedTag, p.Comm)
		}
		return f.c.Recv(p.Matched, p.MatchedTag, p.Comm, p.Matched, p.MatchedTag, isBlocking)
	}
	if p.Kind == op.Probe {
		return f.c.Probe(from, p.Tag, p.Comm)
	}
	return f.c.Recv(from, p.Tag, p.Comm, met, p.MatchedTag, isBlocking)
}

// placer finds the calls of steps.
type placer struct {
	log    *trace.Log
	starts []int32  // by thread
	ops    []uint32 // by step
}

// place is the call that a step stands for. The first steps of a call are the parts that it starts.
func (p *placer) place(step int32) Place {
	t, _ := slices.BinarySearchFunc(p.starts, step, func(start, step int32) int {
		if start <= step {
			return -1
		}
		return 1
	})
	t--
	n := p.ops[step]
	first := step
	for first > p.starts[t] && p.ops[first-1] == n {
		first--
	}
	o := &p.log.Threads[t].Ops[n]
	at := Place{Thread: t, Op: n, Part: -1}
	if k := uint32(step - first); k < o.Started {
		at.Part = int32(o.First + k)
	}
	return at
}
