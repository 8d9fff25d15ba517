package main

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"unknot/internal/finding"
)

// Result is a case run plain and watched.
type Result struct {
	Case
	plain, watched outcome
	// varies says that two plain runs differ from each other: then a difference under unknot says nothing.
	varies   bool
	output   bool // the watched run's output is that of a plain one
	run      *finding.Run
	findings []finding.Finding // other than information
	notes    []finding.Finding
}

// failed says that unknot changed the run, or that its own record of the run is missing.
func (r Result) failed() bool {
	if r.plain.timedOut {
		return false
	}
	return r.run == nil || !r.varies && (!r.sameExit() || !r.output)
}

// sameExit compares the exit statuses; findings of severity error stand for a status of unknot's own, and then the
// program's is taken from the JSON report.
func (r Result) sameExit() bool {
	if r.watched.timedOut || r.run == nil {
		return false
	}
	return r.plain.exit == r.watched.exit || r.watched.exit == 66 && r.plain.exit == r.run.Exit
}

// compare runs a case plain, then watched. If the two differ it runs it plain a second time, to see whether plain runs
// differ as well. A plain run that does not end in time is not repeated under watch: its hang is the program's own.
func compare(unknot string, c Case, limit time.Duration) Result {
	if c.Group != suiteGroup {
		limit = max(limit, applicationLimit)
	}
	r := Result{Case: c}
	r.plain = execute(c, c.Command, limit)
	if r.plain.exit != 0 && c.Full != nil {
		c.Command = c.Full
		r.Case = c
		r.plain = execute(c, c.Command, limit)
	}
	if r.plain.timedOut {
		return r
	}
	report, err := os.CreateTemp("", "apps-*.json")
	if err != nil {
		r.watched.stderr = []byte(err.Error())
		return r
	}
	report.Close()
	defer os.Remove(report.Name())
	watch := append([]string{unknot, "run", "--color=never", "--json", report.Name()}, c.Command...)
	r.watched = execute(c, watch, 3*limit)
	if text, err := os.ReadFile(report.Name()); err == nil {
		var run finding.Run
		if json.Unmarshal(text, &run) == nil {
			r.run = &run
			for _, f := range run.Findings {
				if f.Severity == finding.Info {
					r.notes = append(r.notes, f)
				} else {
					r.findings = append(r.findings, f)
				}
			}
		}
	}
	r.output = slices.Equal(essence(c, r.plain), essence(c, r.watched))
	if !r.output || !r.sameExit() {
		again := execute(c, c.Command, limit)
		r.varies = again.exit != r.plain.exit || !slices.Equal(essence(c, again), essence(c, r.plain))
	}
	return r
}

// applicationLimit is the least time limit of what is not a test of the suite but a program in earnest.
const applicationLimit = 3 * time.Minute

// passing are parts of lines that differ from run to run.
var passing = regexp.MustCompile(`0x[0-9a-fA-F]+|\b[0-9a-f]{6,}\b|\d+\.\d+(e[-+]?\d+)?|\b(pid|PID|process)[ :=]*\d+|\[[\w.-]+:\d+\]`)

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
	if r.plain.timedOut {
		return "-"
	}
	return r.watched.status()
}

// line is the result in short.
func (r Result) line() string {
	word := "same"
	switch {
	case r.plain.timedOut:
		word = "plain run exceeds the limit"
	case r.varies:
		word = "plain runs vary"
	case r.failed():
		word = "DIFFERS"
	}
	return fmt.Sprintf("%-60s %s/%s %.1f/%.1f s %s%s", r.Name, r.plain.status(), r.watchedStatus(), r.plain.seconds, r.watched.seconds, word, codes(r.findings))
}

func codes(findings []finding.Finding) string {
	var b strings.Builder
	for _, f := range findings {
		fmt.Fprintf(&b, " [%s]", f.Code)
	}
	return b.String()
}

// print shows all of a result, for the one who looks for the cause.
func (r Result) print(w *os.File) {
	fmt.Fprintf(w, "== %s\nin %s: %s\n", r.line(), r.Dir, strings.Join(r.Command, " "))
	fmt.Fprintf(w, "-- plain\n%s%s-- watched\n%s%s", r.plain.stdout, r.plain.stderr, r.watched.stdout, r.watched.stderr)
}
