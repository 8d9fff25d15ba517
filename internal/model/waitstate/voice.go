package waitstate

import (
	"cmp"
	"slices"

	"unknot/internal/vocab/op"
)

// Voice is what some members of a collective called, alike.
type Voice struct {
	Sig      Signature
	Nonblock bool
	Ranks    op.Ranks // a set
	Origin   *Origin  // of the lowest rank
	// the call that made its persistent collective, which the other one starts; nil of other collectives
	Init *Origin
}

// AddVoice merges one voice into a list.
func AddVoice(list []Voice, v Voice) []Voice {
	for i := range list {
		if e := &list[i]; e.Sig == v.Sig && e.Nonblock == v.Nonblock {
			e.Ranks = e.Ranks.Union(v.Ranks)
			if v.Origin.Rank < e.Origin.Rank {
				e.Origin, e.Init = v.Origin, v.Init
			}
			return list
		}
	}
	list = append(list, v)
	slices.SortFunc(list, func(a, b Voice) int { return cmp.Compare(a.Origin.Rank, b.Origin.Rank) })
	return list
}

// Disagree says whether members of a collective made calls that do not belong together. On an intercommunicator, the
// rank that the other group names passes MPI_ROOT, the others of its group MPI_PROC_NULL (MPI-4.0, 6.2.3).
func Disagree(list []Voice) bool {
	if len(list) < 2 {
		return false
	}
	first := list[0]
	for i := range list {
		if v := &list[i]; first.Nonblock != v.Nonblock || !first.Sig.fits(v.Sig) {
			return true
		} else if v.Sig.Root != op.AnySource {
			first.Sig = v.Sig
		}
	}
	for i := range list {
		if list[i].Sig.Root == op.AnySource && first.Sig.Root != op.AnySource &&
			list[i].Ranks.Index(first.Sig.Root) >= 0 {
			return true
		}
	}
	return false
}

// Clash is a collective whose members made calls that do not belong together.
type Clash struct {
	Ctx    op.CommID
	Seq    uint64
	Voices []Voice
	// Absent are members that have made no call and make none any more; Ends are their calls of MPI_Finalize, as far as
	// they are known. Further counts later collectives of the group to which somebody does not come. They are for who
	// knows the whole job.
	Absent  []op.Rank
	Ends    []*Origin
	Further int
}

// Calls are the call that a clash is about, and the other one of a persistent collective, nil of others. What members
// disagree in is passed to the call that makes it; who is absent has not started it.
func (c *Clash) Calls(v *Voice) (about, other *Origin) {
	switch {
	case v.Init == nil:
		return v.Origin, nil
	case len(c.Absent) > 0:
		return v.Origin, v.Init
	}
	return v.Init, v.Origin
}
