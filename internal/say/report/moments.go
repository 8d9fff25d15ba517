package report

import (
	"slices"
	"strconv"

	"unknot/internal/vocab/finding"
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

// rowsOf are the moments of a timeline by rows: those at which threads have parted stand beside each other, as nothing
// orders them.
func rowsOf(f *finding.Finding) (rows [][]*finding.Moment) {
	for i := range f.Timeline {
		m := &f.Timeline[i]
		if last := len(rows) - 1; m.Racing && f.Parted() && last >= 0 && rows[last][0].Racing {
			rows[last] = append(rows[last], m)
			continue
		}
		rows = append(rows, []*finding.Moment{m})
	}
	return rows
}

// moments writes the timeline of a finding, a column a thread.
func (t *terminal) moments(f *finding.Finding) {
	if len(f.Timeline) == 0 {
		return
	}
	who := performers(f.Timeline)
	heads := []string{""}
	for _, r := range who {
		heads = append(heads, f.Language.Terms().Process+" "+strconv.Itoa(r))
	}
	file := oneFile(f.Timeline)
	text := func(m *finding.Moment) string {
		switch text := clean(m.Did); {
		case m.File == "":
			return text
		case file != "":
			return text + " (line " + strconv.Itoa(m.Line) + ")"
		default:
			return text + " (" + t.names.line(m.Frame) + ")"
		}
	}
	var rows [][]string
	for _, together := range rowsOf(f) {
		row := make([]string, len(heads))
		for _, m := range together {
			if m.Racing {
				row[0] = f.Apart()
			}
			for _, r := range m.Ranks {
				row[1+slices.Index(who, r)] = text(m)
			}
		}
		rows = append(rows, row)
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
func momentsOf(f *finding.Finding, names sources) (t timeline) {
	who := performers(f.Timeline)
	for _, r := range who {
		t.Heads = append(t.Heads, head{Who: f.Language.Terms().Process + " " + strconv.Itoa(r)})
	}
	for _, together := range rowsOf(f) {
		row := make([]cell, len(who))
		for _, m := range together {
			c := cell{Call: clean(m.Did), position: names.position(m.Frame, ""), State: "done"}
			if m.Racing {
				c.State = "racing"
			}
			for _, r := range m.Ranks {
				row[slices.Index(who, r)] = c
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
