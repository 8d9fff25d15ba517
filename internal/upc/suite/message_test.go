//go:build !quick

package suite

import (
	"regexp"
	"strconv"
	"strings"
)

// A message is what upc-check reported of one mistake, read as its user does.
type message struct {
	severity, code, id, sentence string
	rows                         map[int]row // of the table, by thread
	values                       []value
	text                         string
}

// A row of the table of threads.
type row struct {
	state, operation, place string
}

// A value is what some threads passed: " 12 on threads 0, 2: `n` at f (a.upc:3)", with the lines after it about
// declarations.
type value struct {
	value      string
	threads    map[int]bool
	expression string
	place      string
}

var (
	headLine  = regexp.MustCompile(`^unknot: (error|warning): (upc-[\w-]+) \(manifest\): (.*) \[([A-Z]{3,6}-\d\d)\]$`)
	rowLine   = regexp.MustCompile(`^  ([\d, -]*\d) {2,}(\S.*?) {2,}(\S.*?) {2,}(\S.*)$`)
	valueLine = regexp.MustCompile("^  (.*) on threads? ([\\d, -]+): `(.*)` at (.*)$")
)

// messages takes apart what was reported. Text before the first message, and between messages, is somebody else's.
func messages(told string) []*message {
	var all []*message
	for line := range strings.Lines(told) {
		line = strings.TrimSuffix(line, "\n")
		if h := headLine.FindStringSubmatch(line); h != nil {
			all = append(all, &message{severity: h[1], code: h[2], sentence: h[3], id: h[4], rows: map[int]row{}})
		}
		if len(all) == 0 {
			continue
		}
		m := all[len(all)-1]
		m.text += line + "\n"
		if v := valueLine.FindStringSubmatch(line); v != nil {
			m.values = append(m.values, value{value: v[1], threads: threadSet(v[2]), expression: v[3], place: v[4]})
		} else if r := rowLine.FindStringSubmatch(line); r != nil {
			for t := range threadSet(r[1]) {
				m.rows[t] = row{r[2], r[3], r[4]}
			}
		}
	}
	return all
}

// threadSet reads "0, 2-4".
func threadSet(list string) map[int]bool {
	set := map[int]bool{}
	for _, part := range strings.Split(list, ",") {
		from, to, ok := strings.Cut(strings.TrimSpace(part), "-")
		a, err := strconv.Atoi(from)
		if err != nil {
			return nil
		}
		b := a
		if ok {
			if b, err = strconv.Atoi(to); err != nil {
				return nil
			}
		}
		for ; a <= b; a++ {
			set[a] = true
		}
	}
	return set
}
