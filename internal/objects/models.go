package objects

import (
	"unknot/internal/datatype"
	"unknot/internal/mpi"
)

// Models are those of derived datatypes that ranks have made before, by the arguments of the call. Programs make and free the same datatype
// around each message, and to work out how it lies in memory takes longer than all else about it. Ranks that share models are compared faster.
type Models map[making]*model

// making is a call that makes a datatype: its arguments, but for the handle of the old one, for which that one's model stands.
type making struct {
	fn   uint16
	n    uint8
	args [14]uint64
	old  *datatype.Type
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

// makingOf says what a call makes a datatype of; false if that has too many arguments, or there is not one old datatype.
func makingOf(c *Call) (k making, ok bool) {
	switch c.Func.Combiner {
	case mpi.CombinerContiguous, mpi.CombinerVector, mpi.CombinerHvector, mpi.CombinerIndexed, mpi.CombinerHindexed, mpi.CombinerIndexedBlock,
		mpi.CombinerHindexedBlock, mpi.CombinerSubarray, mpi.CombinerResized, mpi.CombinerDup:
	default:
		return k, false
	}
	at := int(c.Func.EnterAt[mpi.RType])
	if at < 0 || at >= len(c.Words) || len(c.Words) > len(k.args) {
		return k, false
	}
	old := c.Rank.Object(mpi.OType, c.Words[at])
	if old == nil || old.Type == nil {
		return k, false
	}
	k.fn, k.n, k.old = c.Func.ID, uint8(copy(k.args[:], c.Words)), old.Type
	k.args[at] = 0
	return k, true
}
