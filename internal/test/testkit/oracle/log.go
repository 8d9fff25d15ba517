package oracle

import (
	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// Log is what a recorder would keep of a run of the program, except for what only the run decides: whom its wildcards
// met, and how far it got. The n-th part of a thread is the n-th piece of that rank in a Machine.
func (p *Program) Log() *trace.Log {
	l := &trace.Log{Head: trace.Head{Ranks: len(p.Ranks)}, Funcs: []string{"MPI_Call", "MPI_Waitall", "MPI_Waitany",
		"MPI_Waitsome", "MPI_Finalize"},
		Sites: make([]trace.Site, 1)}
	for i, members := range p.Comms {
		c := trace.Comm{ID: op.CommID(i)}
		for _, r := range members {
			c.Members = append(c.Members, op.Rank(r))
		}
		l.Comms = append(l.Comms, c)
	}
	for r := range p.Ranks {
		l.Threads = append(l.Threads, p.thread(r))
	}
	return l
}

func (p *Program) thread(r int) trace.Thread {
	t := trace.Thread{Rank: op.Rank(r)}
	started := make(map[int][]uint32)
	seq := make([]uint64, len(p.Comms))
	var wild, standard uint32
	for i := range p.Ranks[r] {
		c := &p.Ranks[r][i]
		o := trace.Op{Returned: true, First: uint32(len(t.Parts)), WaitAt: uint32(len(t.Waits)),
			Blocking: !c.Nonblocking}
		switch c.Kind {
		case Waitall, Waitany, Waitsome:
			o.Fn, o.Any = uint16(c.Kind-Waitall)+1, c.Kind != Waitall
		case Collective:
			wave := p.Wave(c.Comm, int(seq[c.Comm]))
			o.Blocking = !wave.Nonblocking
			t.Parts = append(t.Parts, trace.Part{Kind: op.Coll, Comm: uint32(c.Comm), Seq: seq[c.Comm],
				Sync: wave.Gather.sync(),
				Peer: op.Rank(wave.Root), Matched: op.Unknown})
			seq[c.Comm]++
		case Talk, Probe:
		}
		for _, part := range c.Parts {
			x := part.part(c.Kind == Probe)
			switch {
			case x.Wild:
				x.Nth = wild
				wild++
			case x.Kind == op.Send && x.Mode == op.Standard:
				x.Nth = standard
				standard++
			}
			t.Parts = append(t.Parts, x)
		}
		o.Started = uint32(len(t.Parts)) - o.First
		if o.Blocking {
			for n := o.First; n < o.First+o.Started; n++ {
				t.Waits = append(t.Waits, trace.Wait{Thread: uint32(r), Part: n})
			}
		} else {
			for n := o.First; n < o.First+o.Started; n++ {
				started[c.ID] = append(started[c.ID], n)
			}
		}
		for n := range o.First {
			for _, id := range c.Requests {
				for _, s := range started[id] {
					if s == n {
						t.Waits = append(t.Waits, trace.Wait{Thread: uint32(r), Part: n})
					}
				}
			}
		}
		o.Waiting = uint32(len(t.Waits)) - o.WaitAt
		t.Ops = append(t.Ops, o)
	}
	t.Ops = append(t.Ops, trace.Op{Fn: 4, Final: true, Blocking: true, Returned: true, First: uint32(len(t.Parts)),
		WaitAt: uint32(len(t.Waits))})
	return t
}

func (p Part) part(probe bool) trace.Part {
	x := trace.Part{Kind: op.Recv, Comm: uint32(p.Comm), Peer: op.Rank(p.Peer), Tag: int32(p.Tag), Bytes: -1,
		Matched: op.Unknown, MatchedTag: int32(op.Unknown)}
	switch {
	case p.Send:
		x.Kind, x.Mode = op.Send, p.Mode
	case probe:
		x.Kind = op.Probe
	}
	x.Wild = !p.Send && p.Peer == Any
	return x
}

func (g Gather) sync() op.Sync {
	return [...]op.Sync{Barrier: op.SyncAll, Bcast: op.SyncFromRoot, Reduce: op.SyncToRoot, Scan: op.SyncLower,
		Empty: op.SyncNone}[g]
}
