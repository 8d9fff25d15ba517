package rma

import (
	"testing"

	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

func TestCallsUnderLocksAreUnorderedOnlyIfNeitherCanKnowOfTheOther(t *testing.T) {
	shared := func(from, to uint64, fresh bool) hold { return hold{from: from, to: to, fresh: fresh, shared: true} }
	exclusive := shared(1, 1, true)
	exclusive.shared = false
	for name, c := range map[string]struct {
		a, b hold
		want order
	}{
		"both know nothing in one round":              {shared(1, 1, true), shared(1, 1, true), unlikely},
		"one has learned something":                   {shared(1, 1, true), shared(1, 1, false), possible},
		"complete before the barrier":                 {shared(1, 1, true), shared(2, 2, true), possible},
		"complete in the round of the other":          {shared(1, 2, false), shared(2, 2, true), unlikely},
		"complete in that round, and the other knows": {shared(1, 2, true), shared(2, 2, false), possible},
		"complete in a later round":                   {shared(1, 3, false), shared(2, 2, false), never},
		"both over the barrier, in one round":         {shared(1, 2, false), shared(1, 2, false), never},
		"an exclusive lock":                           {shared(1, 1, true), exclusive, possible},
		"nothing is known":                            {shared(1, 1, true), hold{shared: true, fresh: true}, possible},
	} {
		if one, two := unordered(&c.a, &c.b), unordered(&c.b, &c.a); one != c.want || two != c.want {
			t.Errorf("%s: %v and %v, want %v", name, one, two, c.want)
		}
	}
}

func TestClashesOfAccumulatesAreErrorsIfTheyCannotBeInOrder(t *testing.T) {
	basic := func(name string, size int64) *datatype.Type {
		b, err := datatype.Predefined(name, size, size, size)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	number, long, int64s := basic("MPI_INT", 4), basic("MPI_LONG", 8), basic("MPI_INT64_T", 8)
	update := func(from op.Rank, op string, basis *datatype.Type) *spot {
		return &spot{from: from, act: &act{manner: mpi.Updates, op: op, basis: basis}}
	}
	sum := update(1, "MPI_SUM", long)
	for name, c := range map[string]struct {
		p      *spot
		sameOp bool
		want   clash
		level  finding.Severity
	}{
		"the same":                       {update(2, "MPI_SUM", long), true, noClash, ""},
		"another operator":               {update(2, "MPI_PROD", long), false, operators, finding.Error},
		"another operator of this rank":  {update(1, "MPI_PROD", long), false, ownOperators, finding.Warning},
		"another type":                   {update(2, "MPI_SUM", number), false, datatypes, finding.Error},
		"another type of this rank":      {update(1, "MPI_SUM", number), false, ownDatatypes, finding.Warning},
		"another name of the type":       {update(2, "MPI_SUM", int64s), false, likeDatatypes, finding.Warning},
		"no operation":                   {update(2, "MPI_NO_OP", long), false, noClash, ""},
		"no operation with one operator": {update(2, "MPI_NO_OP", long), true, operators, finding.Error},
		"a swap":                         {update(2, "", long), true, noClash, ""},
		"a type that is not known":       {update(2, "MPI_SUM", nil), false, noClash, ""},
		"a put": {&spot{from: 2, act: &act{manner: mpi.Writes}}, false, accesses,
			finding.Error},
		"a get of this rank": {&spot{from: 1, act: &act{manner: mpi.Reads}}, false, accesses,
			finding.Error},
	} {
		got := clashOf(c.p, sum, c.sameOp)
		if got != c.want || got != noClash && got.severity() != c.level {
			t.Errorf("%s: %d (%s), want %d (%s)", name, got, got.severity(), c.want, c.level)
		}
		if back := clashOf(sum, c.p, c.sameOp); back != got {
			t.Errorf("%s: %d, and %d the other way round", name, got, back)
		}
	}
}

// What is remembered of a round is, until all ranks have come to its end: one whose log has not been read is to come to
// the first.
func TestRoundsAreRememberedUntilAllRanksAreThrough(t *testing.T) {
	r := newRoom(t, 3)
	const rounds = 200
	through := func(rank op.Rank) *knowledge {
		p := r.far.knowledge(r.far.ranks[rank])
		p.world = 3
		for p.round < rounds {
			p.round++
			r.far.begun(p, r.far.ranks[rank])
		}
		return p
	}
	ahead := through(1)
	if through(0); r.far.touched(r.far.ranks[1], 1, written) {
		t.Error("the first round is forgotten, though a rank has not begun it")
	}
	through(2)
	for range 2 { // so that there are many again
		for range rounds {
			ahead.round++
			r.far.begun(ahead, r.far.ranks[1])
		}
	}
	if !r.far.touched(r.far.ranks[1], 1, written) {
		t.Error("the first round is remembered for ever")
	}
}
