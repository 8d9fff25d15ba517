//go:build !quick

package suite

import (
	"fmt"
	"regexp"
	"strings"
)

// points is the best grade: one point each for what is reported at all (as the right check), its kind, the place, the
// threads and the cause.
const points = 5

// grade judges a message: how many of the five facts it has, and what is missing. A message of another check has none.
func grade(w want, m *message, r reading) (int, []string) {
	detected := false
	for _, id := range w.ids {
		detected = detected || id == m.id
	}
	if !detected {
		return 0, []string{"the check is " + m.id + ", want " + strings.Join(w.ids, " or ")}
	}
	got := 1
	var missing []string
	for _, problems := range [][]string{gradeKind(w, m), gradePlace(w, m, r), gradeThreads(w, m, r),
		gradeCause(w, m, r)} {
		if len(problems) == 0 {
			got++
		}
		missing = append(missing, problems...)
	}
	return got, missing
}

func gradeKind(w want, m *message) []string {
	if m.severity != w.severity || m.code != w.code {
		return []string{fmt.Sprintf("kind: %s %s, want %s %s", m.severity, m.code, w.severity, w.code)}
	}
	return nil
}

// gradePlace wants the file and the line of each place.
func gradePlace(w want, m *message, r reading) []string {
	var missing []string
	for _, name := range w.at {
		mark, ok := r.marks[name]
		if !ok || !regexp.MustCompile(regexp.QuoteMeta(mark.place)+`\D`).MatchString(m.text) {
			missing = append(missing, "place: "+name+" "+mark.place)
		}
	}
	return missing
}

var oneThread = regexp.MustCompile(`^Thread (\d+) (?:is at|has called) `)

func gradeThreads(w want, m *message, r reading) []string {
	var missing []string
	if w.on != "" {
		one := oneThread.FindStringSubmatch(m.sentence)
		if one == nil || !threadSet(one[1])[onlyOf(r.set(w.on), one[1])] {
			missing = append(missing, "threads: one of "+w.on)
		}
	}
	missing = append(missing, unsaid(w.who, "threads", m, r)...)
	for _, wanted := range w.rows {
		for t := range r.set(wanted.threads) {
			got := m.rows[t]
			operation, place := r.words(wanted.operation), r.place(wanted.place)
			if got.state != wanted.state || !strings.HasPrefix(got.operation, operation) ||
				!strings.HasPrefix(got.place, place) {
				missing = append(missing, fmt.Sprintf("threads: thread %d is %v, want %s, %s, %s", t, got, wanted.state,
					operation, place))
			}
		}
	}
	for _, wanted := range w.values {
		for _, v := range wanted.values {
			set := r.set(v.threads)
			if len(set) > 0 && !passed(m, r.words(v.value), set, "", "") {
				missing = append(missing, fmt.Sprintf("threads: %s on %s", v.value, v.threads))
			}
		}
	}
	return missing
}

// onlyOf is the thread that a message names if it is one of a set, and else none.
func onlyOf(set map[int]bool, named string) int {
	for t := range threadSet(named) {
		if set[t] {
			return t
		}
	}
	return -1
}

// gradeCause wants the words, and for values the argument, the expression, and what each thread passed.
func gradeCause(w want, m *message, r reading) []string {
	missing := unsaid(w.says, "cause", m, r)
	for _, wanted := range w.values {
		if !strings.HasPrefix(m.sentence, "The argument "+wanted.argument+" of ") {
			missing = append(missing, "cause: the argument "+wanted.argument)
		}
		for _, v := range wanted.values {
			if set := r.set(v.threads); len(set) > 0 && !passed(m, r.words(v.value), set, wanted.expression,
				r.place(wanted.at)) {
				missing = append(missing, fmt.Sprintf("cause: %s on %s: `%s` at %s", v.value, v.threads,
					wanted.expression, r.place(wanted.at)))
			}
		}
	}
	return missing
}

// unsaid are the texts that a message does not have. " || " separates different ways to say it.
func unsaid(texts []string, fact string, m *message, r reading) []string {
	var missing []string
	for _, text := range texts {
		found := false
		for _, one := range strings.Split(text, " || ") {
			found = found || strings.Contains(m.text, r.words(one))
		}
		if !found {
			missing = append(missing, fact+": "+r.words(text))
		}
	}
	return missing
}

// passed says whether a message has a value on exactly these threads.
func passed(m *message, text string, threads map[int]bool, expression, place string) bool {
	for _, v := range m.values {
		if (text == "*" && v.value != `""` || v.value == text) && spell(v.threads) == spell(threads) &&
			(expression == "" || v.expression == expression) &&
			strings.HasPrefix(v.place, place) {
			return true
		}
	}
	return false
}
