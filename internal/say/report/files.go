package report

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"unknot/internal/vocab/finding"
)

// shortNames maps each file of a run to the shortest end of its path that no other file of the run shares.
type shortNames map[string]string

func namesOf(run *finding.Run) shortNames {
	files := make(map[string]bool)
	note := func(frames ...finding.Frame) {
		for _, f := range frames {
			if f.File != "" {
				files[f.File] = true
			}
		}
	}
	for _, f := range run.Findings {
		for _, places := range [][]finding.Place{f.Places, f.Others} {
			for i := range places {
				note(places[i].Frame)
				note(places[i].Stack...)
				for _, e := range places[i].Last {
					note(e.Frame)
				}
			}
		}
	}
	for _, f := range run.Findings {
		if f.Story != nil {
			for i := range f.Story.Steps {
				note(f.Story.Steps[i].At)
			}
		}
		for i := range f.Timeline {
			note(f.Timeline[i].Frame)
		}
	}
	if run.History != nil {
		for i := range run.History.Calls {
			note(run.History.Calls[i].Frame)
		}
	}
	taken := make(map[string]int)
	for f := range files {
		for _, end := range ends(f) {
			taken[end]++
		}
	}
	names := make(shortNames)
	for f := range files {
		names[f] = f
		for _, end := range ends(f) {
			if taken[end] == 1 {
				names[f] = end
				break
			}
		}
	}
	return names
}

// ends gives the ends of a path, shortest first: "c.c", "b/c.c", "a/b/c.c".
func ends(file string) []string {
	out := []string{path.Base(file)}
	for i := len(file) - len(out[0]) - 1; i > 0; i-- {
		if file[i-1] == '/' {
			out = append(out, file[i:])
		}
	}
	return out
}

func (n shortNames) file(f string) string {
	if s, ok := n[f]; ok {
		return s
	}
	return f
}

// at writes a position: "main (a.c:14)", or without debug information "solve in libx.so (no line numbers)".
func (n shortNames) at(f finding.Frame) string {
	switch {
	case f.File != "" && f.Function != "":
		return fmt.Sprintf("%s (%s)", f.Function, n.line(f))
	case f.File != "":
		return n.line(f)
	case f.Function != "" && f.Module != "":
		return fmt.Sprintf("%s in %s (no line numbers)", f.Function, path.Base(f.Module))
	case f.Function != "":
		return f.Function
	case f.Module != "":
		return fmt.Sprintf("%s (offset %#x, no line numbers)", path.Base(f.Module), f.Offset)
	}
	return ""
}

func (n shortNames) line(f finding.Frame) string {
	if f.Line <= 0 {
		return n.file(f.File)
	}
	return fmt.Sprintf("%s:%d", n.file(f.File), f.Line)
}

// stateWords says what the state of a group means where the call alone does not.
func (g *group) stateWords() string {
	switch g.first.State {
	case "returned":
		return "got past this call in this run"
	case "polling":
		return strings.TrimSpace("polls again and again " + g.stay())
	case "finished":
		return g.in.Finished
	case "died":
		return "died"
	case "running":
		switch stay := g.first.Stay; {
		case g.leastStay >= 0:
			return g.stay()
		case stay != nil && stay.Process == "":
			return "" // the process has ended
		}
		return "runs"
	}
	return g.stay()
}

// waitWords says what a group waits for.
func (g *group) waitWords() string {
	if g.reason != "" {
		return g.reason
	}
	switch {
	case len(g.waits) == 0:
		return ""
	case g.first.Any && len(g.waits) > 1:
		return "any of " + label(&g.in, g.waits)
	}
	return label(&g.in, g.waits)
}

// who names a group: its ranks, and the thread if it is not the first of its rank.
func (g *group) who() string {
	s := label(&g.in, g.ranks)
	if g.first.Thread > 0 {
		s += " thread " + strconv.Itoa(g.first.Thread)
	}
	return s
}

// spaced joins what is not empty with one space.
func spaced(parts ...string) string {
	var out []string
	for _, p := range parts {
		if strings.TrimSpace(p) != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, " ")
}
