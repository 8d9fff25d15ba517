package judge

import (
	"slices"

	"unknot/internal/model/waitstate"
	"unknot/internal/observe/record"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// end has threads in MPI_Finalize count as able to continue if all ranks are in it and have left nothing open, so that
// MPI must complete it (MPI-4.0, 11.2.2).
func (j *Job) end() {
	if j.entries == nil || len(j.threads) != j.size {
		return
	}
	for _, n := range j.threads {
		if n.call == nil || n.call.Func.Class != mpi.Finalize || !j.leavesNothing(n.rank.Record) {
			return
		}
	}
	for _, n := range j.threads {
		n.parts = []part{{kind: waitstate.NeedMembers, sync: op.SyncAll, ctx: world, peer: op.Unknown, root: op.Unknown,
			known: true, met: true, members: j.size}}
		n.met = true
	}
}

// leavesNothing says whether a rank has no open request, and all that it has sent was received.
func (j *Job) leavesNothing(r *record.Rank) bool {
	open := func(q record.Request) bool { return q.Active && !q.Complete }
	if r.Lost != (record.Lost{}) || slices.ContainsFunc(r.Requests, open) {
		return false
	}
	for _, c := range r.Channels {
		i := slices.IndexFunc(r.Comms, func(e record.Comm) bool { return e.Serial == c.Comm })
		if i < 0 || r.Comms[i].Kind == record.Window {
			continue
		}
		comm := &r.Comms[i]
		group := peers(comm)
		if c.Peer < 0 || int(c.Peer) >= len(group) {
			return false
		}
		e, ok := j.entries[comm.Identity][op.Rank(group[c.Peer])]
		if !ok {
			return false
		}
		if got, known := e.rank.Channel(e.comm.Serial, int32(comm.Rank), c.Tag); !known || got.Received != c.Sent {
			return false
		}
	}
	return true
}
