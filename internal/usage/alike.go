package usage

import (
	"math/rand/v2"

	"unknot/internal/probe/mpiapi"
)

// Programs make the same calls again and again. What a call is given is looked at once: a later call of the same function with
// the same arguments passes, until something changes that is known of the rank's objects.

// cachedGiven is how many sets of arguments are remembered of a rank, a power of two.
const cachedGiven = 256

// given are sets of arguments in which nothing was wrong, by their hash values. Zero stands for none.
type given [cachedGiven]uint64

func (g *given) slot(hash uint64) *uint64 { return &g[hash>>56] }

// hasher makes a hash value of what a function is given, if that is all numbers.
type hasher struct {
	weights  []uint64 // by the word of the record; nil if the arguments of the function are to be looked at each time
	pointers uint64   // the words, as bits, that are addresses
	id       uint64
}

// hash is 0 for a call whose arguments are to be looked at in any case. Of an address, checks of arguments ask only whether
// it is null or MPI_IN_PLACE. Arguments that differ in one word never have the same value, as the weights are odd; others do
// with a probability of less than one in 2^50.
func (h *hasher) hash(c *Call) uint64 {
	if h.weights == nil || len(c.Words) < len(h.weights) || len(c.Nulls) > 0 {
		return 0
	}
	sum := h.id + c.Rank.changes*0x9e3779b97f4a7c15
	inPlace := c.Rank.Limits.InPlace
	for i, weight := range h.weights {
		v := c.Words[i]
		if h.pointers>>i&1 != 0 {
			switch v {
			case 0:
			case inPlace:
				v = 1
			default:
				v = 2
			}
		}
		sum += v * weight
	}
	return sum
}

// newHasher makes that of a function; one that is given arrays or strings has none.
func newHasher(f *mpiapi.Func, random *rand.Rand) hasher {
	h := hasher{id: random.Uint64()}
	n := 0
	for i := range f.Params {
		p := &f.Params[i]
		if !p.Kind.AtEntry() {
			continue
		}
		if p.Kind.Varying() || n == 64 {
			return hasher{}
		}
		if p.Kind == mpiapi.KPtr {
			h.pointers |= 1 << f.EnterPlace(i)
		}
		n++
	}
	for range n {
		h.weights = append(h.weights, random.Uint64()|1)
	}
	return h
}
