package unobserved

import (
	"fmt"

	"unknot/internal/observe/rendezvous"
	"unknot/internal/vocab/finding"
)

// Conclude says in a finding what came of the runs in which two of the processes were to meet. name is what they are
// called: "rank", "PE".
func Conclude(f *finding.Finding, name string, outcomes []rendezvous.Outcome) {
	m, met := f.Meeting, 0
	for i := range outcomes {
		if outcomes[i].Met() {
			met++
		}
	}
	switch {
	case met > 0:
		both := "with either of them first"
		if met < len(outcomes) {
			both = fmt.Sprintf("in %d of %d runs", met, len(outcomes))
		}
		f.Standing, f.Severity = finding.Confirmed, finding.Error
		f.Notes = append(f.Notes,
			finding.Remarkf("run again, %s %d and %s %d were about to make these calls at the same moment, %s", name,
				m.Ranks[0], name, m.Ranks[1], both))
	case len(outcomes) > 0:
		f.Notes = append(f.Notes, finding.Remarkf("run again, %s %d and %s %d could not be made to meet: %s", name,
			m.Ranks[0], name, m.Ranks[1], whyNot(&outcomes[0], name, m)))
	}
}

// whyNot says why they did not meet.
func whyNot(o *rendezvous.Outcome, name string, m *finding.Meeting) string {
	switch {
	case o.ReachedA+o.ReachedB == 0:
		return "neither of them came to its call; the program takes another way each time, or is not the one in " +
			"which this was found"
	case o.ReachedA == 0:
		return fmt.Sprintf("%s %d did not come to its call", name, m.Ranks[0])
	case o.ReachedB == 0:
		return fmt.Sprintf("%s %d did not come to its call", name, m.Ranks[1])
	}
	return fmt.Sprintf("%d times one was held before its call, and the other one did not come meanwhile; something "+
		"that is not seen may order them, unless what the first has begun is still under way", o.Expired)
}

// NotMet is why no run was made for a race.
type NotMet int

// Reasons for that.
const (
	TooMany   NotMet = iota // runs are made for so many races only
	OneThread               // both accesses are of one thread
	Elsewhere               // the threads are on another host, or an access continues beside its thread
)

// Note is a note of it on the finding; most is for how many races runs are made.
func (n NotMet) Note(most int) finding.Note {
	switch n {
	case TooMany:
		return finding.Remarkf("not looked at in further runs, which are made for %d races", most)
	case OneThread:
		return finding.Remark("the two accesses are of one thread, so there are no threads that could be made to meet")
	}
	return finding.Remark("not looked at in further runs: threads can be made to meet only if all of them are " +
		"on the host of unknot, and at " +
		"accesses that do not go on beside them, as those of a transfer do")
}
