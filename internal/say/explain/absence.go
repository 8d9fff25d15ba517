package explain

import (
	"slices"

	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// absence says who has not called a collective that others have called. told are their calls, in words.
func (s *Story) absence(f *finding.Finding, comm finding.Wording, told []finding.Wording) {
	c := s.Clash
	f.Hint = "every member must make every collective call; look for a branch on the rank, a loop with a different " +
		"trip count, or an early return"
	if c.Further > 0 && !s.starts() {
		f.Notes = append(f.Notes,
			finding.Remarkf("it is the first of %d collective calls on %s that not all members make",
				c.Further+1, comm))
	}
	leave := finding.Wordf("%s %s MPI_Finalize without", finding.Ranks(c.Absent),
		inflect(len(c.Absent), "reaches", "reach"))
	if slices.ContainsFunc(f.Places, func(p finding.Place) bool {
		return p.State == "finished" &&
			p.Call == SessionFinalize
	}) {
		leave = finding.Wordf("%s %s without", finding.Ranks(c.Absent), inflect(len(c.Absent), "ends", "end"))
	}
	if len(c.Voices) > 1 {
		f.Say(finding.Wordf("Members of %s call different collectives at the same point, or none: %s, and %s "+
			"calling any.", comm, finding.Joined(told, ", "), leave))
		return
	}
	v := &c.Voices[0]
	who, call := finding.Ranks(v.Ranks.List()),
		f.Places[slices.IndexFunc(f.Places, func(p finding.Place) bool { return p.State == "called" })].Call
	calls, starts := inflect(v.Ranks.Len(), "calls", "call"), inflect(v.Ranks.Len(), "starts", "start")
	switch {
	case c.Seq == 0 && s.starts():
		f.Say(finding.Wordf("%s %s a persistent collective with %s, but %s starting it.", who.Capital(), starts,
			call, leave))
	case c.Seq == 0:
		f.Say(finding.Wordf("%s %s %s on %s, but %s calling it.", who.Capital(), calls, call, comm, leave))
	case s.starts():
		f.Say(finding.Wordf("All members start a persistent collective %s; then %s %s it with %s again, but "+
			"%s doing so.", times(c.Seq), who, starts, call, leave))
	default:
		f.Say(finding.Wordf("All members of %s make %s on it; then %s %s %s, but %s a further one.", comm,
			finding.Counted(c.Seq, "collective call", "collective calls"),
			who, calls, call, leave))
	}
}

// aside adds where a persistent collective is started, or where it was made if the finding is about its start.
func (s *Story) aside(f *finding.Finding) {
	var at []finding.Frame
	ranks := make(map[finding.Frame][]op.Rank)
	calls := make(map[finding.Frame]*message.Described)
	for _, d := range s.Aside {
		w := d.Place.Frame
		if ranks[w] == nil {
			at, calls[w] = append(at, w), d
		}
		ranks[w] = append(ranks[w], d.Key.Rank)
	}
	for _, w := range at {
		verb := inflect(len(ranks[w]), "starts", "start")
		if !s.starts() {
			f.Notes = append(f.Notes, finding.Remarkf("%s %s it with %s at %s", finding.Ranks(ranks[w]), verb,
				calls[w].Place.Call, w.Where()))
			continue
		}
		f.Notes = append(f.Notes, finding.Remarkf("it is the one that %s at %s has made", callWithArgs(calls[w].Place),
			w.Where()))
	}
	f.Related = append(f.Related, at...)
}

// starts says whether the calls of a mismatch start persistent collectives.
func (s *Story) starts() bool {
	return slices.ContainsFunc(s.Members, func(m Member) bool {
		return m.Described.Shape.Class == mpi.Start || m.Described.Shape.Class == mpi.Startall
	})
}
