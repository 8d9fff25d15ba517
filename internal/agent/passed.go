package agent

import (
	"fmt"
	"slices"
	"strings"

	"unknot/internal/finding"
	"unknot/internal/mpi"
	"unknot/internal/op"
)

// passedCalls counts the calls of one function that unknot let through without knowing what they do.
type passedCalls struct {
	name  string
	count uint64
	rank  op.Rank // the lowest that made one
	place finding.Place
}

// dynamic says whether a function brings in processes from outside of MPI_COMM_WORLD (MPI-4.0, chapter 11).
func dynamic(f *mpi.Func) bool {
	return f.Class == mpi.Opaque && f.Makes(mpi.OComm) >= 0 && f.Name != "MPI_Comm_get_parent"
}

// countPassed notes a call that is not modelled.
func (a *Agent) countPassed(t *thread, id uint16, f *mpi.Func, site uint64) {
	if f != nil && !dynamic(f) {
		return
	}
	p := t.rank.passed[id]
	if p == nil {
		p = &passedCalls{rank: t.rank.world, place: a.place(t.rank, f, site, nil, t.stamp)}
		t.rank.passed[id] = p
	}
	p.count++
}

// passedByName sums up what the agent's ranks called.
func (a *Agent) passedByName() map[string]*passedCalls {
	sum := make(map[string]*passedCalls)
	for _, r := range a.order {
		for id, p := range r.passed {
			name := r.unknown[id]
			if f := a.table.ByID(id); f != nil {
				name = f.Name
			}
			if name == "" {
				continue
			}
			p.name, p.place.Call, p.place.State = name, name, "returned"
			addPassed(sum, p)
		}
	}
	return sum
}

func addPassed(sum map[string]*passedCalls, p *passedCalls) {
	e := sum[p.name]
	if e == nil {
		q := *p
		sum[p.name] = &q
		return
	}
	e.count += p.count
	if p.rank < e.rank {
		e.rank, e.place = p.rank, p.place
	}
}

// tellPassed reports, once a run, which functions were passed through.
func (r *root) tellPassed() {
	if len(r.passed) == 0 {
		return
	}
	var list []*passedCalls
	for _, p := range r.passed {
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b *passedCalls) int { return strings.Compare(a.name, b.name) })
	f := finding.Finding{Code: finding.NotModelled, Severity: finding.Info, Standing: finding.Manifest,
		Hint: "deadlocks that involve these calls are not detected; everything else is watched as usual"}
	var names []string
	for _, p := range list {
		calls := "calls"
		if p.count == 1 {
			calls = "call"
		}
		names = append(names, fmt.Sprintf("%s (%d %s)", p.name, p.count, calls))
		f.Places = append(f.Places, p.place)
		f.Ranks = append(f.Ranks, int(p.rank))
	}
	slices.Sort(f.Ranks)
	f.Ranks = slices.Compact(f.Ranks)
	f.Sentence = fmt.Sprintf("The program calls functions that unknot passes through without modelling them: %s.", finding.JoinAnd(names))
	r.tell(f)
}
