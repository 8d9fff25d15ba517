package usage

import (
	"unknot/internal/datatype"
	"unknot/internal/mpi"
)

// covering is the bytes that a count of a datatype covers.
type covering struct {
	from, to int64 // from the first to the one behind the last, relative to the address
	datatype *datatype.Type
	count    int64
}

// covers says which bytes a count of a datatype covers. It is false if that is not known.
func (r *Rank) covers(datatype uint64, count int64) (l covering, ok bool) {
	if count == 0 {
		return covering{}, true
	}
	o := r.Object(mpi.OType, datatype)
	if o == nil || o.Type == nil || o.Type.Absolute() || count < 0 || count > 1<<40 {
		return covering{}, false
	}
	l.datatype, l.count = o.Type, count
	l.from, l.to = o.Type.Bounds(count)
	return l, true
}

// none says that nothing is covered.
func (l *covering) none() bool { return l.from == l.to }

// meets says whether two layouts at addresses share a byte for certain.
func (l *covering) meets(at int64, m *covering, mat int64) bool {
	if at+l.from >= mat+m.to || mat+m.from >= at+l.to {
		return false
	}
	yes, sure := l.datatype.Overlaps(l.count, at, m.datatype, m.count, mat)
	return yes && sure
}
