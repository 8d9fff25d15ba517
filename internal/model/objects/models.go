package objects

import (
	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/mpi"
)

// Models are those of derived datatypes that ranks have made before, by the arguments of the call. Programs make and
// free the same datatype around each message, and to work out how it lies in memory takes longer than all else about
// it. Ranks that share models are compared faster.
type Models map[making]*model

// making is a call that makes a datatype: its arguments, except for the handles of the old ones, for which their models
// stand.
type making struct {
	fn   uint16
	n    uint8
	args [14]uint64
	old  [3]*datatype.Type
}

// model is what such calls make. What is worked out of it later is kept with it.
type model struct {
	likeness uint64
	t        *datatype.Type // nil if something about it is not known
	layout   Layout
}

// mostModels bounds the models that are kept; with one more, all are made anew.
const mostModels = 1 << 10

// of is the model of the datatype that a call has made.
func (m Models) of(c *Call) *model {
	key, ok := makingOf(c)
	if !ok || m == nil {
		return &model{likeness: c.Rank.likeness(), t: typeMade(c)}
	}
	known := m[key]
	if known == nil {
		if len(m) == mostModels {
			clear(m)
		}
		known = &model{likeness: c.Rank.likeness(), t: typeMade(c)}
		m[key] = known
	}
	return known
}

// makingOf says what a call makes a datatype of; false if that has too many arguments, or too many old datatypes.
func makingOf(c *Call) (k making, ok bool) {
	switch c.Func.Combiner {
	case mpi.CombinerContiguous, mpi.CombinerVector, mpi.CombinerHvector, mpi.CombinerIndexed, mpi.CombinerHindexed,
		mpi.CombinerIndexedBlock,
		mpi.CombinerHindexedBlock, mpi.CombinerSubarray, mpi.CombinerResized, mpi.CombinerDup:
	case mpi.CombinerStruct:
	default:
		return k, false
	}
	if len(c.Words) > len(k.args) {
		return k, false
	}
	k.fn, k.n = c.Func.ID, uint8(copy(k.args[:], c.Words))
	from, n := int(c.Func.EnterAt[mpi.RType]), 1
	if c.Func.Combiner == mpi.CombinerStruct { // the types are the last array
		n = len(c.Func.Values("array_of_types", c.Words, true))
		from = len(c.Words) - n
	}
	if from < 0 || from+n > int(k.n) || n > len(k.old) {
		return k, false
	}
	for i := range n {
		old := c.Rank.Object(mpi.OType, c.Words[from+i])
		if old == nil || old.Type == nil {
			return k, false
		}
		k.old[i], k.args[from+i] = old.Type, 0
	}
	return k, true
}
