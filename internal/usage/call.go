package usage

import (
	"unknot/internal/op"
	"unknot/internal/probe/mpiapi"
)

// Call is one MPI call of a thread. The owner fills it in and may use it again for the next one.
type Call struct {
	Func   *mpiapi.Func
	Site   uint64
	Rank   *Rank
	Thread op.Thread
	Words  []uint64 // of the Enter record
	Out    []uint64 // of the Exit record; nil before
	Failed bool     // it returned an error
	// Message is what MPI says of the error with which the call failed.
	Message string
	// Nulls are the parameters that are null pointers where MPI reads or writes an object.
	Nulls []int
	// Comm is the communicator that the call names first, nil if it is not known.
	Comm *Comm
	// Requests are those that the call names, in order; nil for one that is not known.
	Requests []*Request

	watch *Watch
	kept  []uint64 // the Enter record, for functions that need it whole at exit
	held  *Held    // memory that the operation uses which it starts
}

// Int is the value of parameter i before the call. It is false for what the record does not have: arrays, strings, what is
// written only.
func (c *Call) Int(i int) (int64, bool) {
	at := c.watch.places[c.Func.ID][i]
	if at >= 0 && int(at) < len(c.Words) {
		return int64(c.Words[at]), true
	}
	if at != floating {
		return 0, false
	}
	v := c.Array(i)
	if len(v) == 0 {
		return 0, false
	}
	return int64(v[0]), true
}

// Array is what the Enter record has of parameter i: the elements of an array, of a group its handle, size and world ranks.
func (c *Call) Array(i int) []uint64 { return walk(c.Func, c.Words, true, i) }

// Gave is what the Exit record has of parameter i.
func (c *Call) Gave(i int) []uint64 { return walk(c.Func, c.Out, false, i) }

func walk(f *mpiapi.Func, words []uint64, enter bool, i int) (out []uint64) {
	_ = f.Walk(words, enter, func(p *mpiapi.Param, v []uint64) {
		if p == &f.Params[i] {
			out = v
		}
	})
	return out
}

// Places of parameters in an Enter record.
const (
	absent   = -1
	floating = -2 // behind an array
)

// placesOf computes, for each function, the word at which each parameter's value starts: a record has what has a fixed length
// first (see package mpiapi).
func placesOf(t *mpiapi.T) [][]int16 {
	all := t.Funcs()
	out := make([][]int16, len(all)+1)
	for k := range all {
		f := &all[k]
		at := int16(0)
		out[f.ID] = make([]int16, len(f.Params))
		for i := range f.Params {
			p := &f.Params[i]
			switch {
			case p.Kind == mpiapi.KGroup:
				out[f.ID][i] = floating
			case !p.Kind.AtEntry() || p.Kind.Varying():
				out[f.ID][i] = absent
			default:
				out[f.ID][i] = at
				at++
			}
		}
	}
	return out
}
