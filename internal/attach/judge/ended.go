package judge

import (
	"slices"

	"unknot/internal/attach/look"
	"unknot/internal/observe/record"
	"unknot/internal/say/explain"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// Ended are the findings of a job that has ended with a status before all of its ranks have called MPI_Finalize: what
// is wrong with their last calls, and where they were; nil if all have.
func (j *Job) Ended(status int) (list []finding.Finding) {
	s := &explain.Standstill{Over: &status, Size: j.size}
	for _, n := range j.threads {
		if n.rank.Record.State == record.Ended {
			continue
		}
		m := j.member(n)
		stay := &finding.Stay{Least: true, Outside: n.thread.Call == nil, After: n.thread.After}
		if stay.After != "" {
			at := n.thread.AfterAt
			stay.AfterAt = &at
		}
		m.Described.Place.Stay = stay
		if n.call != nil {
			if wrong := j.mistakes(n); len(wrong) > 0 {
				list = append(list, wrong...)
				m.Peers, m.Needs = nil, nil
			}
		}
		s.Members = append(s.Members, m)
	}
	if len(s.Members) == 0 {
		return nil
	}
	for r := range op.Rank(j.size) {
		switch {
		case len(j.of[r]) == 0:
			s.Unwatched = append(s.Unwatched, r)
		case j.of[r][0].rank.Record.State == record.Ended:
			s.Ended = append(s.Ended, r)
		}
	}
	f, _ := s.Finding()
	return append(list, f)
}

// mistakes are what is wrong with the arguments of a recorded call: ranks (MPI-4.0, 3.2.3 and 6.2), tags and counts
// (3.2.2), and communicators that do not exist.
func (j *Job) mistakes(n *node) (list []finding.Finding) {
	r, c := n.rank.Record, n.call
	m := explain.Mistake{Place: j.member(n).Described.Place, Func: c.Func}
	comm := on(r, c)
	k := &r.Constants
	_, received, receives := c.Func.Receives()
	for i := range c.Func.Params {
		p := &c.Func.Params[i]
		if i >= len(c.Args) {
			break
		}
		m.Param, m.Value = p.Name, int64(c.Args[i])
		switch {
		case p.Role == mpi.RComm && p.Kind == mpi.KHandle && comm == nil && !r.Lost.Comms &&
			slices.Contains(r.Freed, c.Args[i]):
			list = append(list, m.Freed())
		case p.Kind != mpi.KInt:
		case p.Name == "source" || p.Name == "dest" || p.Name == "root":
			if comm == nil || comm.Kind != record.Intra && (comm.Kind != record.Inter || p.Name == "root") {
				continue
			}
			special := p.Name != "root" && m.Value == int64(k.ProcNull) ||
				p.Name == "source" && m.Value == int64(k.AnySource)
			m.Comm, m.Ranks, m.Inter = j.communicator(n), comm.Local.Size, comm.Kind == record.Inter
			if m.Inter {
				m.Ranks = comm.Remote.Size
			}
			if !special && (m.Value < 0 || m.Value >= int64(m.Ranks)) {
				list = append(list, m.Rank())
			}
		case p.Role == mpi.RTag || p.Role == mpi.RRecvTag:
			any := receives && i == received && m.Value == int64(k.AnyTag)
			if m.Value < 0 && !any {
				list = append(list, m.Tag())
			}
		case (p.Role == mpi.RCount || p.Role == mpi.RRecvCount) && m.Value < 0:
			list = append(list, m.Count())
		}
	}
	return list
}

// communicator is that of a recorded call, in words.
func (j *Job) communicator(n *node) finding.Wording {
	if name := j.constant(n.thread, mpi.RComm); name != "" {
		return finding.Wordf("%s", name)
	}
	return finding.Wordf("%s", n.members())
}

// Records are the ranks of a job that has ended, as their records show them.
func Records(l *look.Looker, ranks []*record.Rank) *Job {
	var seen []look.Rank
	for _, r := range ranks {
		if r.Rank >= 0 {
			seen = append(seen, l.Ended(r))
		}
	}
	slices.SortFunc(seen, func(a, b look.Rank) int { return a.Rank.Rank - b.Rank.Rank })
	return New([]look.Host{{Ranks: seen}})
}
