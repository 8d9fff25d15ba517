package explain

import (
	"strings"
	"testing"

	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// TestALikelyDeadlockSaysWhatIsNotKnown has two ranks in MPI_Wait, on a machine that does not count returns.
func TestALikelyDeadlockSaysWhatIsNotKnown(t *testing.T) {
	s := &Story{Code: finding.Deadlock, Glimpsed: true}
	var doubts []Question
	for r := range op.Rank(2) {
		s.Members = append(s.Members, Member{State: message.Blocked, Wait: &waitstate.Wait{},
			Described: &message.Described{Key: message.Key{Rank: r},
				Place: finding.Place{Rank: int(r), Call: "MPI_Wait", State: "blocked"}}})
		doubts = append(doubts, Question{Rank: r, Call: "MPI_Wait", Unknown: true, Returned: true})
	}
	f := (&Attached{Seconds: 1, Refused: "permission denied"}).Likely(s, doubts)
	if f.Code != finding.DeadlockLikely || f.Severity != finding.Warning || f.Standing != finding.Predicted {
		t.Errorf("%s is %s, %s", f.Code, f.Severity, f.Standing)
	}
	want := "Ranks 0 and 1 wait in MPI, and within 1 s none of their calls has been seen to return: each is in MPI_Wait."
	if f.Sentence != want {
		t.Errorf("%q, want %q", f.Sentence, want)
	}
	notes := strings.Join(finding.Sentences(f.Notes), "\n")
	for _, want := range []string{"it is not known for whom ranks 0 and 1 wait in MPI_Wait", "permission denied",
		"sysctl kernel.perf_event_paranoid=2", "CAP_PERFMON"} {
		if !strings.Contains(notes, want) {
			t.Errorf("%s\nno %q", notes, want)
		}
	}
}
