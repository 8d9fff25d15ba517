package formats

import (
	"strings"

	"unknot/internal/say/report"
)

// lines cleans each line of a text.
func lines(s string) string {
	all := strings.Split(s, "\n")
	for i := range all {
		all[i] = report.Clean(all[i])
	}
	return strings.Join(all, "\n")
}

// fenced is a block of code in Markdown: its fence is longer than any run of backquotes in it.
func fenced(language, code string) string {
	fence := strings.Repeat("`", max(3, longestRun(code)+1))
	return fence + language + "\n" + strings.TrimRight(code, "\n") + "\n" + fence
}

// longestRun is the length of the longest run of backquotes.
func longestRun(s string) int {
	longest, n := 0, 0
	for _, r := range s {
		if n++; r != '`' {
			n = 0
		}
		longest = max(longest, n)
	}
	return longest
}

// inline writes text in Markdown so that it is shown as it is, on one line.
func inline(s string) string {
	var b strings.Builder
	for _, r := range report.Clean(s) {
		if strings.ContainsRune("\\`*_{}[]<>()#|~&!", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
