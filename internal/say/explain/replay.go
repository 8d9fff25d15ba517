package explain

import (
	"fmt"

	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
)

// Diverged puts a replay that has left its plan into words. Members are the threads whose receives wait for it.
func (s *Story) Diverged() finding.Finding {
	f := s.Finding()
	f.Severity, f.Standing, f.Hint = finding.Info, finding.Predicted, divergedHint
	m := &s.Members[0]
	n := m.Wait.Barred()
	at := m.request(n)
	if position := m.Described.Place.Where(); position != "" {
		at += " at " + position
	}
	want, there := planned(n)
	f.Say(finding.Wordf("Rank %d waits in %s%s for %s, as planned, while %s is available: the program diverged "+
		"from the plan.",
		m.Described.Key.Rank, m.Described.Place.Call, finding.Detail(at), finding.Detail(want.Text),
		finding.Detail(there.Text)))
	return f
}

// planned names the message that the plan wants, and the one that is there.
func planned(n *waitstate.Need) (want, there finding.Phrase) {
	if n.There == n.Forced.Src {
		return finding.Naming(fmt.Sprintf("a message with tag %d from ", n.Forced.Tag), n.Forced.Src, ""),
			finding.Plain(fmt.Sprintf("one with tag %d", n.ThereTag))
	}
	return finding.Naming("a message from ", n.Forced.Src, ""), finding.Naming("one from ", n.There, "")
}

// Unused says that a thread has done less than the plan names.
func Unused(u *message.Unused) finding.Finding {
	what := finding.Wordf("made %s from any source, but the plan decides %d more",
		finding.Counted(u.Receives, "receive", "receives"), u.Decide)
	switch {
	case u.Decide > 0:
	case u.Named > 0:
		what = finding.Wordf("made %s of standard mode, but the plan names %d more",
			finding.Counted(u.Sends, "send", "sends"), u.Named)
	default:
		what = finding.Wordf("made %s whose outcome MPI may choose, and could not be given %s of the plan",
			finding.Counted(u.Choices, "call", "calls"), finding.Counted(u.Unmet, "outcome", "outcomes"))
	}
	who := finding.Wordf("Rank %d", u.Rank)
	if u.Thread != 0 {
		who = finding.Wordf("Thread %d of rank %d", u.Thread, u.Rank)
	}
	f := finding.Finding{Code: finding.ReplayDiverged, Severity: finding.Info, Standing: finding.Predicted,
		Hint: divergedHint, Ranks: []int{int(u.Rank)},
		Places: []finding.Place{{Rank: int(u.Rank), Thread: int(u.Thread), State: "finished", WaitsFor: []int{}}}}
	f.Say(finding.Wordf("%s %s: the program diverged from the plan.", who, what))
	return f
}

const divergedHint = "start the program as when the plan was made, or make the plan from a run that takes this path"
