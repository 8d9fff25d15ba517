package waitstate

import (
	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/op"
)

// Difference is how two messages that could meet a receive differ, as far as that matters to the receiver. A greater
// one is worse.
type Difference uint8

// Differences.
const (
	NoDifference Difference = iota
	SizesDiffer             // and the program ignores the status
	TagsDiffer              // and the program ignores the status
	TooLong                 // one fits, the other is longer than the receive has room for
	Unfit                   // one fits, the other has other datatypes
)

// Rival is a message that could meet a receive.
type Rival struct {
	*Origin
	Tag     int32
	Content Content
}

// passed is a receive or probe from any source that the strict view has passed.
type passed struct {
	tick    uint32
	ctx     op.CommID
	tag     int32
	recv    *Origin
	room    Content
	ignored bool    // the program did not take the status
	sent    Rival   // what it met
	rivals  []Rival // what it could have met instead: of each sender, the first that was not received before it
}

// challenge notes a message that a receive could have met. Of one sender's, it would have been the first (MPI-4.0,
// 3.5). It says whether the sender is new.
func (w *passed) challenge(s Rival) bool {
	for i, r := range w.rivals {
		if r.Rank == s.Rank {
			if s.TS < r.TS {
				w.rivals[i] = s
			}
			return false
		}
	}
	w.rivals = append(w.rivals, s)
	return true
}

// differ says how what could meet a receive differs: in whether it fits, and, if the program does not take the status
// which would say so, in tag or size.
func (w *passed) differ() (d Difference, one, other Rival) {
	for _, a := range append([]Rival{w.sent}, w.rivals...) {
		for _, b := range append([]Rival{w.sent}, w.rivals...) {
			if x := w.between(a, b); x > d {
				d, one, other = x, a, b
			}
		}
	}
	return d, one, other
}

func (w *passed) between(one, other Rival) Difference {
	fits, known := w.fits(one)
	if misfits, alsoKnown := w.fits(other); known && alsoKnown && fits == NoDifference && misfits != NoDifference {
		return misfits
	}
	switch {
	case !w.ignored:
	case one.Tag != other.Tag:
		return TagsDiffer
	case one.Content.Type != nil && other.Content.Type != nil && !same(one.Content, other.Content):
		return SizesDiffer
	}
	return NoDifference
}

// fits says whether a message is what the receive expects (MPI-4.0, 3.2.4 and 3.3.1), as far as that is known.
func (w *passed) fits(m Rival) (d Difference, known bool) {
	if m.Content.Type == nil || w.room.Type == nil {
		return NoDifference, false
	}
	if datatype.TooLong(m.Content.Type, m.Content.Count, w.room.Type, w.room.Count) {
		return TooLong, true
	}
	if _, ok := datatype.Compare(m.Content.Type, m.Content.Count, w.room.Type, w.room.Count); !ok {
		return Unfit, true
	}
	return NoDifference, true
}
