package calls

import (
	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// A plan (package plan) is forced on a run by the probes, which record what the program called all the same. So what is
// found is the program's own, except for one case: a receive from any source that the plan makes wait for a source from
// which nothing comes, while another message is there. Then the program has taken another path than the plan was made
// for.

// forcedAt is what the plan makes of the call's receive at a position; nil if it leaves it as it is.
func (t *Thread) forcedAt(position int64, comm *objects.Comm) *waitstate.Forced {
	for _, f := range t.forced {
		if f.Position != position {
			continue
		}
		forced := &waitstate.Forced{Src: comm.World(f.Source), Tag: f.Tag}
		if int64(f.Tag) == t.Rank.Objects.Limits.AnyTag {
			forced.Tag = op.AnyTag
		}
		return forced
	}
	return nil
}

// buffer makes the sends of a call buffered ones that the plan lets complete at once. The trace has what the
// program called.
func (c *call) buffer() {
	for _, position := range c.t.buffered {
		at := position // parts of the requests of MPI_Startall stand in their order, one for each
		if c.Func.Class != mpi.Startall {
			at = 0
		}
		if at >= 0 && at < int64(len(c.op.Posts)) && c.op.Posts[at].Kind == op.Send {
			c.op.Posts[at].Mode = op.Buffered
		}
	}
}

// remade gives a persistent request another handle.
func (r *Rank) remade(from, to uint64) {
	if q := r.Objects.Requests.Get(from); q != nil {
		r.Objects.Requests.Drop(from)
		r.Objects.Requests.Set(to, q)
	}
}
