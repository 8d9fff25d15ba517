package objects

import (
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// Call is one MPI call of a thread. The owner fills it in and may use it again for the next one.
type Call struct {
	Func   *mpi.Func
	Site   uint64
	Rank   *Rank
	Thread op.Thread
	Stamp  uint32   // of the Enter record: a call with a later one began later
	Words  []uint64 // of the Enter record
	Out    []uint64 // of the Exit record; nil before
	Failed bool     // it returned an error
	// Comm is the communicator that the call names first, nil if it is not known.
	Comm *Comm
	// Requests are those that the call names, in order; nil for one that is not known.
	Requests []*Request
	// Handles are those of Requests.
	Handles []uint64

	places []int16  // of the function's parameters
	freed  *Object  // by this call
	kept   []uint64 // the Enter record, for functions that need it whole at exit
}

// By is the call as that which makes or frees an object.
func (c *Call) By() Made { return Made{c.Func, c.Site} }

// Handle is the handle that parameter i names, 0 if the record does not have it.
func (c *Call) Handle(i int) uint64 {
	v, _ := c.Int(i)
	return uint64(v)
}

// Int is the value of parameter i before the call: of a group its handle. It is false for what the record does not
// have: arrays, strings, what is written only.
func (c *Call) Int(i int) (int64, bool) {
	at := c.places[i]
	if at >= 0 && int(at) < len(c.Words) {
		return int64(c.Words[at]), true
	}
	if c.Func.Params[i].Kind == mpi.KGroup {
		if v := c.Array(i); len(v) > 0 {
			return int64(v[0]), true
		}
	}
	return 0, false
}

// Array is what the Enter record has of parameter i: the elements of an array, of a group its handle, size and world
// ranks.
func (c *Call) Array(i int) []uint64 { return walk(c.Func, c.Words, true, i) }

// Gave is what the Exit record has of parameter i.
func (c *Call) Gave(i int) []uint64 { return walk(c.Func, c.Out, false, i) }

func walk(f *mpi.Func, words []uint64, enter bool, i int) (out []uint64) {
	_ = f.Walk(words, enter, func(p *mpi.Param, v []uint64) {
		if p == &f.Params[i] {
			out = v
		}
	})
	return out
}

// placesOf computes, for each function, the word of an Enter record at which each parameter's value stands; -1 if
// it has none there.
func placesOf(t *mpi.T) [][]int16 {
	all := t.Funcs()
	out := make([][]int16, len(all)+1)
	for k := range all {
		f := &all[k]
		out[f.ID] = make([]int16, len(f.Params))
		for i := range f.Params {
			out[f.ID][i] = int16(f.EnterPlace(i))
		}
	}
	return out
}
