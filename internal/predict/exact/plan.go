package exact

import (
	"cmp"
	"slices"

	"unknot/internal/trace"
	"unknot/internal/vocab/op"
	"unknot/internal/vocab/plan"
)

// Of is the stuck call of a thread; nil if it is not stuck.
func (d *Deadlock) Of(thread uint32) *Stuck {
	i, ok := slices.BinarySearchFunc(d.Stuck, thread, func(s Stuck, t uint32) int { return cmp.Compare(s.Thread, t) })
	if !ok {
		return nil
	}
	return &d.Stuck[i]
}

// Held are those of Unbuffered that the core waits for, each once: the deadlock is there whether MPI buffers the others
// or not.
func (d *Deadlock) Held() []Ref { return d.ofCore(d.Unbuffered) }

// Together are those of Synchronising that the core waits for.
func (d *Deadlock) Together() []Ref { return d.ofCore(d.Synchronising) }

func (d *Deadlock) ofCore(among []Ref) []Ref {
	if len(among) == 0 {
		return nil
	}
	var held []Ref
	for _, s := range d.Stuck {
		if !slices.Contains(d.Core, s.Thread) {
			continue
		}
		for _, w := range s.Waits {
			if slices.Contains(among, w.Part) && !slices.Contains(held, w.Part) {
				held = append(held, w.Part)
			}
		}
	}
	return held
}

// Plan is what forces a deadlock on the program: each receive and probe with MPI_ANY_SOURCE that meets a message before
// the end gets its source (its rank in the communicator of the call), and the sends that must not be buffered are
// synchronous.
func (d *Deadlock) Plan(l *trace.Log) plan.Plan {
	p := plan.Plan{Ranks: l.Head.Ranks}
	for _, m := range d.Matches {
		recv, send := m.Recv.part(l), m.Send.part(l)
		if !recv.Wild {
			continue
		}
		t, from := &l.Threads[m.Recv.Thread], l.Threads[m.Send.Thread].Rank
		x := plan.Decision{Rank: t.Rank, Thread: t.Index, Nth: recv.Nth,
			Source: int32(slices.Index(l.Comms[recv.Comm].Peers(t.Rank), from)), Tag: -1}
		if recv.Tag == op.AnyTag {
			x.Tag = send.Tag
		}
		p.Decisions = append(p.Decisions, x)
	}
	for _, r := range d.Held() {
		t := &l.Threads[r.Thread]
		p.Sends = append(p.Sends, plan.Send{Rank: t.Rank, Thread: t.Index, Nth: r.part(l).Nth})
	}
	p.Sort()
	return p
}
