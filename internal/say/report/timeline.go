package report

import (
	"slices"
	"strconv"

	"unknot/internal/vocab/finding"
)

// timeline has the last operations of groups of ranks side by side: one column a group, the newest operation in the
// last row.
type timeline struct {
	Heads []head
	Rows  [][]cell
	Left  string // what did not fit
}

type head struct {
	Who, Shown string
}

type cell struct {
	Call, Args string
	position
	State string // "done", "blocked", or empty for an empty cell
}

// Most columns and rows of a time line.
const (
	maxHeads  = 12
	maxEvents = 16
)

func timelineOf(core, others []group, names sources) timeline {
	var t timeline
	var columns [][]finding.Event
	left, rows := 0, 0
	for _, g := range slices.Concat(core, others) {
		events := g.first.Last
		if len(events) == 0 {
			continue
		}
		if len(columns) == maxHeads {
			left++
			continue
		}
		h := head{Who: g.who()}
		if len(g.ranks) > 1 {
			h.Shown = "as seen on rank " + strconv.Itoa(g.first.Rank)
		}
		events = events[max(0, len(events)-maxEvents):]
		t.Heads, columns = append(t.Heads, h), append(columns, events)
		rows = max(rows, len(events))
	}
	for r := range rows {
		line := make([]cell, len(columns))
		for c, events := range columns {
			if i := r - (rows - len(events)); i >= 0 {
				e := events[i]
				line[c] = cell{clean(e.Call), together(clean(e.Args)), names.position(e.Frame, ""), e.State}
			}
		}
		t.Rows = append(t.Rows, line)
	}
	if left > 0 {
		t.Left = plural(left, "more group of ranks is", "more groups of ranks are") + " not shown."
	}
	return t
}
