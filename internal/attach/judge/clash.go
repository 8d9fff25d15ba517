package judge

import (
	"cmp"
	"slices"

	"unknot/internal/model/waitstate"
	"unknot/internal/observe/record"
	"unknot/internal/say/explain"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// turn is one collective operation on a communicator, window or file: the one of a number on it.
type turn struct {
	identity, number uint64
}

// clashes are collective operations whose members are in calls that do not belong together (MPI-4.0, 6.1), by the
// records of the ranks.
func (j *Job) clashes(a *explain.Attached) (list []finding.Finding) {
	var turns []turn
	in := make(map[turn][]*node)
	for _, n := range j.threads {
		c := n.collective()
		if c == nil {
			continue
		}
		t := turn{c.Identity, c.Collectives}
		if in[t] == nil {
			turns = append(turns, t)
		}
		in[t] = append(in[t], n)
	}
	slices.SortFunc(turns, func(a, b turn) int {
		return cmp.Or(cmp.Compare(a.identity, b.identity), cmp.Compare(a.number, b.number))
	})
	for _, t := range turns {
		if s := j.clash(t, in[t]); s != nil {
			list = append(list, a.Disagree(s))
		}
	}
	return list
}

// collective is the communicator, window or file on which a thread is in a collective call that blocks, nil if it is in
// none. Those between two groups are left out: there the root has another name for each side (MPI-4.0, 6.2.3).
func (n *node) collective() *record.Comm {
	if n.call == nil || len(n.parts) != 1 || n.parts[0].kind != waitstate.NeedMembers || n.parts[0].by != nil {
		return nil
	}
	c := on(n.rank.Record, n.call)
	if c == nil || c.Identity == 0 || c.Kind == record.Inter {
		return nil
	}
	if own, ok := c.Entered(c.Collectives); !ok || own.Func != n.call.Func {
		return nil
	}
	return c
}

// on is the communicator, window or file that a call is made on, nil if that is not known.
func on(r *record.Rank, c *record.Call) *record.Comm {
	for _, role := range []mpi.Role{mpi.RComm, mpi.RWin, mpi.RFile} {
		if handle, ok := c.Arg(role); ok {
			return r.CommOf(handle)
		}
	}
	return nil
}

// clash is the story of threads in one collective operation, nil if they agree.
func (j *Job) clash(t turn, nodes []*node) *explain.Story {
	var voices []waitstate.Voice
	first := make(map[waitstate.Signature]*node)
	for _, n := range nodes {
		own, _ := n.collective().Entered(t.number)
		sig := waitstate.Signature{Op: uint32(own.Func.ID), Root: op.Rank(own.Root), Side: op.AnySource}
		if own.Func.Family != 0 {
			sig.Op = 1<<16 + uint32(own.Func.Family)
		}
		rank := op.Rank(n.rank.Rank.Rank)
		if first[sig] == nil {
			first[sig] = n
		}
		voices = waitstate.AddVoice(voices, waitstate.Voice{Sig: sig, Ranks: op.RanksOf(rank),
			Origin: &waitstate.Origin{Rank: rank, Fn: own.Func.ID}})
	}
	if len(voices) < 2 {
		return nil
	}
	s := &explain.Story{Code: finding.CollectiveMismatch, Glimpsed: true, Recorded: true,
		Clash: &waitstate.Clash{Seq: t.number - 1, Voices: voices}}
	for i := range voices {
		s.Members = append(s.Members, j.member(first[voices[i].Sig]))
	}
	return s
}
