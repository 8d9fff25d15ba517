package agent

import (
	"slices"

	"unknot/internal/check/messages"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// left is what could not be judged before all had come to their ends.
func (a *Agent) left() message.Left {
	m := message.Left{Agent: a.id, Through: a.through()}
	if a.checks.Watch != nil && a.checks.Watch.Enabled(messages.MessageLost) {
		m.Lost = a.lost()
	}
	m.Races = a.races()
	m.History, m.Topologies = a.tracks(), a.topologies()
	return m
}

// through are the ranks that have come to MPI_Finalize and all of whose calls are known.
func (a *Agent) through() op.Ranks {
	if a.follow.NoRoom != nil && a.follow.NoRoom() {
		return op.Ranks{}
	}
	var list []op.Rank
	for _, r := range a.order {
		ended := slices.ContainsFunc(r.threads, func(t *thread) bool { return t.Op != nil && t.Op.Terminal })
		if ended && !r.Unmodelled && !r.Lost && !r.Failed && !r.Callbacks && len(r.Unknown) == 0 {
			list = append(list, r.World)
		}
	}
	return op.RanksOf(list...)
}

// lost are messages to this agent's ranks that nobody has received, by receiver; of those that one call has sent, the
// first stands for the others.
func (a *Agent) lost() (out []message.Lost) {
	known := make(map[message.SentAt]int)
	for _, m := range a.node.Unreceived() {
		if f := a.table.ByID(m.Origin.Fn); f != nil && sends(f) {
			out = message.AddLost(known, out, message.Lost{Send: m.Origin, Src: m.Src, Dst: m.Dst, Ctx: m.Ctx,
				Tag: m.Tag, Bytes: m.Bytes, Count: 1})
		}
	}
	return out
}

// sends says whether a call sends messages of the program, rather than what the model needs for windows and the like.
func sends(f *mpi.Func) bool {
	switch f.Class {
	case mpi.Send, mpi.Isend, mpi.Sendrecv, mpi.Isendrecv, mpi.Start, mpi.Startall:
		return true
	}
	return false
}
