package message

import (
	"time"

	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/op"
)

// Key names a thread at one of its operations.
type Key struct {
	Rank   op.Rank
	Thread op.Thread
	TS     uint64
	Strict bool // the operation at the strict position, else the current one
	Call   bool // a call that may be long past
	Asleep bool // no call: the thread sleeps outside of MPI
}

// Keys names threads of several ranks that differ in nothing else: that of Key, and those of Ranks.
type Keys struct {
	Key   Key
	Ranks op.Ranks
}

// Has says whether a thread is among those of Ranks.
func (s *Keys) Has(k Key) bool {
	r := k.Rank
	k.Rank = s.Key.Rank
	return k == s.Key && s.Ranks.Has(r)
}

// FoldKeys names threads in ascending order.
func FoldKeys(keys []Key) []Keys {
	ranks := make(map[Key][]op.Rank)
	var kinds []Key
	for _, k := range keys {
		r := k.Rank
		k.Rank = 0
		if ranks[k] == nil {
			kinds = append(kinds, k)
		}
		ranks[k] = append(ranks[k], r)
	}
	var out []Keys
	for _, k := range kinds {
		out = append(out, Keys{k, op.RanksOf(ranks[k]...)})
	}
	return out
}

// CallKey names a call by what its agent knows it by.
func CallKey(o *waitstate.Origin) Key {
	return Key{Rank: o.Rank, Thread: o.Thread, TS: o.TS, Call: true}
}

// CompareKeys orders keys by rank and thread.
func CompareKeys(a, b Key) int {
	if a.Rank != b.Rank {
		return int(a.Rank) - int(b.Rank)
	}
	return int(a.Thread) - int(b.Thread)
}

// State is where a thread stands in the real view.
type State uint8

// States.
const (
	Running  State = iota // outside of MPI, or in a call that will return
	Blocked               // in a call that waits for something
	Polling               // repeats unsuccessful polls, for longer than the time allowed
	Finished              // in MPI_Finalize, or past it
	Dead                  // its process ended before MPI_Finalize returned
	Asleep                // outside of MPI, until another thread of its rank wakes it
	// in the MPI_Session_finalize of the only session, and does not return: what it could still do is to begin another
	// one
	Leaving
)

// Valid says whether s is one of these.
func (s State) Valid() bool { return s <= Leaving }

// Wait is what one thread waits for, in both views.
type Wait struct {
	Rank     op.Rank
	Thread   op.Thread
	State    State
	Evidence bool // it has had processor time in the call, or sleeps, and did not get further
	// Inside says of one that is Running that it is in a call of which the model does not know what it waits for.
	Inside bool
	// Since is the first round that found it blocked in this call, and Shown the last one after which it has had
	// processor time there, or sleeps; 0 for none.
	Since, Shown int
	// Early says that it has polled for less than the time after which that is a livelock: it is one if nobody is left
	// who could end it.
	Early bool
	// it makes a communicator of a group alone, which others may come to make in a session that they have not begun yet
	Begins    bool
	Real      waitstate.Wait
	HasStrict bool
	Stranded  *Stranded // nil if it is not
	Lag       int       // operations by which the strict view is behind the run
	Strict    waitstate.Wait
}

// Key names the thread where it stands in the real view, or in the strict one.
func (w *Wait) Key(strict bool) Key {
	k := Key{Rank: w.Rank, Thread: w.Thread, Strict: strict, TS: w.Real.TS, Asleep: w.State == Asleep && !strict}
	if strict {
		k.TS = w.Strict.TS
	}
	return k
}

// Stranded is the call of a stranded thread.
type Stranded struct {
	Scope  Scope
	Rank   op.Rank
	Moment uint64
	Spare  time.Duration // for which it has been there longer than it takes without data
	Bytes  int64         // that it may have to move
}

// Carrying is how long MPI may take to carry so many bytes over, on a slow network.
func Carrying(n int64) time.Duration {
	const bytesPerSecond = 50e6
	return time.Duration(float64(n) / bytesPerSecond * float64(time.Second))
}
