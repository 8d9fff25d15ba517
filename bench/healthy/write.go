package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"unknot/bench/section"
)

const (
	document = "bench/HEALTHY.md"
	heading  = "# Jobs that are well"
	keys     = 2
	head     = "| program | looked at by | jobs | hours | looks | false alarms |\n|---|---|--:|--:|--:|--:|\n"
)

// write adds what was seen to what the document has.
func (b *bench) write() error {
	before, err := section.Rows(document, heading, keys)
	if err != nil {
		return err
	}
	total := seen{}
	rows := make(map[string]*seen)
	for key, line := range before {
		if s := parse(line); s.jobs > 0 && !strings.HasPrefix(key, "all jobs") {
			rows[key] = &s
		}
	}
	for key, s := range b.seen {
		if rows[key] == nil {
			rows[key] = &seen{}
		}
		rows[key].add(s)
	}
	var lines strings.Builder
	for _, key := range slices.Sorted(maps.Keys(rows)) {
		total.add(rows[key])
		lines.WriteString(rows[key].line(key) + "\n")
	}
	text := fmt.Sprintf(`%s

Written by bench/healthy, which adds to it. Programs that are right ran several at a time, with more ranks than
processors. To each of them one of these things was done: nothing; all of its ranks were stopped for 3 to 15 s, again and
again; one of them was; or other processes took the processors. A look is one by unknot attach, or the watching of a whole
job. A false alarm is a finding that calls the job hung: %s.

%s%s
| all jobs | of %d kinds | %d | %.1f | %d | %d |
`, heading, strings.Join(alarming(), ", "), head, strings.TrimRight(lines.String(), "\n"), len(rows), total.jobs,
		total.time.Hours(), total.looks, total.false)
	if len(b.alarms) > 0 {
		text += "\nFalse alarms of the last run:\n\n- " + strings.Join(b.alarms, "\n- ") + "\n"
	}
	return section.Replace(document, heading, text)
}
