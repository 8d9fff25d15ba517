package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// old is how long after a step the state that it has tested says little of the present one.
const old = 14 * 24 * time.Hour

// row is what one step did when it was run last.
type row struct {
	what, command, result, state string
	took                         time.Duration
	at                           time.Time
}

// table is bench/NIGHTLY.md: the last row of each step.
type table struct {
	now   time.Time
	there func(packages string) bool
	rows  map[string]row
}

const minute = "2006-01-02 15:04"

var rowText = regexp.MustCompile("(?m)^\\| ([^|]+) \\| `([^`]+)` \\| ([^|]+) \\| (\\d+) s \\| ([^|,]+), " +
	"(\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d)[^|]* \\|$")

// parse reads the rows of a table, by step. What is no row is passed over.
func parse(text string) map[string]row {
	rows := make(map[string]row)
	for _, m := range rowText.FindAllStringSubmatch(text, -1) {
		seconds, _ := strconv.Atoi(m[4])    // they are digits
		at, err := time.Parse(minute, m[6]) // in UTC
		if err != nil {
			continue
		}
		rows[m[1]] = row{m[1], m[2], m[3], m[5], time.Duration(seconds) * time.Second, at}
	}
	return rows
}

// format writes the rows of the steps, in their order. A row whose command names packages that are gone says nothing of
// what is there now, and is left out, as are those of steps that are gone.
func (t table) format(steps []step) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# The long tests\n\nWritten by `make nightly`; do not edit. %s; the last column is the state "+
		"that was tested, and when.\n"+
		"A row is old after %d days.\n\n| what | command | result | time | state |\n|---|---|---|---|---|\n", machine(),
		int(old.Hours())/24)
	for _, s := range steps {
		r, ran := t.rows[s.what]
		if !ran || !t.current(r.command) {
			continue
		}
		mark := ""
		if t.now.Sub(r.at) > old {
			mark = " (**old**)"
		}
		fmt.Fprintf(&b, "| %s | `%s` | %s | %d s | %s, %s%s |\n",
			r.what, r.command, r.result, int(r.took.Seconds()), r.state, r.at.Format(minute), mark)
	}
	return b.String()
}

// current says whether the packages that a command names are still there.
func (t table) current(command string) bool {
	for word := range strings.FieldsSeq(command) {
		if strings.HasPrefix(word, "./") && !t.there(word) {
			return false
		}
	}
	return true
}
