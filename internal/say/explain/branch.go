package explain

import (
	"slices"

	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// branch is where ranks of a communicator part: the last collective call on it that they have in common, and where each
// of some that stand for all went from there.
type branch struct {
	on     finding.Wording
	common []message.CollCall // of each of them
	ways   []way
}

// way is where a rank went.
type way struct {
	rank op.Rank
	call string
	at   finding.Frame
}

// mostWays bounds those that are shown beside each other.
const mostWays = 4

// tell adds to a finding where the ranks part.
func (b *branch) tell(f *finding.Finding) {
	var rows []finding.Moment
	for i := range b.common {
		c := &b.common[i]
		at := slices.IndexFunc(rows, func(m finding.Moment) bool { return m.Did == c.Call && m.Frame == c.At })
		if at < 0 {
			at = len(rows)
			rows = append(rows, finding.Moment{Did: c.Call, Frame: c.At})
		}
		rows[at].Ranks = append(rows[at].Ranks, int(b.ways[i].rank))
	}
	if len(rows) == 1 && rows[0].Where() != "" {
		f.Notes = append(f.Notes,
			finding.Remarkf("the last collective call that the ranks of %s have in common is %s at %s", b.on,
				rows[0].Did, rows[0].Where()))
		f.Related = append(f.Related, rows[0].Frame)
	}
	for _, w := range b.ways {
		rows = append(rows, finding.Moment{Ranks: []int{int(w.rank)}, Did: w.call, Frame: w.at, Racing: true})
	}
	f.Timeline = rows
}

// collCall is the call of a rank with a number on a communicator, if that is known.
func collCall(d *message.Described, ctx op.CommID, seq uint64) (message.CollCall, bool) {
	i := slices.IndexFunc(d.Shape.Collectives, func(s message.CollCall) bool { return s.Ctx == ctx && s.Seq == seq })
	if i < 0 {
		return message.CollCall{}, false
	}
	return d.Shape.Collectives[i], true
}

// latest is the last call of a rank on a communicator, if it has made one.
func latest(d *message.Described, ctx op.CommID) (message.CollCall, bool) {
	i := slices.IndexFunc(d.Shape.Collectives, func(s message.CollCall) bool { return s.Ctx == ctx })
	if i < 0 {
		return message.CollCall{}, false
	}
	return d.Shape.Collectives[i], true
}

// parting finds the branch of a deadlock: a member waits in a collective for ranks of which all are known, and of these
// the one that is furthest behind has gone elsewhere after the last collective that all have made. It is nil if there
// is none, or if that is not certain, and where a message nearly fits: then it is that which is in question.
func (s *Story) parting() *branch {
	if s.Code != finding.Deadlock || s.nearly() ||
		slices.ContainsFunc(s.Members, func(m Member) bool { return m.Described.Shape.Astray() != nil }) {
		return nil
	}
	for i := range s.Members {
		m := &s.Members[i]
		n := m.mainNeed()
		if n == nil || n.Kind != waitstate.NeedMembers || n.Clash || m.completes() ||
			len(s.Alike[m.Described.Key].Runs) > 0 {
			continue
		}
		var behind *message.Described
		var last message.CollCall
		for _, r := range n.Ranks {
			d := s.known(r)
			if d == nil {
				return nil
			}
			l, made := latest(d, n.Ctx)
			if !made || l.Seq >= n.Seq {
				return nil
			}
			if behind == nil || l.Seq < last.Seq {
				behind, last = d, l
			}
		}
		if behind == nil {
			return nil
		}
		common, one := collCall(m.Described, n.Ctx, last.Seq)
		next, two := collCall(m.Described, n.Ctx, last.Seq+1)
		if !one || !two || common.Call != last.Call {
			return nil
		}
		return &branch{on: groupName(m), common: []message.CollCall{common, last}, ways: []way{
			{m.Described.Key.Rank, next.Call, next.At},
			{behind.Key.Rank, behind.Place.Call, behind.Place.Frame},
		}}
	}
	return nil
}

// known is what is known of the one thread of a rank that the story tells of; nil if there is none, or if there are
// several.
func (s *Story) known(r op.Rank) (found *message.Described) {
	several := false
	take := func(d *message.Described) {
		if d.Key.Rank == r && d.Place.Call != "" {
			several = several || found != nil && found != d
			found = d
		}
	}
	for _, list := range [][]Member{s.Members, s.Others} {
		for i := range list {
			take(list[i].Described)
		}
	}
	for _, d := range s.Witness {
		take(d)
	}
	if several {
		return nil
	}
	return found
}

// clashing finds the branch of a collective whose members disagree.
func (s *Story) clashing(comm finding.Wording) *branch {
	if s.Clash.Seq == 0 || len(s.Members) < 2 || len(s.Members) > mostWays || s.starts() {
		return nil
	}
	b := &branch{on: comm}
	for i := range s.Members {
		d := s.Members[i].Described
		c, known := collCall(d, s.Clash.Ctx, s.Clash.Seq-1)
		if !known || i > 0 && c.Call != b.common[0].Call {
			return nil
		}
		b.common = append(b.common, c)
		b.ways = append(b.ways, way{d.Key.Rank, d.Place.Call, d.Place.Frame})
	}
	return b
}
