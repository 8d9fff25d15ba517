package check

import (
	"math/rand/v2"

	"unknot/internal/model/objects"
	"unknot/internal/vocab/mpi"
)

// Programs make the same calls again and again. What a call is given is looked at once: a later call of the same
// function with the same arguments passes, until something changes that is known of the rank's objects.

// passedBits is the logarithm of how many calls are remembered of a rank.
const passedBits = 11

// passed are calls with which nothing was wrong, by their hash values; zero stands for none.
type passed struct {
	slots []uint64 // a power of two of them, more as they are needed
	shift uint8    // of a hash value, to its slot
}

func (p *passed) has(hash uint64) bool {
	return hash != 0 && len(p.slots) > 0 && p.slots[hash>>p.shift] == hash
}

func (p *passed) add(hash uint64) {
	if len(p.slots) == 0 {
		p.room(leastBits)
	}
	for p.slots[hash>>p.shift] != 0 && p.slots[hash>>p.shift] != hash && 64-p.shift < passedBits {
		old := p.slots
		p.room(64 - p.shift + 2)
		for _, h := range old {
			if h != 0 {
				p.slots[h>>p.shift] = h
			}
		}
	}
	p.slots[hash>>p.shift] = hash
}

// room makes empty slots, whose number is given by its logarithm.
func (p *passed) room(bits uint8) { p.slots, p.shift = make([]uint64, 1<<bits), 64-bits }

// leastBits is how many there are at first: most ranks of a large job make few different calls.
const leastBits = passedBits - 6

// hasher makes hash values of what a function is given, if that is all numbers.
type hasher struct {
	weights  []uint64 // by the word of the record; nil if the arguments of the function are to be looked at each time
	pointers uint64   // the words, as bits, that are addresses
	types    uint64   // those that are handles of datatypes
	ops      uint64   // … and of operators
	tags     uint64   // the words that are tags
	id       uint64
}

// hash is alike for calls whose arguments are equal except for the addresses, of which it counts only whether they are
// null or MPI_IN_PLACE, and for tags, of which all count alike that MPI accepts and that are not near the maximum; and
// same for those whose arguments are equal. A datatype or an operator counts by what is known of it, too: its handle
// may be that of one that has gone. Both are 0 for a call that is to be looked at in any case. Arguments that differ in
// one word never have the same value, as the weights are odd; others do with a probability of less than one in 2^50.
func (h *hasher) hash(c *Call) (alike, same uint64) {
	if h.weights == nil || len(c.Words) < len(h.weights) || len(c.Nulls) > 0 {
		return 0, 0
	}
	alike = h.id + c.Rank.Changes*0x9e3779b97f4a7c15
	same = alike
	inPlace, usual := c.Rank.Limits.InPlace, usualTag(&c.Rank.Limits)
	for i, weight := range h.weights {
		v := c.Words[i]
		if (h.types|h.ops)>>i&1 != 0 {
			kind := mpi.OType
			if h.ops>>i&1 != 0 {
				kind = mpi.OOp
			}
			state, known := c.Rank.State(kind, v)
			if !known {
				return 0, 0
			}
			v += state * stateWeight
		}
		same += v * weight
		if h.pointers>>i&1 != 0 {
			switch v {
			case 0:
			case inPlace:
				v = 1
			default:
				v = 2
			}
		}
		if h.tags>>i&1 != 0 && v <= usual {
			v = min(v>>tagBits, 1)
		}
		alike += v * weight
	}
	return alike, same
}

// stateWeight keeps what is known of an object apart from its handle.
const stateWeight = 0x9e3779b97f4a7c15

// usualTag is up to where tags are far below the maximum, which is at least 32767 (MPI-4.0, 9.1.2).
func usualTag(l *objects.Limits) uint64 { return uint64(max(l.TagUB, 1<<tagBits-1)) / 2 }

// tagBits is how many bits a tag may have in every MPI library.
const tagBits = 15

// newHasher makes that of a function; one that is given arrays or strings has none.
func newHasher(f *mpi.Func, random *rand.Rand) hasher {
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
		if p.Kind == mpi.KPtr {
			h.pointers |= 1 << f.EnterPlace(i)
		}
		if p.Object == mpi.OType {
			h.types |= 1 << f.EnterPlace(i)
		}
		if p.Object == mpi.OOp {
			h.ops |= 1 << f.EnterPlace(i)
		}
		if p.Role == mpi.RTag || p.Role == mpi.RRecvTag {
			h.tags |= 1 << f.EnterPlace(i)
		}
		n++
	}
	for range n {
		h.weights = append(h.weights, random.Uint64()|1)
	}
	return h
}
