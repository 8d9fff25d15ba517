package report

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"unknot/internal/vocab/finding"
)

// mostBranches is how many lines of call stacks the terminal shows.
const mostBranches = 40

// limb is a line of the call stacks: functions that the same threads are in, one called by the other.
type limb struct {
	Depth int
	Where []string
	Who   string
}

// limbs are the lines of merged call stacks, in the order in which they are read.
func limbs(list []finding.Branch, depth int) (lines []limb) {
	for i := range list {
		b := &list[i]
		l := limb{Depth: depth, Where: []string{clean(b.Where())}, Who: crowd(b)}
		for len(b.Below) == 1 && b.Below[0].Threads == b.Threads {
			b = &b.Below[0]
			l.Where = append(l.Where, clean(b.Where()))
		}
		lines = append(append(lines, l), limbs(b.Below, depth+1)...)
	}
	return lines
}

// crowd says which ranks are in a branch, and with how many threads if some have several.
func crowd(b *finding.Branch) string {
	who := clean(finding.Ranks(b.Ranks).Text)
	if b.Threads > len(b.Ranks) {
		who += fmt.Sprintf(" (%d threads)", b.Threads)
	}
	return who
}

// glimpse writes the call stacks of a job that was looked at from outside, and which ranks go on.
func (t *terminal) glimpse(g *finding.Glimpse) {
	lines := limbs(g.Stacks, 0)
	if len(lines) > 0 {
		t.line("call stacks, from the outermost function on:")
	}
	for i, l := range lines {
		if i == mostBranches {
			t.line("  ", t.paint(dim, fmt.Sprintf("and %d more lines; --report FILE.html has all", len(lines)-i)))
			break
		}
		head := strings.Repeat("  ", l.Depth+1)
		text := wrap(strings.Join(l.Where, " > "), t.opt.Width-len(head)-2-utf8.RuneCountInString(l.Who))
		for k, line := range text {
			switch {
			case k == 0:
				t.line(head, t.paint(bold, l.Who), "  ", line)
			default:
				t.line(head, strings.Repeat(" ", utf8.RuneCountInString(l.Who)+2), line)
			}
		}
	}
	if g.Left > 0 {
		t.line("  ", t.paint(dim, "left out: "+plural(g.Left, "thread of libraries", "threads of libraries")))
	}
	if len(lines) > 0 {
		t.line()
	}
	if len(g.Moving) > 0 {
		t.text("unknot: ", "", fmt.Sprintf("the job goes on: %s came out of an MPI call, or into one, within %s",
			finding.Ranks(g.Moving).Text, finding.Lasting(g.Seconds)))
	}
}
