package report

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"unknot/internal/vocab/finding"
)

// lanes is the picture of a history, which the page's script draws. Its lists are short, as there are many.
type lanes struct {
	End   int        `json:"end"`   // when the last call ends, in moments
	Calls [][]string `json:"calls"` // function, arguments, place, path of the file, kind
	// Threads are those of the history.
	Threads []lane `json:"threads"`
	// Rows are what is drawn: a thread, or several that called the same at the same places, of which the first is
	// drawn.
	Rows []laneRow `json:"rows"`
	// Messages are thread and bar of the sender and of the receiver, Together those of the members of a collective.
	Messages [][4]int   `json:"messages"`
	Together [][][2]int `json:"together"`
}

type lane struct {
	Who     string `json:"who"`
	Earlier string `json:"earlier,omitempty"` // how many calls came before, in words
	Open    bool   `json:"open,omitempty"`    // the last call has not returned
	Mark    string `json:"mark,omitempty"`    // what findings say of its rank
	// Bars are the call, start and end; of calls that were left out -1, start, end, how often they were repeated, and
	// how many they are.
	Bars [][]int64 `json:"bars"`
}

type laneRow struct {
	Who     string `json:"who"`
	Threads []int  `json:"threads"`
}

// unfolded is how many threads have rows of their own, at most, before those that do the same share one.
const unfolded = 24

// lanesOf is the picture of a run's history; nil if it has none.
func lanesOf(run *finding.Run, names shortNames) *lanes {
	h := run.History
	if h == nil || !slices.ContainsFunc(h.Threads, func(t finding.Track) bool { return len(t.Steps) > 0 }) {
		return nil
	}
	bars, end := clock(h)
	l := &lanes{End: max(end, 1), Calls: [][]string{}, Threads: []lane{}, Messages: [][4]int{}, Together: [][][2]int{}}
	for i := range h.Calls {
		c := &h.Calls[i]
		l.Calls = append(l.Calls, []string{clean(c.Call), clean(c.Args), clean(names.at(c.Frame)), clean(c.File),
			kindOf(c.Call)})
	}
	at := make([][]int, len(h.Threads)) // bars of the steps
	marks := marksOf(run)
	for i := range h.Threads {
		t := &h.Threads[i]
		a := lane{Who: threadName(run, t), Open: t.Open, Mark: marks[t.Rank], Bars: [][]int64{}}
		if t.Earlier > 0 {
			a.Earlier = plural(t.Earlier, "earlier call", "earlier calls")
		}
		at[i] = make([]int, len(t.Steps))
		for k, b := range bars[i] {
			if b.Repeat != nil {
				a.Bars = append(a.Bars, []int64{-1, int64(b.Start), int64(b.End), int64(b.Repeat.Times),
					int64(b.Repeat.Calls)})
				continue
			}
			at[i][b.Step] = k
			a.Bars = append(a.Bars, []int64{int64(t.Steps[b.Step]), int64(b.Start), int64(b.End)})
		}
		l.Threads = append(l.Threads, a)
	}
	for _, m := range h.Messages {
		l.Messages = append(l.Messages, [4]int{m[0], at[m[0]][m[1]], m[2], at[m[2]][m[3]]})
	}
	for i := range h.Collectives {
		var members [][2]int
		for _, m := range h.Collectives[i].Members {
			members = append(members, [2]int{m[0], at[m[0]][m[1]]})
		}
		l.Together = append(l.Together, members)
	}
	l.Rows = laneRows(run, l)
	return l
}

func threadName(run *finding.Run, t *finding.Track) string {
	name := run.Language.Terms().Process + " " + strconv.Itoa(t.Rank)
	if t.Thread > 0 {
		name += " thread " + strconv.Itoa(t.Thread)
	}
	return name
}

// laneRows folds threads that made the same calls at the same places: those of many ranks.
func laneRows(run *finding.Run, l *lanes) (rows []laneRow) {
	known := make(map[string]int)
	for i := range l.Threads {
		t := &l.Threads[i]
		key := strconv.Itoa(i)
		if len(l.Threads) > unfolded {
			key = doing(run, l, i)
		}
		n, there := known[key]
		if !there {
			n = len(rows)
			known[key], rows = n, append(rows, laneRow{Who: t.Who})
		}
		rows[n].Threads = append(rows[n].Threads, i)
	}
	for i := range rows {
		if len(rows[i].Threads) > 1 {
			var ranks []int
			for _, t := range rows[i].Threads {
				ranks = append(ranks, run.History.Threads[t].Rank)
			}
			language := run.Language.Terms()
			rows[i].Who = label(&language, ranks)
		}
	}
	return rows
}

// doing is what a thread did, except for arguments and times, and what findings say of it.
func doing(run *finding.Run, l *lanes, thread int) string {
	t, of := &l.Threads[thread], &run.History.Threads[thread]
	var b strings.Builder
	fmt.Fprintf(&b, "%d %v %s", of.Thread, t.Open, t.Mark)
	for _, bar := range t.Bars {
		if bar[0] < 0 {
			fmt.Fprintf(&b, ";%d %d", bar[3], bar[4])
			continue
		}
		c := l.Calls[bar[0]]
		fmt.Fprintf(&b, ";%s@%s@%s", c[0], c[2], c[3])
	}
	return b.String()
}

// What findings say of a rank: at fault, or stuck because of others.
const (
	atFault = "at fault"
	isStuck = "stuck"
)

// marksOf says of each rank that a finding has stuck or dead what it is. That it is at fault is said rather than that
// it is stuck.
func marksOf(run *finding.Run) map[int]string {
	marks := make(map[int]string)
	mark := func(places []finding.Place, as string) {
		for i := range places {
			switch places[i].State {
			case "blocked", "polling", "died":
				for _, r := range append([]int{places[i].Rank}, places[i].Alike...) {
					if marks[r] != atFault {
						marks[r] = as
					}
				}
			}
		}
	}
	for i := range run.Findings {
		mark(run.Findings[i].Others, isStuck)
		mark(run.Findings[i].Places, atFault)
	}
	return marks
}

// kindOf says by its name what a call does, for its colour.
func kindOf(call string) string {
	name := strings.ToLower(strings.TrimPrefix(strings.TrimPrefix(call, "P"), "MPI_"))
	has := func(parts ...string) bool {
		for _, p := range parts {
			if strings.Contains(name, p) {
				return true
			}
		}
		return false
	}
	switch {
	case strings.HasPrefix(name, "win_"), strings.HasPrefix(name, "file_"), has("accumulate"), name == "put",
		name == "get":
		return "other"
	case strings.HasPrefix(name, "wait"), strings.HasPrefix(name, "test"), has("probe"):
		return "wait"
	case has("barrier", "bcast", "reduce", "gather", "scatter", "alltoall", "scan"), strings.HasPrefix(name, "comm_"),
		strings.HasPrefix(name, "cart_"):
		return "all"
	case has("recv"):
		if has("send") {
			return "send"
		}
		return "recv"
	case has("send"), strings.HasPrefix(name, "start"), strings.HasPrefix(name, "pready"):
		return "send"
	}
	return "other"
}

// text is the picture as JSON, for the page's script.
func (l *lanes) text() string {
	if l == nil {
		return ""
	}
	b, _ := json.Marshal(l) // plain data always encodes
	return string(b)
}
