package waitstate

import (
	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/op"
)

// Content is what a send carries, or what a receive has room for.
type Content = datatype.Content

// Misfit is a message that is not what its receive expects (MPI-4.0, 3.2.4 and 3.3.1), or that was sent too early for
// it.
type Misfit struct {
	Ctx        op.CommID
	Tag        int32
	Send, Recv Calls
	Sent, Room Content
	// Of a receive from any source that has not returned: the ranks whose messages are too long, too, and those whose
	// messages fit.
	Long, Fit []op.Rank
	Early     bool // a ready send was started before the receive was posted
}

// misfitKey is what makes two misfits the same: who sends where, who receives where.
type misfitKey struct {
	from, to   op.Rank
	send, recv uint64
	early      bool
}

// Matched is the message that a receive has matched whose caller asked for it.
type Matched struct {
	Recv  *Origin
	Bytes int64 // -1 if that is not known
}

// Pair is a call that receives and the one whose message it has met.
type Pair struct{ Recv, Send *Origin }

// same says whether two contents have the same signature. Where MPI_PACKED is among them only sizes can be compared.
func same(a, b Content) bool {
	if a == b {
		return true
	}
	if datatype.Truncated(a.Type, a.Count, b.Type, b.Count) || datatype.Truncated(b.Type, b.Count, a.Type, a.Count) {
		return false
	}
	_, ok := datatype.Compare(a.Type, a.Count, b.Type, b.Count)
	return ok
}

// Taking is the receive of a message that a matched probe has taken out of its queue (MPI-4.0, 3.8.2). What the message
// carries is known when the probe meets it, and what the program has room for when it receives it, in any order.
type Taking struct {
	sent Content
	from Calls // none until the probe has met the message
	room Content
	by   *Origin // nil until the program receives it
}
