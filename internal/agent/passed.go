package agent

import (
	"maps"
	"slices"

	"unknot/internal/model/objects"
	"unknot/internal/observe/ring"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
)

// dynamic says whether a function brings in processes from outside of MPI_COMM_WORLD (MPI-4.0, chapter 11).
func dynamic(f *mpi.Func) bool {
	return f.Class == mpi.Opaque && f.Makes(mpi.OComm) >= 0 && f.Name != "MPI_Comm_get_parent"
}

// countPassed notes a call that is not modelled.
func (a *Agent) countPassed(t *thread, rec *ring.Record) {
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
func (a *Agent) passedByName() []message.Passed {
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
