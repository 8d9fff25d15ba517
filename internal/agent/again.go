package agent

import (
	"unknot/internal/check"
	"unknot/internal/model/objects"
	"unknot/internal/observe/decode"
	"unknot/internal/observe/ring"
	"unknot/internal/vocab/mpi"
)

// Programs make a datatype or an operator for each message or reduction, and free it after that. The probe tells a
// making that it has recorded twice by a number (csrc/writer/again.c). What the calls were given was judged then, and
// it is the same: the old datatype is predefined.

// again is such a making.
type again struct {
	object  *objects.Again
	commits uint64          // the call site of what commits the object; 0 if nothing does
	reports []*check.Report // of wrong uses that its calls were each time
}

// mostAgain bounds the numbers that a rank can give: what stands in a ring may be damaged.
const mostAgain = 1 << 12

// known takes in that a way to make an object has a number.
func (a *follower) known(r *rank, site uint64, k decode.Known) {
	f := a.table.ByID(k.Func)
	if f == nil || k.Number >= mostAgain {
		return
	}
	kind := mpi.OType
	if f.Class == mpi.OpMake {
		kind = mpi.OOp
	}
	for uint64(len(r.agains)) <= k.Number {
		r.agains = append(r.agains, nil)
	}
	r.agains[k.Number] = nil
	if object := r.Objects.Known(kind, k.Handle); object != nil {
		r.agains[k.Number] = &again{object, site, r.use.At(object.Made().Site, site)}
	}
}

// calls are those that a record of it stands for, freed says whether something was freed before; each is called with
// its site.
func (x *again) calls(freed bool, site uint64, do func(site uint64)) {
	if freed {
		do(site)
	}
	do(x.object.Made().Site)
	if x.commits != 0 {
		do(x.commits)
	}
}

// again is the making of a record, nil if it is not known.
func (r *rank) again(number uint64) *again {
	if number >= uint64(len(r.agains)) {
		return nil
	}
	return r.agains[number]
}

// remake takes in that an object was made again.
func (a *follower) remake(t *thread, site uint64, d decode.Again) {
	r := t.rank
	x := r.again(d.Number)
	if x == nil {
		r.untold = true // what the handle stands for
		return
	}
	by := objects.Made{Func: a.table.ByID(d.Func), Site: site}
	x.calls(by.Func != nil, site, func(site uint64) {
		a.calls++
		a.remade++
		t.calls++
		t.visits.add(visitedAt(by.Func, site), 1)
	})
	x.object.Make(d.Freed, by, t.stamp)
	for _, report := range x.reports {
		report.Count++
	}
}

// again takes in a record of the period by which an object was made again.
func (l *lesson) again(r *rank, rec *ring.Record) {
	d := decode.ReadAgain(rec.Words)
	x := r.again(d.Number)
	if x == nil {
		l.barred = true
		return
	}
	x.calls(d.Func != 0, rec.Site, func(site uint64) {
		l.calls++
		l.sites[site]++
	})
}
