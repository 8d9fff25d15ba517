package unobserved

import (
	"fmt"
	"slices"
	"strings"

	"unknot/internal/check/messages"
	"unknot/internal/trace"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/op"
)

// What package explore has seen in runs that it made.

// Decisive makes the finding that a thread makes other calls after another match of a receive, which a call has
// started. parting says in which run, and which calls.
func Decisive(l *trace.Log, t *trace.Thread, o *trace.Op, parting string) *finding.Finding {
	fn := l.Funcs[o.Fn]
	at := finding.Place{Rank: int(t.Rank), Thread: int(t.Index), State: "called", Call: fn,
		Frame: Frame(l, o), Stack: l.Stack(o.Site), WaitsFor: []int{}}
	return &finding.Finding{Code: messages.MessageRace, Severity: finding.Warning, Standing: finding.Confirmed,
		Count: 1,
		Sentence: fmt.Sprintf("Rank %d makes other calls when this %s from MPI_ANY_SOURCE matches another message.",
			t.Rank, fn),
		Notes: finding.Remarks("in a run in which it matched another one, " + parting),
		Hint:  "if that is not intended, name the source, or give messages of different kinds different tags",
		Ranks: []int{int(t.Rank)}, Places: []finding.Place{at}}
}

// OtherClocks is a note on a finding of a run in which the program saw other clocks.
func OtherClocks() finding.Note {
	return finding.Remark("in a run in which the program saw other clocks and random numbers")
}

// Matched is the sentence of a step in which the nth receive from any source of a rank, from 0, which fn has started,
// meets a message. was is the rank whose message it met in the first run, negative if that is not known.
func Matched(rank op.Rank, nth uint32, fn string, met, was op.Rank) string {
	then := ""
	switch {
	case was == met:
		then = ", as in the first run"
	case was >= 0:
		then = fmt.Sprintf(" (in the first run, the one from rank %d)", was)
	}
	return fmt.Sprintf("Rank %d's %s receive from any source (%s) matches the message from rank %d%s.", rank,
		finding.Ordinal(int(nth)+1), fn, met, then)
}

// PolledInVain is the sentence of a step in which a poll finds nothing.
func PolledInVain(rank op.Rank, fn string) string {
	return fmt.Sprintf("Rank %d polls with %s, which finds nothing.", rank, fn)
}

// Reported is the sentence of a step in which a call reports requests, by their places in its array.
func Reported(rank op.Rank, fn string, places []int32) string {
	return fmt.Sprintf("Rank %d's %s reports %s.", rank, fn, requests(places))
}

// requests names requests by their places in an array.
func requests(places []int32) string {
	if len(places) == 1 {
		return fmt.Sprintf("request %d of its array", places[0])
	}
	var list []string
	for _, n := range places {
		list = append(list, fmt.Sprint(n))
	}
	return "requests " + strings.Join(list, ", ") + " of its array"
}

// ByChance is a death in a forced run of which it is not known that it follows from what the run matched. again says
// that the run was made once more.
func ByChance(f finding.Finding, again bool) finding.Finding {
	why := "the run was not seen to end so again"
	if again {
		why = "the run was made again with all that it had matched, and no rank died"
	}
	f.Standing, f.Severity = finding.Manifest, finding.Warning
	f.Notes = append(slices.Clone(f.Notes),
		finding.Remark(why+": it may be chance, such as memory that is overwritten, or threads of the MPI library"))
	f.Hint = "look for errors of memory, with a tool for that such as valgrind or -fsanitize=address; where it is " +
		"the MPI library that died, another version of it may not"
	return f
}
