package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"

	"unknot/internal/vocab/finding"
)

// Update writes what has been added to a finding of a run since it was printed as before; nothing if nothing was, or if
// it was not printed in full.
func Update(w io.Writer, run *finding.Run, before, now *finding.Finding, opt TerminalOptions) error {
	if opt.Width <= 0 {
		opt.Width = 100
	}
	if opt.Shown != nil && opt.Shown.brief[identityOf(before)] {
		return nil
	}
	t := &terminal{out: bufio.NewWriter(w), opt: opt, names: namesOf(run), world: run.Ranks}
	t.update(before, now)
	return t.out.Flush()
}

func (t *terminal) update(before, now *finding.Finding) {
	notes := slices.DeleteFunc(slices.Clone(now.Notes), func(n finding.Note) bool {
		return slices.Contains(before.Notes, n)
	})
	others := fold(normalPlaces(now.Others[min(len(before.Others), len(now.Others)):]), t.world, now.Language.Terms())
	grown := now.Count != before.Count || len(now.Ranks) != len(before.Ranks)
	rises := now.Standing != before.Standing
	if len(notes)+len(others) == 0 && !grown && !rises {
		return
	}
	text := " " + string(now.Code)
	if rises {
		text += fmt.Sprintf(" (%s)", now.Standing)
	}
	text += ", reported above"
	if len(now.Places) > 0 {
		if at := t.names.at(now.Places[0].Frame); at != "" {
			text += " at " + at
		}
	}
	if len(now.Ranks) != len(before.Ranks) {
		language := now.Language.Terms()
		text += ": " + label(&language, ascending(now.Ranks))
	}
	if now.Count > 1 && now.Count != before.Count {
		text += ", seen " + number(now.Count) + " times"
	}
	t.line("unknot: ", t.paint(severityColor(now.Severity), clean(string(now.Severity))+":"),
		t.paint(bold, clean(text)))
	if len(others) > 0 {
		t.line("  also stuck because of this:")
		t.groups("    ", others, mostOthers)
	}
	for _, n := range notes {
		t.note(n)
	}
	t.line()
}
