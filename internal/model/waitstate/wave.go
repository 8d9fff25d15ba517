package waitstate

import (
	"cmp"
	"slices"

	"unknot/internal/vocab/op"
)

// Group is the set of ranks that call a context's collectives together, as one node sees it.
type Group struct {
	Ctx     op.CommID
	Members op.Ranks // all, world ranks; for an intercommunicator both sides
	local   int      // members on this node
	below   []int    // members below each of the relays above it
	joined  int      // memberships that have not been left
	members []*Member
	base    uint64 // sequence number of waves[0]
	waves   []*Wave
}

// Wave is one collective operation: the members' calls with the same place in the order of their context.
type Wave struct {
	Group  *Group
	Seq    uint64
	Parts  []*Part // of this node's ranks, in order of arrival; nil when all are satisfied
	active int
	quit   int // parts that nobody has any more, since the node is isolated
	sent   bool
	done   bool
	clash  bool         // members disagree
	uneven bool         // members differ in what they give and expect
	first  [sides]*Part // on each side the member that others are compared with
	seats  []*Part      // the members by place, where neighbours are compared
}

// Here are the members on this node that have made the call, and those of them that are there in the strict view.
func (w *Wave) Here() (arrived, active op.Ranks) {
	var made, there []op.Rank
	for _, p := range w.Parts {
		made = append(made, p.Origin.Rank)
		if p.active {
			there = append(there, p.Origin.Rank)
		}
	}
	slices.Sort(made)
	slices.Sort(there)
	return op.RanksOf(made...), op.RanksOf(there...)
}

// Clash says whether members on this node disagree.
func (w *Wave) Clash() bool { return w.clash }

// Member is one rank's place in a Group: it counts that rank's collectives.
type Member struct {
	Group *Group
	Rank  op.Rank
	Init  *Origin // the call that made the persistent collective whose starts the group counts; nil of other groups
	seq   uint64
	index int  // of the rank among the members
	last  bool // the next collective frees what the group belongs to
	made  [keptMade]Made
}

// Made is a collective call of a member, by its number in the group.
type Made struct {
	Seq  uint64
	Site uint64
	Fn   uint16
}

// keptMade is how many calls of a member are known: the one at hand, the one before it, and one to spare for a rank
// that is ahead.
const keptMade = 3

// Lately are the last collective calls of the member, the latest first.
func (m *Member) Lately() []Made { return m.made[:min(m.seq, keptMade)] }

// FreedByNext says that the rank's next collective in the group frees the window or file: the membership ends with it.
func (m *Member) FreedByNext() { m.last = true }

// Seq is the number of collectives that the member has started on its context.
func (m *Member) Seq() uint64 { return m.seq }

func (g *Group) wave(seq uint64) *Wave {
	for uint64(len(g.waves)) <= seq-g.base {
		g.waves = append(g.waves, &Wave{Group: g, Seq: g.base + uint64(len(g.waves)), Parts: make([]*Part, 0, g.local)})
	}
	return g.waves[seq-g.base]
}

// find returns the wave with a sequence number, or nil if it is over.
func (g *Group) find(seq uint64) *Wave {
	if seq < g.base || seq-g.base >= uint64(len(g.waves)) {
		return nil
	}
	return g.waves[seq-g.base]
}

// know is what the members on this node know together.
func (w *Wave) know() (c *Clock) {
	for _, p := range w.Parts {
		c = c.Join(p.clock)
	}
	return c
}

// Open calls visit for the parts of this node's ranks in collectives that are not complete.
func (g *Group) Open(visit func(*Part)) {
	for _, w := range g.waves {
		if w != nil {
			for _, p := range w.Parts {
				visit(p)
			}
		}
	}
}

// Active says whether a part counts as active in the strict view.
func (p *Part) Active() bool { return p.active }

// Wave returns the collective that the part belongs to, or nil.
func (p *Part) Wave() *Wave { return p.wave }

// Owner returns the thread that started the part.
func (p *Part) Owner() *Thread { return p.owner }

// Voices groups the members on this node by what they called, ordered by their lowest ranks.
func (w *Wave) Voices() []Voice {
	var out []Voice
	for _, p := range w.Parts {
		out = AddVoice(out, Voice{Sig: p.Sig, Nonblock: p.Nonblock, Ranks: op.Between(p.Origin.Rank, p.Origin.Rank),
			Origin: p.Origin.AsSent(), Init: p.Member.Init})
	}
	return out
}

// disagree says whether two members made calls that do not belong together, as far as two of them show it.
func disagree(a, b *Part) bool { return a.Nonblock != b.Nonblock || !a.Sig.fits(b.Sig) }

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
