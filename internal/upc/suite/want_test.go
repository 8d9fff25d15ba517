//go:build !quick

package suite

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A want is what one message has to say, fact by fact, as a program's "want" lists it.
type want struct {
	severity, code string
	ids            []string
	at             []string
	on             string // threads one of which is named as "Thread N is at …"
	rows           []wantedRow
	values         []wantedValues
	who, says      []string // words about threads, and about the cause
}

type wantedRow struct {
	threads, state, operation, place string
}

// wantedValues is an argument, the expression and the place of the call, and which threads have which value.
type wantedValues struct {
	argument, expression, at string
	values                   []wantedValue
}

type wantedValue struct {
	value, threads string // value * is any
}

// parseWant reads a want. Each of the five points needs a fact.
func parseWant(text string) (want, error) {
	var w want
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		word, rest, _ := strings.Cut(line, " ")
		fields := strings.Split(strings.ReplaceAll(rest, `\|`, "\x00"), " | ")
		for i := range fields {
			fields[i] = strings.ReplaceAll(fields[i], "\x00", "|")
		}
		switch {
		case word == "kind":
			k := strings.Fields(rest)
			if len(k) != 3 {
				return w, fmt.Errorf("kind needs a severity, a code and a check: %s", line)
			}
			w.severity, w.code, w.ids = k[0], k[1], strings.Split(k[2], "|")
		case word == "at":
			w.at = append(w.at, strings.Fields(rest)...)
		case word == "on":
			w.on = rest
		case word == "row" && len(fields) == 4:
			w.rows = append(w.rows, wantedRow{fields[0], fields[1], fields[2], fields[3]})
		case word == "values" && len(fields) > 3:
			v := wantedValues{argument: fields[0], expression: fields[1], at: fields[2]}
			for _, f := range fields[3:] {
				text, threads, ok := strings.Cut(f, " on ")
				if !ok {
					return w, fmt.Errorf("no threads in %q", f)
				}
				v.values = append(v.values, wantedValue{text, threads})
			}
			w.values = append(w.values, v)
		case word == "who":
			w.who = append(w.who, rest)
		case word == "says":
			w.says = append(w.says, rest)
		default:
			return w, fmt.Errorf("%q is not understood", line)
		}
	}
	if w.code == "" || len(w.at) == 0 || w.on == "" && len(w.who) == 0 && len(w.rows) == 0 && len(w.values) == 0 ||
		len(w.says) == 0 && len(w.values) == 0 {
		return w, errors.New("a want needs kind, place, threads and cause")
	}
	return w, nil
}

// A reading is a want for a number of threads.
type reading struct {
	marks   marks
	threads int
}

var bracedThreads = regexp.MustCompile(`\{([\dLEO, !-]+)( is| has)?\}`)

// words puts threads and places into a text: {0,2-L} becomes "thread 0" or "threads 0, 2-4", {1-L is} has the verb too,
// [L] is the last thread, [T] their number, @A a place and @@A a place with its function.
func (r reading) words(text string) string {
	text = bracedThreads.ReplaceAllStringFunc(text, func(s string) string {
		m := bracedThreads.FindStringSubmatch(s)
		set := r.set(m[1])
		list := spell(set)
		if len(set) == 1 {
			return "thread " + list + m[2]
		}
		return "threads " + list + strings.NewReplacer("is", "are", "has", "have").Replace(m[2])
	})
	text = strings.NewReplacer("[L]", strconv.Itoa(r.threads-1), "[T]", strconv.Itoa(r.threads)).Replace(text)
	for name, m := range r.marks {
		text = regexp.MustCompile(`@@`+name+`\b`).ReplaceAllLiteralString(text, m.function+" ("+m.place+")")
		text = regexp.MustCompile(`@`+name+`\b`).ReplaceAllLiteralString(text, m.place)
	}
	return text
}

var fromLast = regexp.MustCompile(`L(?:!(\d))?`)

// set reads "0,2-L"; L!1 is the last thread but one, E are those with even numbers and O the others.
func (r reading) set(list string) map[int]bool {
	if list == "E" || list == "O" {
		set := map[int]bool{}
		for t := strings.Index("EO", list); t < r.threads; t += 2 {
			set[t] = true
		}
		return set
	}
	return threadSet(fromLast.ReplaceAllStringFunc(list, func(s string) string {
		back, _ := strconv.Atoi(strings.TrimPrefix(s, "L!"))
		return strconv.Itoa(r.threads - 1 - back)
	}))
}

// spell is how messages write threads: "0, 2-4", and "0, 1" for two in a row.
func spell(set map[int]bool) string {
	all := slices.Sorted(maps.Keys(set))
	var parts []string
	for i := 0; i < len(all); {
		j := i
		for j+1 < len(all) && all[j+1] == all[j]+1 {
			j++
		}
		switch {
		case j == i:
			parts = append(parts, strconv.Itoa(all[i]))
		case j == i+1:
			parts = append(parts, fmt.Sprintf("%d, %d", all[i], all[j]))
		default:
			parts = append(parts, fmt.Sprintf("%d-%d", all[i], all[j]))
		}
		i = j + 1
	}
	return strings.Join(parts, ", ")
}

// place is what a mark stands for in a table: a place with its function; anything else is meant literally.
func (r reading) place(name string) string {
	if m, ok := r.marks[name]; ok {
		return m.function + " (" + m.place + ")"
	}
	return name
}
