package explain

import (
	"fmt"
	"slices"
	"strings"

	"unknot/internal/finding"
	"unknot/internal/mpi"
)

// absence says who has not called a collective that others have called. told are their calls, in words.
func (s *Story) absence(f *finding.Finding, comm string, told []string) {
	c := s.Clash
	f.Hint = "every member must make every collective call; look for a branch on the rank, a loop with a different trip count, or an early return"
	if c.Further > 0 && !s.starts() {
		f.Notes = append(f.Notes, finding.Remarkf("it is the first of %d collective calls on %s that not all members make", c.Further+1, comm))
	}
	leave := fmt.Sprintf("%s %s MPI_Finalize without", finding.Ranks(c.Absent), inflect(len(c.Absent), "reaches", "reach"))
	if len(c.Voices) > 1 {
		f.Sentence = fmt.Sprintf("Members of %s call different collectives at the same point, or none: %s, and %s calling any.", comm, strings.Join(told, ", "), leave)
		return
	}
	v := &c.Voices[0]
	who, call := finding.Ranks(v.Ranks.List()), f.Places[slices.IndexFunc(f.Places, func(p finding.Place) bool { return p.State == "called" })].Call
	does := inflect(v.Ranks.Len(), "calls", "call") + " " + call + " on " + comm
	if s.starts() {
		does = inflect(v.Ranks.Len(), "starts", "start") + " a persistent collective with " + call
	}
	switch {
	case c.Seq == 0 && s.starts():
		f.Sentence = fmt.Sprintf("%s %s, but %s starting it.", capital(who), does, leave)
	case c.Seq == 0:
		f.Sentence = fmt.Sprintf("%s %s, but %s calling it.", capital(who), does, leave)
	case s.starts():
		f.Sentence = fmt.Sprintf("All members start a persistent collective %s; then %s %s again, but %s doing so.", times(c.Seq), who, strings.Replace(does, "a persistent collective", "it", 1), leave)
	default:
		f.Sentence = fmt.Sprintf("All members of %s make %s on it; then %s %s, but %s a further one.", comm, finding.Count(c.Seq, "collective call", "collective calls"),
			who, strings.TrimSuffix(does, " on "+comm), leave)
	}
}

// starts says whether the calls of a mismatch start persistent collectives.
func (s *Story) starts() bool {
	return slices.ContainsFunc(s.Members, func(m Member) bool {
		return m.Described.Shape.Class == mpi.Start || m.Described.Shape.Class == mpi.Startall
	})
}
