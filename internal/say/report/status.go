package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"unknot/internal/vocab/finding"
)

// Status is what the line that a terminal shows during a run tells.
type Status struct {
	Ranks   int           // ranks that have reached MPI_Init
	Rate    float64       // MPI calls a second, all ranks together
	Blocked int           // ranks inside a call that waits
	Oldest  time.Duration // how long the longest of these has waited
	Rank    int           // that does
	Held    int           // ranks that wait for their agent, as it reads more slowly than they write
	Slowest string        // the host of the agent with most of them; "" if there is one host
	Watched []int         // the ranks of that agent; none if there is one agent
}

// String gives the line without colour or line end: "ranks 4 · 2 blocked · oldest 3.1 s (rank 0) · 1.2 M calls/s". What
// matters most comes first, as a narrow terminal shows the beginning.
func (s Status) String() string {
	parts := []string{"ranks " + strconv.Itoa(s.Ranks)}
	if s.Held > 0 {
		text := finding.Count(int64(s.Held), "rank", "ranks") + " held up by the agent"
		if s.Slowest != "" {
			text += " on " + s.Slowest
		} else if len(s.Watched) > 0 {
			text += " of " + label(&finding.Terms{Process: "rank", Processes: "ranks"}, s.Watched)
		}
		parts = append(parts, text)
	}
	parts = append(parts, strconv.Itoa(s.Blocked)+" blocked")
	if s.Blocked > 0 {
		parts = append(parts, fmt.Sprintf("oldest %s (rank %d)", age(s.Oldest), s.Rank))
	}
	return strings.Join(append(parts, rate(s.Rate)+" calls/s"), between)
}

// between stands between the parts of a line.
const between = " · "

// Shortened is a line without the parts at its end for which a number of columns has no room. If not even the first
// part has, it is cut.
func Shortened(line string, columns int) string {
	for utf8.RuneCountInString(line) > columns {
		at := strings.LastIndex(line, between)
		if at < 0 {
			return string([]rune(line)[:max(columns, 0)])
		}
		line = line[:at]
	}
	return line
}

// Exploring is what that line tells during an exploration.
type Exploring struct {
	Made      int           // runs
	Running   int           // that are under way
	Left      int           // that are known to be left; what these show may add others
	Remaining time.Duration // that those under way and left are likely to take; 0 if that is not known
	Judged    int           // control flows that the predictor has looked at
	Deadlocks int           // found or predicted so far
	States    int           // that the predictor has searched of the control flow that it looks at; 0 if it does not
}

// String gives the line: "1 deadlock · 3 runs made, 5 left · 20.0 s or more · 1 under way · 2 control flows judged".
// What matters most comes first, as a narrow terminal shows the beginning.
func (e Exploring) String() string {
	parts := []string{finding.Count(int64(e.Deadlocks), "deadlock", "deadlocks"),
		fmt.Sprintf("%s made, %d left", finding.Count(int64(e.Made), "run", "runs"), e.Left)}
	if e.States > 0 {
		parts = append(parts, "judging: "+finding.Count(int64(e.States), "state", "states"))
	}
	if e.Remaining > 0 {
		parts = append(parts, age(e.Remaining)+" or more")
	}
	if e.Running > 0 {
		parts = append(parts, strconv.Itoa(e.Running)+" under way")
	}
	return strings.Join(append(parts, finding.Count(int64(e.Judged), "control flow", "control flows")+" judged"), between)
}

// Predicting is what that line tells during a prediction.
type Predicting struct {
	States    int
	Deadlocks int           // found so far
	Share     float64       // of the search that is done, 0 to 1, if all branches are as large as those before them
	Remaining time.Duration // that the rest takes then, or the budget allows; 0 if that is not known
}

// String gives the line: "1 deadlock · 12000 states searched, about 25 % · about 30.0 s left".
func (p Predicting) String() string {
	done := finding.Count(int64(p.States), "state", "states") + " searched"
	if percent := int(100 * p.Share); percent > 0 {
		done += fmt.Sprintf(", about %d %%", percent)
	}
	parts := []string{finding.Count(int64(p.Deadlocks), "deadlock", "deadlocks"), done}
	if p.Remaining > 0 {
		parts = append(parts, "about "+age(p.Remaining)+" left")
	}
	return strings.Join(parts, between)
}

// rate writes a number with at most one decimal and a unit: 0, 12, 3.4 k, 1.2 M, 5.0 G.
func rate(v float64) string {
	units := []string{"", " k", " M", " G"}
	u := 0
	for v >= 999.5 && u < len(units)-1 {
		v /= 1000
		u++
	}
	if u == 0 || v >= 99.95 {
		return strconv.FormatFloat(v, 'f', 0, 64) + units[u]
	}
	return strconv.FormatFloat(v, 'f', 1, 64) + units[u]
}

// age writes a duration as a person reads a clock: 3.1 s, 2 min 5 s, 1 h 10 min.
func age(d time.Duration) string {
	switch {
	case d < time.Minute:
		return strconv.FormatFloat(d.Truncate(100*time.Millisecond).Seconds(), 'f', 1, 64) + " s"
	case d < time.Hour:
		return strconv.Itoa(int(d/time.Minute)) + " min " + strconv.Itoa(int(d%time.Minute/time.Second)) + " s"
	}
	return strconv.Itoa(int(d/time.Hour)) + " h " + strconv.Itoa(int(d%time.Hour/time.Minute)) + " min"
}
