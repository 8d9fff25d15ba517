package rma

import (
	"fmt"

	"unknot/internal/check"
	"unknot/internal/check/used"
	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// clash is why two accesses to the same bytes may not be under way at the same time.
type clash uint8

const (
	noClash   clash = iota
	accesses        // one changes what the other reads or changes
	operators       // accumulates of two ranks with different operators
	datatypes       // accumulates of two ranks with different datatypes
	places          // accumulates of two ranks whose elements overlap in part
	// accumulates of two ranks with different datatypes, of one size and kind on the machines of today
	likeDatatypes
	ownOperators // accumulates of one rank with different operators
	ownDatatypes // accumulates of one rank with different datatypes
	ownPlaces    // accumulates of one rank whose elements overlap in part
)

// severity is that of a report. Accumulates of one rank are made in order, datatype by datatype (MPI-4.0, 12.7.2), so
// their outcome is known in most cases. But MPI libraries may assume that there is one operator and one datatype.
func (k clash) severity() finding.Severity {
	if k >= likeDatatypes {
		return finding.Warning
	}
	return finding.Error
}

// clashOf compares two acts on the same bytes (MPI-4.0, 12.3, 12.7). Accumulates may meet if they have one predefined
// datatype with elements at the same places (12.7.1) and one operator, or MPI_NO_OP, which the info key accumulate_ops
// can rule out (12.2.1). An operator or a datatype that is not known agrees with all.
func clashOf(p, q *spot, sameOp bool) clash {
	a, b := p.act, q.act
	switch {
	case a.looks() && b.looks():
		return noClash
	case p.local && q.local: // in shared memory, what two ranks do themselves
		if p.from == q.from || !a.plain() || !b.plain() {
			return noClash
		}
		return accesses
	case p.from == q.from && (a.until > 0 && a.until <= q.nth || b.until > 0 && b.until <= p.nth):
		return noClash // one was complete before the other was made
	case p.local && !concurrent(p, q) || q.local && !concurrent(q, p):
		return noClash
	case a.manner != mpi.Updates || b.manner != mpi.Updates:
		return accesses
	}
	own := p.from == q.from
	if a.basis != nil && b.basis != nil && !a.basis.Same(b.basis) {
		switch {
		case own:
			return ownDatatypes
		case a.basis.Like(b.basis):
			return likeDatatypes
		}
		return datatypes
	}
	if apart(p, q) {
		if own {
			return ownPlaces
		}
		return places
	}
	if a.op == b.op || a.op == "" || b.op == "" || !sameOp && (a.op == check.NoOp || b.op == check.NoOp) {
		return noClash
	}
	if own {
		return ownOperators
	}
	return operators
}

// explain says what differs, for a reader who sees the sentence about p.
func (k clash) explain(p, q *spot, sameOp bool) []string {
	switch k {
	case operators, ownOperators:
		notes := []string{"here the operator is " + p.act.op}
		if k == ownOperators {
			notes = append(notes, "MPI may assume that concurrent accumulates use the same operator (info key "+
				"accumulate_ops)")
		} else if sameOp {
			notes = append(notes, "the window was created with accumulate_ops=same_op")
		}
		return notes
	case datatypes, likeDatatypes, ownDatatypes:
		notes := []string{fmt.Sprintf("here the datatype is %s, there %s", p.act.basis.Name(), q.act.basis.Name())}
		if k == ownDatatypes {
			notes = append(notes, "accumulates of one rank are ordered if they use the same predefined datatype")
		}
		return notes
	case places, ownPlaces:
		return []string{fmt.Sprintf("elements of %d bytes overlap in part: accumulates are atomic for each element, "+
			"so these must begin at the same byte", p.act.basis.Size())}
	case accesses:
		if p.act.manner == mpi.Updates && p.act.op != "" {
			return []string{"here the operator is " + p.act.op}
		}
	}
	return nil
}

// basis is the predefined datatype that an update works on, nil if it is not known.
func basis(l *used.Covering) *datatype.Type {
	if l.Datatype == nil {
		return nil
	}
	b, _ := l.Datatype.Basis()
	return b
}

// ofRank is a handle of a rank.
type ofRank struct {
	rank   *check.Rank
	handle uint64
}

// watchRules follows which info objects ask for accumulate_ops=same_op: with MPI-4.0, 12.2.1, MPI_NO_OP is then no
// exception.
func (m *windows) watchRules(h *check.Hooks) {
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		switch {
		case f.Freed == mpi.OInfo:
			return func(c *check.Call) { delete(m.sameOp, ofRank{c.Rank, c.Handle(0)}) }
		case f.Name == "MPI_Info_set":
			return func(c *check.Call) {
				if check.KeyText(c, 1) == "accumulate_ops" {
					m.sameOp[ofRank{c.Rank, c.Handle(0)}] = check.KeyText(c, 2) == "same_op"
				}
			}
		case f.Name == "MPI_Info_delete":
			return func(c *check.Call) {
				if check.KeyText(c, 1) == "accumulate_ops" {
					delete(m.sameOp, ofRank{c.Rank, c.Handle(0)})
				}
			}
		}
		return nil
	})
}
