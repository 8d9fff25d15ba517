package check

import (
	"regexp"
	"strconv"

	"unknot/internal/kit/symbol"
	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// Rank is a rank whose calls are looked at: its objects, and what the checks remember of it.
type Rank struct {
	*objects.Rank
	// Where says what memory an address is in, as far as that is known without the process; nil if there is nobody to
	// ask.
	Where func(at uint64) Ground
	// Lowest is where the program and its libraries begin: memory that they allocate is above; 0 if that is not known,
	// nil if there is nobody to ask.
	Lowest func() uint64
	// Declared says what a buffer of a call is declared as, by the text of the call and the debug information; nil if
	// there is nobody to ask.
	Declared func(c *Call, param int) (Written, bool)
	// Frame is where a call stands in the program's own code, as far as that is known, and Argument how an argument of
	// it is written there; nil if there is nobody to ask.
	Frame    func(site uint64) finding.Frame
	Argument func(f *mpi.Func, site uint64, i int) string
	// Innermost is where a call itself stands, in a library too; nil if there is nobody to ask.
	Innermost func(site uint64) finding.Frame
	// Trail is the call stack of a call as far as it is known, innermost first, and Passed how the arguments are
	// written that one of its frames passes to a procedure; nil if there is nobody to ask.
	Trail  func(site uint64) []finding.Frame
	Passed func(from *finding.Frame, procedure string) []string
	// Now is the present moment of its first thread, between the call made last and the one that is looked at; nil if
	// nobody follows that.
	Now func() *waitstate.Moment
	// Order is that of its threads, nil if it is not followed. Then Unfollowed may say why, as ring.DataUnfollowed has
	// it.
	Order      *Order
	Unfollowed *string
	// OwnOrder is the place of code by which the program may order its threads itself, by memory, as a loop that waits
	// for a variable does: an empty frame if only that there is such code is known. It is nil if there is nobody to ask.
	OwnOrder func() (finding.Frame, bool)

	seen   map[seenKey]*Report
	ways   map[seenKey][]*Report // by place: of each way to it
	states []any                 // what families remember of it, by the places of their slots

	// The calls below are those since the last change of the objects.
	alike, same passed
	recent      [2]*objects.Object // datatypes
	types       uint64             // changes of types that recent knows
}

// Written is what an argument of a call points to, and how the arguments are written, as far as that is certain.
type Written struct {
	symbol.Declared
	Arguments []string
}

// Argument is how argument i is written, "" if that is not known.
func (w *Written) Argument(i int) string {
	if i < 0 || i >= len(w.Arguments) {
		return ""
	}
	return w.Arguments[i]
}

var digits = regexp.MustCompile(`^[0-9]+$`)

// Agrees is false if argument i is written as another number than the call was given: then the text is that of another
// call.
func (w *Written) Agrees(c *Call, i int) bool {
	text := w.Argument(i)
	if !digits.MatchString(text) {
		return true
	}
	n, ok := c.Int(i)
	return !ok || text == strconv.FormatInt(n, 10)
}

// NewRank makes a rank of which nothing was seen yet.
func NewRank(o *objects.Rank) *Rank { return &Rank{Rank: o, seen: make(map[seenKey]*Report)} }

// Ends says how the rank ends, for a sentence that says what it has left.
func (r *Rank) Ends() string {
	if r.Sessions {
		return "ends"
	}
	return "reaches MPI_Finalize"
}

// renew forgets what is known of handles of datatypes if some have come to stand for others.
func (r *Rank) renew() {
	if r.types != r.TypeChanges {
		r.types = r.TypeChanges
		clear(r.recent[:])
	}
}

// loser is a state that follows which operations are pending.
type loser interface{ LoseTrack() }

// LoseTrack takes in that it is not known any more which operations are pending.
func (r *Rank) LoseTrack() {
	for _, x := range r.states {
		if s, follows := x.(loser); follows {
			s.LoseTrack()
		}
	}
}
