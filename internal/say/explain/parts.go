package explain

import (
	"fmt"
	"strings"
	"time"

	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// What is said of a job whose root was lost, by the parts that its agents have left.

// PartMissing is about ranks of a host whose agent has left no part, or none that can be used.
func PartMissing(ranks []op.Rank, host string) string {
	return fmt.Sprintf("%s not observed: the part of host %s is missing", finding.Ranks(ranks), host)
}

// NeverWatched is about ranks that no agent has watched.
func NeverWatched(ranks []op.Rank) string {
	return fmt.Sprintf("%s not observed: no agent has watched %s", finding.Ranks(ranks),
		inflect(len(ranks), "it", "them"))
}

// Merged says what is not known of a job whose root was lost.
func Merged(lost time.Time, missing []string) string {
	return strings.Join(append(missing, fmt.Sprintf("the root was out of reach from %s on: since then, what relies "+
		"on buffering is not judged, nor are calls of ranks on different hosts compared",
		lost.Format(time.TimeOnly))), "; ")
}

// Joined is why a trace that was joined from parts is not that of the run.
func Joined(missing []string) string {
	return strings.Join(append([]string{"the root was lost before the job ended"}, missing...), "; ")
}

// TraceToJoin is about calls of a job that were recorded.
func TraceToJoin(dir string) string {
	return fmt.Sprintf("calls were recorded: `unknot report --trace FILE %s` makes one trace of them", dir)
}

// Observed says how far the part of a host goes.
func Observed(ranks []op.Rank, host string, until time.Time, whole bool) string {
	if whole {
		return fmt.Sprintf("%s on %s observed to %s", finding.Ranks(ranks), host,
			inflect(len(ranks), "its end", "their ends"))
	}
	return fmt.Sprintf("%s on %s observed until %s", finding.Ranks(ranks), host, until.Format(time.TimeOnly))
}

// Last is where threads were when they were seen last.
type Last struct{ call, args, at, thread string }

// LastOf is where a thread was last; false if it was in no call.
func LastOf(state message.State, p *finding.Place) (Last, bool) {
	if p.Call == "" || state != message.Blocked && state != message.Polling && state != message.Dead {
		return Last{}, false
	}
	l := Last{call: p.Call, args: p.Args, at: p.Where()}
	if p.Thread > 0 {
		l.thread = fmt.Sprintf(" (thread %d)", p.Thread)
	}
	return l, true
}

// Text says it of some ranks, of which each had been there for so long at least.
func (l Last) Text(ranks []op.Rank, least time.Duration) string {
	text := fmt.Sprintf("%s%s last in %s", finding.Ranks(ranks), l.thread, l.call)
	if l.at != "" {
		text += " at " + l.at
	}
	if l.args != "" {
		text += ", " + l.args
	}
	return text + fmt.Sprintf(", for %v", least.Round(100*time.Millisecond))
}

// MoreStandings is about further groups of threads.
func MoreStandings(n int) string {
	return finding.Count(n, "more group of ranks was", "more groups of ranks were") + " in other calls last"
}

// Doubt is why it is not certain whether ranks that were in a call last would ever have returned from it.
type Doubt uint8

// Doubts.
const (
	NoDoubt    Doubt = iota
	Unobserved       // what they waited for depends on ranks of which nothing is known
	UnderWay         // a message for them may have been on its way
	Brief            // they had not been there for long
)

// Text says it of some ranks.
func (d Doubt) Text(ranks []op.Rank) string {
	why := map[Doubt]string{
		Unobserved: "%s waited for ranks that were not observed",
		UnderWay:   "what %s waited for may have been on its way when the job ended",
		Brief:      "%s had not been in %s for long enough when the job ended",
	}[d]
	they, their := "it", "its call"
	if len(ranks) > 1 {
		they, their = "they", "their calls"
	}
	args := []any{they}
	if d == Brief {
		args = append(args, their)
	}
	return fmt.Sprintf("whether %s %s stuck for good is not certain: ", finding.Ranks(ranks),
		inflect(len(ranks), "was", "were")) + fmt.Sprintf(why, args...)
}
