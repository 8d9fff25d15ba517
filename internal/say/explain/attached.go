package explain

import (
	"fmt"
	"slices"

	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/op"
)

// Attached is how a job was looked at from outside, which was not started under unknot.
type Attached struct {
	Seconds float64 // for which it was watched
	// Still is for how many seconds no rank has completed a call: for as long as it was watched, or longer by the ranks'
	// records.
	Still   float64
	Refused string // why it is not known whether calls have returned meanwhile, "" if that is known
	Hosts   int    // on which ranks were looked at
}

// Question is what is not known of a thread that may be part of a deadlock.
type Question struct {
	Rank     op.Rank
	Call     string
	Unknown  bool // for whom it waits
	Returned bool // whether it has returned and come again
	Starved  bool // what it would do if it had the processor
	Apart    bool // whether it was in its call at the same time as threads on other hosts
}

// Proved is a deadlock that follows from what was seen.
func (a *Attached) Proved(s *Story) finding.Finding {
	f := s.Finding()
	if s.Recorded {
		f.Notes = append(f.Notes, finding.Remarkf("by the records of the ranks: nothing that these calls need was sent or "+
			"called, and none of them has returned for %s", finding.Lasting(a.Seconds)))
		return f
	}
	works := "MPI library works"
	if a.Hosts > 1 {
		works = "MPI library and the network work"
	}
	f.Notes = append(f.Notes, finding.Remarkf("seen from outside: for %s none of these calls has returned, and each of "+
		"these ranks had the processor or slept in the kernel; so a message that had been sent to them would have "+
		"arrived, if the %s", finding.Lasting(a.Seconds), works))
	return f
}

// Disagree is a collective operation whose members are in calls that do not belong together.
func (a *Attached) Disagree(s *Story) finding.Finding {
	f := s.Mismatch()
	f.Notes = append(f.Notes, finding.Remarkf("by the records of the ranks: each of these calls is the same one of the "+
		"collective calls that its rank has made on it, and none of them has returned for %s", finding.Lasting(a.Seconds)))
	return f
}

// Likely is a deadlock that would follow if what is in doubt were so.
func (a *Attached) Likely(s *Story, doubts []Question) finding.Finding {
	s.Code = finding.DeadlockLikely
	f := s.Finding()
	f.Severity, f.Standing, f.Hint = finding.Warning, finding.Predicted, ""
	each := s.listed()
	if s.sameCall() && len(s.Members) > 1 {
		each = finding.Wordf("each is in %s", s.Members[0].Described.Place.Call)
	}
	f.Say(finding.Wordf("%s %s in MPI, and within %s none of their calls has %s: %s.", s.who().Capital(),
		inflect(s.ranks(), "waits", "wait"), finding.Lasting(a.Seconds), a.returned(), each))
	f.Notes = append(f.Notes, a.doubts(doubts)...)
	return f
}

// doubts are what would have to be known, each for all ranks of which it is not.
func (a *Attached) doubts(list []Question) (notes []finding.Note) {
	say := func(is func(*Question) bool, words func(ranks []op.Rank, who, call string) string) {
		var calls []string
		ranks := make(map[string][]op.Rank)
		for i := range list {
			if d := &list[i]; is(d) {
				if ranks[d.Call] == nil {
					calls = append(calls, d.Call)
				}
				ranks[d.Call] = append(ranks[d.Call], d.Rank)
			}
		}
		for _, call := range calls {
			notes = append(notes, finding.Remark("not proved: it is not known "+words(ranks[call], finding.Ranks(ranks[call]).Text,
				call)))
		}
	}
	say(func(d *Question) bool { return d.Unknown }, func(r []op.Rank, who, call string) string {
		return fmt.Sprintf("for whom %s %s in %s", who, inflect(len(r), "waits", "wait").Text, call)
	})
	if a.Refused == "" {
		say(func(d *Question) bool { return d.Returned && !d.Unknown }, func(r []op.Rank, who, call string) string {
			return fmt.Sprintf("whether %s %s stayed in %s all the time", who, inflect(len(r), "has", "have").Text, call)
		})
	}
	say(func(d *Question) bool { return d.Starved && !d.Unknown && !d.Returned }, func(_ []op.Rank, who, call string) string {
		return fmt.Sprintf("whether %s would return from %s with more time on a processor", who, call)
	})
	if slices.ContainsFunc(list, func(d Question) bool { return d.Apart }) {
		notes = append(notes, finding.Remark("not proved: it is not known whether ranks on different hosts were in these calls "+
			"at the same time; hint: `unknot dump --host` and `unknot attach --host` watch all hosts at one time"))
	}
	return append(notes, a.notes()...)
}

// notes say what the machine did not allow.
func (a *Attached) notes() []finding.Note {
	if a.Refused == "" {
		return nil
	}
	return finding.Remarks(fmt.Sprintf("it is not known whether calls have returned and were made again meanwhile (%s); "+
		"the kernel says so to root, to CAP_PERFMON, and to the owner of the job with "+
		"`sysctl kernel.perf_event_paranoid=2`, in a container if its seccomp profile allows perf_event_open", a.Refused))
}

// done is what no rank has done, as far as that is known.
func (a *Attached) done() string {
	if a.Refused != "" {
		return "been seen outside of its call"
	}
	return "completed an MPI call"
}

func (a *Attached) returned() string {
	if a.Refused != "" {
		return "been seen to return"
	}
	return "returned"
}
