package unobserved

import (
	"fmt"

	"unknot/internal/predict/screen"
	"unknot/internal/trace"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/op"
)

// Screened is the answer of the screening in a line, and why it is left open if it is. flagged is how many calls are
// flagged, beyond why the log does not tell all that the program calls.
func Screened(found []finding.Finding, r *screen.Result, flagged int, beyond string) (verdict, why string) {
	switch {
	case len(found) > 0:
		return "predicted: " + counts(found, flagged > 0), ""
	case r.Certificate() && beyond == "":
		return free + " for the recorded calls: no call is flagged, so there is no deadlock, whatever " +
			"wildcard receives match and MPI buffers; " +
			"the program's calls after other matches are unknown", ""
	case beyond != "":
		why = beyond
	case flagged == 0:
		why = "no call is flagged, but that proves nothing: " + r.Limits[0]
	default:
		why = fmt.Sprintf("%d of %d steps are flagged; hint: run without --screen to decide whether there is a deadlock",
			flagged, r.Steps)
	}
	return notDecided + ": " + why, why
}

// MoreFlags is a note of flagged calls that are only counted.
func MoreFlags(n int) string { return fmt.Sprintf("screening: %d more calls are flagged", n) }

// PartsScreened is a note of what it took to screen a run that lies on several hosts.
func PartsScreened(parts, messages, rounds, bytes int) string {
	return fmt.Sprintf("screening: %d parts were screened where they are; %d messages go from one to another, and "+
		"%d bytes were exchanged in %d rounds", parts, messages, bytes, rounds)
}

// PartsJoined is a note of a run whose parts were not enough.
func PartsJoined(parts int) string {
	return fmt.Sprintf("screening: the %d parts were joined, because a call is flagged or the calls are not all known",
		parts)
}

// Flag is a note of one flagged call.
func Flag(l *trace.Log, f *screen.Flag) string {
	w := words{log: l}
	text := "screening: " + w.at(f.At) + ": " + f.Reason.String()
	if f.Definite {
		text += ", in a run of these calls in which MPI does not buffer"
	}
	for i, p := range f.Partners {
		if i == 0 {
			text += "; it could match, or competes for, "
		} else {
			text += ", "
		}
		text += w.at(p)
	}
	return text
}

// at names a call: "rank 1's 2nd call MPI_Send to rank 3 at main (a.c:12)".
func (w *words) at(p screen.Place) string {
	t := &w.log.Threads[p.Thread]
	o := &t.Ops[p.Op]
	text := fmt.Sprintf("rank %d's %s call %s", t.Rank, finding.Ordinal(int(p.Op)+1), w.name(o))
	if p.Part >= 0 {
		x := &t.Parts[p.Part]
		switch x.Kind {
		case op.Send:
			text += fmt.Sprintf(" to rank %d", x.Peer)
		case op.Recv, op.Probe:
			text += " " + source(x).Text
		}
	}
	if s := w.frame(o); s.File != "" {
		text += fmt.Sprintf(" (%s:%d)", s.File, s.Line)
	}
	return text
}
