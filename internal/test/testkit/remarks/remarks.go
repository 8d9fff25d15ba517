// Package remarks reads what a small program says itself, in comments, of how it is run and what is expected of it.
package remarks

import (
	"regexp"
	"strings"
)

// Remark is such a comment: its line, from 1, and what stands before and after the colon.
type Remark struct {
	Line       int
	Kind, Text string
}

var remark = regexp.MustCompile(
	`(?:/\*|//|!|#)\s*(want|want-openmpi|want-mpich|note|run|only|also|by|hint|reported|flags|needs|launcher): (.*?)\s*(?:\*/.*)?$`)

// In are the remarks of a source, in order.
func In(source string) (list []Remark) {
	for i, line := range strings.Split(source, "\n") {
		if m := remark.FindStringSubmatch(line); m != nil {
			list = append(list, Remark{i + 1, m[1], m[2]})
		}
	}
	return list
}

// Job is what the text of "run" says, as "-n 3 --check=x": the number of ranks, "" if it says none, and options of
// unknot run.
func Job(text string) (ranks string, options []string) {
	for _, w := range strings.Fields(text) {
		switch n, of := strings.CutPrefix(w, "-n"); {
		case of && n != "":
			ranks = n
		case of:
		case strings.HasPrefix(w, "-"):
			options = append(options, w)
		default:
			ranks = w
		}
	}
	return ranks, options
}
