package predict

import (
	"fmt"

	"unknot/internal/predict/screen"
	"unknot/internal/trace"
)

// maxFlags is how many flagged calls are told.
const maxFlags = 20

// screened tells what the screening of a log says.
func screened(l *trace.Log) []string {
	r := screen.Log(l)
	var notes []string
	flagged := 0
	for i := range r.Flags {
		f := &r.Flags[i]
		if f.Reason == screen.Lost {
			continue
		}
		if flagged++; flagged <= maxFlags {
			notes = append(notes, "screening: "+flag(l, f))
		}
	}
	if n := flagged - maxFlags; n > 0 {
		notes = append(notes, fmt.Sprintf("screening: %d more calls are flagged", n))
	}
	switch {
	case r.Certificate():
		notes = append(notes, "screening: no call is flagged, which proves that the recorded calls cannot deadlock, whatever wildcard receives meet and MPI buffers")
	case flagged == 0:
		for _, why := range r.Limits {
			notes = append(notes, "screening: no call is flagged, but that proves nothing: "+why)
		}
	default:
		notes = append(notes, fmt.Sprintf("screening: %d of %d steps are flagged; hint: without --screen it is decided whether there is a deadlock", flagged, r.Steps))
	}
	return notes
}

// flag tells one flagged call.
func flag(l *trace.Log, f *screen.Flag) string {
	w := words{log: l}
	text := w.at(f.At) + ": " + f.Reason.String()
	if f.Definite {
		text += ", for certain if MPI does not buffer"
	}
	for i, p := range f.Partners {
		if i == 0 {
			text += "; it could meet, or competes for, "
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
	text := fmt.Sprintf("rank %d's %s call %s", t.Rank, Ordinal(int(p.Op)+1), w.name(o))
	if p.Part >= 0 {
		x := &t.Parts[p.Part]
		switch x.Kind {
		case trace.Send:
			text += fmt.Sprintf(" to rank %d", x.Peer)
		case trace.Recv, trace.Probe:
			text += " from " + source(x)
		}
	}
	if s := w.frame(o); s.File != "" {
		text += fmt.Sprintf(" (%s:%d)", s.File, s.Line)
	}
	return text
}
