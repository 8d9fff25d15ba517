package threads

import (
	"slices"

	"unknot/internal/check"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// found is what a thread has probed for and not received yet.
type found struct {
	comm        *objects.Comm
	source, tag int64
	made        objects.Made
	received    bool         // the call that receives it has begun
	by          objects.Made // that call
	rivals      []*found     // those of other threads at the same time
	earlier     []*taken     // what other threads have received before, though nothing has ordered that
	thread      op.Thread
}

// probing are those of a rank, by thread.
type probing map[op.Thread]*found

// maxRivals bounds what is remembered of a probe.
const maxRivals = 16

// watchThreadProbes looks for two threads that probe for the same message and then receive it: a probe leaves the
// message where it is, so the other thread may receive it first (MPI-4.0, 3.8.1 and 3.8.2). A lock around each probe
// and its receive keeps them apart, and so does another source, tag or communicator.
func watchThreadProbes(h *check.Hooks) {
	ranks := check.SlotOf[probing](h)
	orders := watchOrder(h)
	begin := func(c *check.Call) {
		p, threads := newFound(c), ranks.Of(c.Rank)
		if p == nil {
			return
		}
		if *threads == nil {
			*threads = make(probing)
		}
		for t, other := range *threads {
			if t != c.Thread && (!other.received || receives(c, t, other)) && meets(c.Rank, other, p) &&
				len(other.rivals) < maxRivals && len(p.rivals) < maxRivals {
				other.rivals, p.rivals = append(other.rivals, p), append(p.rivals, other)
			}
		}
		(*threads)[c.Thread] = p
		p.earlier = orders.Of(c.Rank).begin(c, p)
	}
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		switch f.Class {
		case mpi.Probe:
			return begin
		case mpi.Iprobe, mpi.Mprobe, mpi.Improbe:
			return func(c *check.Call) {
				if t := ranks.Had(c.Rank); t != nil {
					delete(*t, c.Thread)
				}
			}
		case mpi.Recv, mpi.Irecv:
			return func(c *check.Call) {
				if t := ranks.Had(c.Rank); t != nil {
					receive(c, (*t)[c.Thread], orders.Of(c.Rank))
				}
			}
		}
		return nil
	})
	h.Exit(func(f *mpi.Func) func(*check.Call) {
		if f.Class != mpi.Iprobe {
			return nil
		}
		flag := f.Named("flag")
		return func(c *check.Call) {
			if v := c.Gave(flag); !c.Failed && len(v) > 0 && v[0] != 0 {
				begin(c)
			}
		}
	})
}

// receives says that a probe begins while another thread is certainly still in the call that receives what that has
// probed for.
func receives(c *check.Call, t op.Thread, other *found) bool {
	return c.Func.Class == mpi.Probe && slices.ContainsFunc(c.Beside, func(b check.Thread) bool {
		return b.Index == t && b.Func == other.by.Func && b.Site == other.by.Site
	})
}

func newFound(c *check.Call) *found {
	source, ok := c.Int(c.Func.Named("source"))
	tag, known := c.Int(c.Func.Named("tag"))
	if !ok || !known || c.Comm == nil {
		return nil
	}
	return &found{comm: c.Comm, source: source, tag: tag, made: c.By(), thread: c.Thread}
}

// meets says whether the two may be about the same message.
func meets(r *check.Rank, a, b *found) bool {
	l := &r.Limits
	return a.comm == b.comm && same(a.source, b.source, l.AnySource) && same(a.tag, b.tag, l.AnyTag)
}

const probeHint = "use MPI_Mprobe and MPI_Mrecv: a matched probe takes the message out, so that no other thread " +
	"receives it"

// receive takes in that a thread receives what it has probed for, and reports that another one has done so at the same
// time.
func receive(c *check.Call, p *found, o *order) {
	x := newFound(c)
	if p == nil || p.received || x == nil || !meets(c.Rank, x, p) {
		return
	}
	p.received, p.by = true, c.By()
	o.takes(c, p)
	for _, other := range p.rivals {
		if !other.received {
			continue
		}
		o.overlaps()
		c.Say(threadProbe, -1, func() check.Words {
			return check.Words{
				Sentence: finding.Wordf("Rank %d calls %s in thread %d for a message that it has probed for, while "+
					"its thread %d has probed for the same source and tag: each of the two may receive the message "+
					"that the other one has found.",
					c.Rank.World, c.Func.Name, c.Thread, other.thread),
				Hint: probeHint,
				Related: []check.Related{{Text: "this thread has probed", Func: p.made.Func, Site: p.made.Site},
					{Text: "the other thread has", Func: other.made.Func, Site: other.made.Site}},
			}
		})
		break
	}
	p.rivals = nil
}
