package house

import (
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	maxColumns = 120
	tabColumns = 4
	// maxLong is how many of a thousand lines may be longer: raw strings and words that cannot be broken.
	maxLong = 3
)

func TestLinesOfGoAreShort(t *testing.T) {
	lines, long := 0, []string(nil)
	tracked(t, func(name, text string) {
		if !strings.HasSuffix(name, ".go") || strings.Contains(name, "testdata/") ||
			strings.Contains(text, "DO NOT EDIT.") {
			return
		}
		for line := range strings.Lines(text) {
			lines++
			if columns := utf8.RuneCountInString(line) - 1 + (tabColumns-1)*strings.Count(line,
				"\t"); columns > maxColumns {
				long = append(long, name+": "+strings.TrimSpace(line))
			}
		}
	})
	if lines == 0 || len(long)*1000 > maxLong*lines {
		t.Errorf("%d of %d lines have more than %d columns, more than %d in 1,000; hint: break them:\n%s",
			len(long), lines, maxColumns, maxLong, strings.Join(long, "\n"))
	}
}
