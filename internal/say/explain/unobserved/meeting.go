package unobserved

import (
	"fmt"
	"slices"

	"unknot/internal/check"
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

// ConcludeThreads says in a finding what came of the runs in which two threads of a rank were to meet: in their calls
// together, and then with the later one first. found are the findings of each. It is confirmed if in one of them what
// was predicted, or what that leads to, is an error that happened at one of the two calls.
func ConcludeThreads(f *finding.Finding, outcomes []rendezvous.Outcome, found [][]finding.Finding) {
	met, best := false, 0
	var how string
	var came *finding.Finding
	for i := range outcomes {
		met = met || outcomes[i].Met()
		for k := range found[i] {
			if e := &found[i][k]; fulfils(f, e) > best {
				best, came, how = fulfils(f, e), e, held(i, outcomes[i].Met())
			}
		}
	}
	if came != nil {
		f.Standing, f.Severity = finding.Confirmed, finding.Error
		f.Notes = slices.DeleteFunc(f.Notes, func(n finding.Note) bool { return n.Text == check.Unseen().Text })
		f.Notes = append(f.Notes, finding.Remarkf("run again%s: %s", how, came.Sentence))
		return
	}
	switch {
	case met:
		f.Notes = append(f.Notes, finding.Remark("run again, the two threads were about to make these calls at the same "+
			"moment: nothing orders the two, but nothing went wrong"))
	case len(outcomes) > 0:
		f.Notes = append(f.Notes, finding.Remarkf("run again, the two threads could not be made to meet: %s",
			whyThreadsDidNot(&outcomes[0])))
	}
}

// held says what was done with the threads in a run, if they met. Else it happened without that, in some rank.
func held(run int, met bool) string {
	switch {
	case !met:
		return ""
	case run > 0:
		return ", with the other call held until this one was over"
	}
	return ", with both threads held until they were in these calls together"
}

// fulfils says how well an error in another run, at one of the two calls, is what was predicted: 3 if it is that itself,
// 2 if it comes of it, 1 if all that is known is that the rank died of it, else 0.
func fulfils(f, e *finding.Finding) int {
	switch {
	case e.Severity != finding.Error || e.Standing != finding.Manifest || !atOneOf(f, e):
	case e.Code == f.Code:
		return 3
	case slices.Contains(becomes[f.Code], e.Code):
		return 2
	case e.Code == "rank-died":
		return 1
	}
	return 0
}

// atOneOf says whether a finding of another run is at one of the two calls.
func atOneOf(f, e *finding.Finding) bool {
	for i := range e.Places {
		at := &e.Places[i]
		if slices.ContainsFunc(f.Places, func(p finding.Place) bool { return p.File == at.File && p.Line == at.Line }) ||
			slices.ContainsFunc(f.Related, func(r finding.Frame) bool { return r.File == at.File && r.Line == at.Line }) {
			return true
		}
	}
	return false
}

// becomes are the codes of what happens where the order of two threads goes wrong, other than the one that is predicted.
var becomes = map[finding.Code][]finding.Code{
	"thread-message":    {"type-mismatch", "message-truncated", "call-failed"},
	"thread-collective": {"collective-mismatch", "call-failed"},
	"thread-free": {"comm-invalid", "type-invalid", "win-invalid", "file-invalid", "info-invalid", "op-invalid",
		"group-invalid", "errhandler-invalid", "request-invalid", "message-invalid", "session-invalid", "call-failed"},
}

func whyThreadsDidNot(o *rendezvous.Outcome) string {
	if o.ReachedA == 0 || o.ReachedB == 0 {
		return "the rank did not come to both calls"
	}
	return fmt.Sprintf("%d times one was held, and the other one did not come meanwhile; something that is not seen may "+
		"order them", o.Expired)
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
