package report

import (
	"slices"
	"strconv"

	"unknot/internal/finding"
)

// performers are the ranks of a finding's timeline, each once.
func performers(moments []finding.Moment) (all []int) {
	for i := range moments {
		all = append(all, moments[i].Ranks...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// oneFile is the file of all moments, or "" if there are several.
func oneFile(moments []finding.Moment) string {
	file := ""
	for i := range moments {
		switch f := moments[i].File; {
		case f == "" || f == file:
		case file != "":
			return ""
		default:
			file = f
		}
	}
	return file
}

// moments writes the timeline of a finding, a column a thread.
func (t *terminal) moments(f *finding.Finding) {
	if len(f.Timeline) == 0 {
		return
	}
	who := performers(f.Timeline)
	heads := []string{""}
	for _, r := range who {
		heads = append(heads, f.Language().Process+" "+strconv.Itoa(r))
	}
	rows, file := make([][]string, len(f.Timeline)), oneFile(f.Timeline)
	for i := range f.Timeline {
		m := &f.Timeline[i]
		rows[i] = make([]string, len(heads))
		if m.Racing {
			rows[i][0] = f.Apart()
		}
		text := clean(m.Did)
		switch {
		case m.File == "":
		case file != "":
			text += " (line " + strconv.Itoa(m.Line) + ")"
		default:
			text += " (" + t.names.line(m.Frame) + ")"
		}
		for _, r := range m.Ranks {
			rows[i][1+slices.Index(who, r)] = text
		}
	}
	title := "  " + f.TimelineTitle()
	if file != "" {
		title += "; lines of " + clean(t.names.file(file))
	}
	t.line(title + ":")
	t.columns(heads, rows)
	t.line()
}

// momentsOf is the timeline of a finding, as that of last operations is drawn.
func momentsOf(f *finding.Finding, names shortNames) (t timeline) {
	who := performers(f.Timeline)
	for _, r := range who {
		t.Heads = append(t.Heads, head{Who: f.Language().Process + " " + strconv.Itoa(r)})
	}
	for i := range f.Timeline {
		m := &f.Timeline[i]
		c := cell{Call: clean(m.Did), At: clean(names.at(m.Frame)), Path: clean(m.File), State: "done"}
		if m.Racing {
			c.State = "racing"
		}
		row := make([]cell, len(who))
		for _, r := range m.Ranks {
			row[slices.Index(who, r)] = c
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
