package used

import (
	"unknot/internal/check"
	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/mpi"
)

// Covering is the bytes that a count of a datatype covers.
type Covering struct {
	From, To int64 // from the first to the one behind the last, relative to the address
	Datatype *datatype.Type
	Count    int64
}

// Covers says which bytes a count of a datatype covers. It is false if that is not known.
func Covers(r *check.Rank, datatype uint64, count int64) (l Covering, ok bool) {
	if count == 0 {
		return Covering{}, true
	}
	o := r.Object(mpi.OType, datatype)
	if o == nil || o.Type == nil || o.Type.Absolute() || count < 0 || count > 1<<40 {
		return Covering{}, false
	}
	l.Datatype, l.Count = o.Type, count
	l.From, l.To = o.Type.Bounds(count)
	return l, true
}

// None says that nothing is covered.
func (l *Covering) None() bool { return l.From == l.To }

// Meets says whether two layouts at addresses share a byte for certain.
func (l *Covering) Meets(at int64, m *Covering, mat int64) bool {
	if at+l.From >= mat+m.To || mat+m.From >= at+l.To {
		return false
	}
	yes, sure := l.Datatype.Overlaps(l.Count, at, m.Datatype, m.Count, mat)
	return yes && sure
}
