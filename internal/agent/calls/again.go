package calls

import (
	"unknot/internal/model/objects"
	"unknot/internal/observe/decode"
	"unknot/internal/vocab/mpi"
)

// Programs make a datatype or an operator for each message or reduction, and free it after that. The probe tells a
// making that it has recorded twice by a number (csrc/writer/again.c). What the calls were given was judged then, and
// it is the same: the old datatype is predefined.

// mostAgain bounds the numbers that a rank can give: what stands in a ring may be damaged.
const mostAgain = 1 << 12

// known takes in that a way to make an object has a number.
func (a *Follower) known(t *Thread, site uint64, k decode.Known) {
	r := t.Rank
	f := a.Table.ByID(k.Func)
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
		r.agains[k.Number] = &Again{object, site}
		t.See.Numbered(k.Number, object.Made().Site, site)
	}
}

// Calls are those that a record of it stands for, freed says whether something was freed before; each is called with
// its site.
func (x *Again) Calls(freed bool, site uint64, do func(site uint64)) {
	if freed {
		do(site)
	}
	do(x.object.Made().Site)
	if x.commits != 0 {
		do(x.commits)
	}
}

// Again is the making of a record, nil if it is not known.
func (r *Rank) Again(number uint64) *Again {
	if number >= uint64(len(r.agains)) {
		return nil
	}
	return r.agains[number]
}

// remake takes in that an object was made again.
func (a *Follower) remake(t *Thread, site uint64, d decode.Again) {
	r := t.Rank
	x := r.Again(d.Number)
	if x == nil {
		r.Unmodelled = true // what the handle stands for
		return
	}
	by := objects.Made{Func: a.Table.ByID(d.Func), Site: site}
	x.Calls(by.Func != nil, site, func(site uint64) {
		a.Calls++
		a.Remade++
		t.Calls++
		t.Visits.Add(VisitedAt(by.Func, site), 1)
	})
	x.object.Make(d.Freed, by, t.Stamp)
	t.See.Remade(d.Number)
}
