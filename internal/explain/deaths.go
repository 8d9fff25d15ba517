package explain

import (
	"fmt"

	"unknot/internal/finding"
	"unknot/internal/message"
	"unknot/internal/op"
)

// Death makes a finding of a death.
func Death(d *message.Death) finding.Finding {
	return finding.Finding{Code: finding.RankDied, Severity: finding.Error, Standing: finding.Manifest, Count: 1,
		Ranks: []int{int(d.Rank)}, Places: []finding.Place{d.Place}, Notes: d.Notes,
		Sentence: fmt.Sprintf("Rank %s.", deathInWords(d)), Hint: "the other ranks cannot continue without it; fix this first"}
}

// deathInWords says how the rank ended, and in which call: "1 ended with exit status 14 …, in MPI_Recv at main (a.c:12)".
func deathInWords(d *message.Death) string {
	last := ""
	if d.Last != "" {
		last = ", " + d.Last
	}
	return fmt.Sprintf("%d %s%s", d.Rank, d.Cause, last)
}

// Behind tells of the end of a rank for which the members of a story wait.
func (s *Story) Behind(end *message.Death) finding.Finding {
	s.Witness = nil
	f := s.Finding()
	f.Others = append(f.Places, f.Others...)
	f.Code, f.Ranks, f.Places = finding.RankDied, []int{int(end.Rank)}, []finding.Place{end.Place}
	verb := "waits"
	if s.ranks() > 1 {
		verb = "wait"
	}
	f.Sentence = fmt.Sprintf("Rank %d %s, and %s %s for it.", end.Rank, end.Cause, finding.Ranks(s.list()), verb)
	f.Hint = "fix the cause of its death; in Python, run with `python3 -m mpi4py` so that an uncaught exception ends the whole job"
	if end.Place.Call != "MPI_Finalize" {
		f.Hint = "fix the cause of its death first; the other ranks only wait for it"
	}
	f.Notes = append(end.Notes, f.Notes...)
	return f
}

// DiedIn says that a rank died in a call that is wrong.
func DiedIn(d *message.Death) string {
	return fmt.Sprintf("rank %d died in this call: it %s", d.Rank, d.Cause)
}

// DiedAfter says that a rank died because of a wrong call.
func DiedAfter(d *message.Death) string { return "after this, rank " + deathInWords(d) }

// DiedTogether says that a rank died at the same moment as the one that a finding is about.
func DiedTogether(d *message.Death) string {
	return fmt.Sprintf("rank %d died at the same moment, also without notice; which of them died first is uncertain", d.Rank)
}

// StuckBehind says which ranks do not return from a call because of an error, and what becomes of the job.
func StuckBehind(ranks []op.Rank, call string, left bool) string {
	verb := "does not return"
	if len(ranks) > 1 {
		verb = "do not return"
	}
	what := "unknot ended the job"
	if left {
		what = "the job is kept as it is"
	}
	return fmt.Sprintf("because of this, %s %s from %s: %s", finding.Ranks(ranks), verb, call, what)
}
