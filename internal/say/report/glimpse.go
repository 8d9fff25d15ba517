package report

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"unknot/internal/vocab/finding"
)

// mostTwigs is how many lines of call stacks the terminal shows.
const mostTwigs = 40

// twig is a line of merged call stacks: functions that the same threads are in, one called by the other.
type twig struct {
	Who   string
	Where []string
	Below []twig
}

func twigs(list []finding.Branch) (all []twig) {
	for i := range list {
		b := &list[i]
		t := twig{Who: crowd(b), Where: []string{clean(b.Where())}}
		for len(b.Below) == 1 && b.Below[0].Threads == b.Threads {
			b = &b.Below[0]
			t.Where = append(t.Where, clean(b.Where()))
		}
		t.Below = twigs(b.Below)
		all = append(all, t)
	}
	return all
}

// crowd says which ranks are in a branch, and with how many threads if some have several.
func crowd(b *finding.Branch) string {
	who := clean(finding.Ranks(b.Ranks).Text)
	if b.Threads > len(b.Ranks) {
		who += fmt.Sprintf(" (%d threads)", b.Threads)
	}
	return who
}

// glimpsed is what a page shows of a job that was looked at from outside.
type glimpsed struct {
	Twigs  []twig
	Left   string
	Moving string
}

func glimpsedOf(run *finding.Run) *glimpsed {
	g := run.Glimpse
	if g == nil {
		return nil
	}
	out := &glimpsed{Twigs: twigs(g.Stacks)}
	if g.Left > 0 {
		out.Left = plural(g.Left, "thread of libraries", "threads of libraries")
	}
	if len(g.Moving) > 0 {
		out.Moving = fmt.Sprintf("%s came out of an MPI call, or into one, within %s",
			finding.Ranks(g.Moving).Text, finding.Lasting(g.Seconds))
	}
	return out
}

// glimpse writes the call stacks of a job that was looked at from outside, and which ranks continue.
func (t *terminal) glimpse(run *finding.Run) {
	g := glimpsedOf(run)
	if g == nil {
		return
	}
	if len(g.Twigs) > 0 {
		t.line("call stacks, from the outermost function on:")
		left := mostTwigs
		t.twigs(g.Twigs, "  ", &left)
		if left < 0 {
			t.line("  ", t.paint(dim, "and "+plural(-left, "more line", "more lines")+"; --report FILE.html has all"))
		}
		if g.Left != "" {
			t.line("  ", t.paint(dim, "left out: "+g.Left))
		}
		t.line()
	}
	if g.Moving != "" {
		t.text("unknot: ", "", "the job continues: "+g.Moving)
	}
}

// twigs writes as many lines as are left.
func (t *terminal) twigs(list []twig, head string, left *int) {
	for _, l := range list {
		if *left--; *left >= 0 {
			before := l.Who + "  "
			for _, line := range wrap(strings.Join(l.Where, " > "), t.opt.Width-utf8.RuneCountInString(head+before)) {
				t.line(head, t.paint(bold, before), line)
				before = strings.Repeat(" ", utf8.RuneCountInString(before))
			}
		}
		t.twigs(l.Below, head+"  ", left)
	}
}
