package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"unknot/internal/vocab/finding"
)

// Result is a case run plain and watched.
type Result struct {
	Case    `json:"-"`
	ID      string  `json:"case"`
	Plain   outcome `json:"plain"`
	Watched outcome `json:"watched"`
	// Varies says that two plain runs differ from each other: then a difference under unknot says nothing.
	Varies   bool              `json:"varies,omitempty"`
	Output   bool              `json:"same_output"`   // the watched run's output is that of a plain one
	Run      *finding.Run      `json:"run,omitempty"` // without its findings
	Findings []finding.Finding `json:"findings,omitempty"`
	Judged   `json:"-"`
}

// took is how long the case has kept one of the jobs busy, about.
func (r Result) took() time.Duration {
	return time.Duration((r.Plain.Seconds + r.Watched.Seconds) * float64(time.Second))
}

// failed says that unknot changed the run, or that its own record of the run is missing.
func (r Result) failed() bool {
	if r.Plain.TimedOut {
		return false
	}
	return r.Run == nil || !r.Varies && (!r.sameExit() || !r.Output)
}

// sameExit compares the exit statuses; findings of severity error stand for a status of unknot's own, and then the
// program's is taken from the JSON report.
func (r Result) sameExit() bool {
	if r.Watched.TimedOut || r.Run == nil {
		return false
	}
	return r.Plain.Exit == r.Watched.Exit || r.Watched.Exit == 66 && r.Plain.Exit == r.Run.Exit
}

// compare runs a case plain, then watched. If the two differ it runs it plain a second time, to see whether plain runs
// differ as well. A plain run that does not end in time is not repeated under watch: its hang is the program's own;
// unless the program makes errors on purpose, for then it may hang because of them, and they are to be found.
func compare(unknot string, c Case, limit time.Duration) Result {
	if c.Group != suiteGroup {
		limit = max(limit, applicationLimit)
	}
	r := Result{Case: c, ID: c.id()}
	r.Plain = execute(c, c.Command, limit)
	if r.Plain.Exit != 0 && c.Full != nil {
		c.Command = c.Full
		r.Case = c
		r.Plain = execute(c, c.Command, limit)
	}
	if r.Plain.TimedOut && !c.erroneous() {
		return r
	}
	report, err := os.CreateTemp("", "apps-*.json")
	if err != nil {
		r.Watched.stderr = []byte(err.Error())
		return r
	}
	report.Close()
	defer os.Remove(report.Name())
	watch := append([]string{unknot, "run", "--color=never", "--check=all", "--json", report.Name()}, c.Command...)
	r.Watched = execute(c, watch, 3*limit)
	if text, err := os.ReadFile(report.Name()); err == nil {
		var run finding.Run
		if json.Unmarshal(text, &run) == nil {
			r.Run, r.Findings = &run, run.Findings
			run.Findings = nil
		}
	}
	r.Output = slices.Equal(essence(c, r.Plain), essence(c, r.Watched))
	if !r.Plain.TimedOut && (!r.Output || !r.sameExit()) {
		again := execute(c, c.Command, limit)
		r.Varies = again.Exit != r.Plain.Exit || !slices.Equal(essence(c, again), essence(c, r.Plain))
	}
	return r
}

// applicationLimit is the least time limit of what is not a test of the suite but a program in earnest.
const applicationLimit = 3 * time.Minute

// passing are parts of lines that differ from run to run.
var passing = regexp.MustCompile(
	`0x[0-9a-fA-F]+|\b[0-9a-f]{6,}\b|\d+\.\d+(e[-+]?\d+)?|\b(pid|PID|process)[ :=]*\d+|\[[\w.-]+:\d+\]`)

// essence is what must be the same in two runs: the lines of the output less times, addresses and the like, sorted
// because ranks print in any order. Standard error has unknot's own words in it and is not compared.
func essence(c Case, o outcome) []string {
	var lines []string
	for line := range strings.Lines(string(o.stdout)) {
		line = strings.TrimRight(line, " \r\n")
		if c.Keep != nil {
			m := c.Keep.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			lines = append(lines, m[len(m)-1])
			continue
		}
		if line != "" {
			lines = append(lines, passing.ReplaceAllString(line, "…"))
		}
	}
	slices.Sort(lines)
	return lines
}

func (r Result) watchedStatus() string {
	if r.Plain.TimedOut && r.Run == nil {
		return "-"
	}
	return r.Watched.status()
}

// line is the result in short.
func (r Result) line() string {
	word := "same"
	switch {
	case r.Plain.TimedOut:
		word = "plain run exceeds the limit"
	case r.Varies:
		word = "plain runs vary"
	case r.failed():
		word = "DIFFERS"
	}
	return fmt.Sprintf("%-60s %s/%s %.1f/%.1f s %s%s", r.Name, r.Plain.status(), r.watchedStatus(), r.Plain.Seconds,
		r.Watched.Seconds, word, codes(r.wrong()))
}

// wrong are the findings other than information.
func (r Result) wrong() (out []finding.Finding) {
	for _, f := range r.Findings {
		if f.Severity != finding.Info {
			out = append(out, f)
		}
	}
	return out
}

func codes(findings []finding.Finding) string {
	var b strings.Builder
	for _, f := range findings {
		fmt.Fprintf(&b, " [%s]", f.Code)
	}
	return b.String()
}

// print shows all of a result, for the one who looks for the cause.
func (r Result) print(w io.Writer) {
	fmt.Fprintf(w, "== %s\nin %s: %s\n", r.line(), r.Dir, strings.Join(r.Command, " "))
	fmt.Fprintf(w, "-- plain\n%s%s-- watched\n%s%s", r.Plain.stdout, r.Plain.stderr, r.Watched.stdout, r.Watched.stderr)
	for _, m := range r.Missed {
		fmt.Fprintf(w, "-- not found: %s\n", m)
	}
	for _, f := range r.Unexplained {
		fmt.Fprintf(w, "-- not expected: %s\n", short(f))
	}
}
