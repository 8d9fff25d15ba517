package agent

import (
	"maps"
	"slices"

	"unknot/internal/model/objects"
	"unknot/internal/observe/ring"

	"unknot/internal/check/messages"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// left is what could not be judged before all had come to their ends.
func (a *describer) left() message.Left {
	m := message.Left{Agent: a.id, Through: a.through()}
	if a.checks.Watch != nil && a.checks.Watch.Enabled(messages.MessageLost) {
		m.Lost = a.lost()
	}
	m.Races = a.races()
	m.History, m.Topologies = a.tracks(), a.topologies()
	return m
}

// through are the ranks that have come to MPI_Finalize and all of whose calls are known.
func (a *describer) through() op.Ranks {
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
func (a *describer) lost() (out []message.Lost) {
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

// dynamic says whether a function brings in processes from outside of MPI_COMM_WORLD (MPI-4.0, chapter 11).
func dynamic(f *mpi.Func) bool {
	return f.Class == mpi.Opaque && f.Makes(mpi.OComm) >= 0 && f.Name != "MPI_Comm_get_parent"
}

// countPassed notes a call that is not modelled.
func (a *describer) countPassed(t *thread, rec *ring.Record) {
	id, f := rec.Func, a.table.ByID(rec.Func)
	if f != nil && !dynamic(f) {
		return
	}
	p := t.rank.passed[id]
	if p == nil {
		p = &message.Passed{Rank: t.rank.World, Place: a.Place(&t.rank.Process, f, rec.Site, nil, t.Stamp)}
		objects.Set(&t.rank.passed, id, p)
	}
	p.Count++
}

// passedByName sums up what the agent's ranks called.
func (a *describer) passedByName() []message.Passed {
	sum := make(map[string]*message.Passed)
	for _, r := range a.order {
		for id, p := range r.passed {
			name := r.Unknown[id]
			if f := a.table.ByID(id); f != nil {
				name = f.Name
			}
			if name == "" {
				continue
			}
			p.Name, p.Place.Call, p.Place.State = name, name, "returned"
			message.AddPassed(sum, p)
		}
	}
	list := make([]message.Passed, 0, len(sum))
	for _, name := range slices.Sorted(maps.Keys(sum)) {
		list = append(list, *sum[name])
	}
	return list
}
