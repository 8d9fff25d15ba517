package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"unknot/internal/vocab/finding"
)

// TerminalOptions says how to print for a terminal.
type TerminalOptions struct {
	Color bool
	// Width is the number of columns to fill; 0 stands for 100. Words are never cut, so a long file name may stick out.
	Width int
	// Reports are the paths of other reports that were written, for the closing line.
	Reports []string
	// Open leaves the closing line out: more is to come. Whole is the run that the closing line sums up, if findings of
	// it have been written before; nil stands for the run itself. Shown is what has been written of it; nil stands for
	// nothing.
	Open  bool
	Whole *finding.Run
	Shown *Shown
	// Links makes links of places in the source (OSC 8); "" where the terminal has none.
	Links Editor
}

// Most groups and stack frames of one finding that the terminal shows; the other reports have all of them.
const (
	mostAtFault = 8 // groups of which all is written
	mostOthers  = 4
	maxGroups   = 6 // lines for the rest
	maxFrames   = 12
)

// Terminal writes the findings of a run as text, then a line that sums up. The text is the same for the same run.
func Terminal(w io.Writer, run *finding.Run, opt TerminalOptions) error {
	if opt.Width <= 0 {
		opt.Width = 100
	}
	if opt.Shown == nil {
		opt.Shown = new(Shown)
	}
	run = normal(run)
	t := &terminal{out: bufio.NewWriter(w), opt: opt, names: namesOf(run), world: run.Ranks}
	t.findings(run)
	if opt.Whole != nil {
		run = normal(opt.Whole)
	}
	if !opt.Open {
		t.glimpse(run)
		if withoutLines(run) {
			t.text("unknot: ", "", "hint: compile with -g to see files and line numbers")
		}
		t.remainder()
		t.closing(run)
	}
	return t.out.Flush()
}

type terminal struct {
	out   *bufio.Writer
	opt   TerminalOptions
	names shortNames
	world int
}

// Colours, as SGR parameters.
const (
	bold   = "1"
	dim    = "2"
	red    = "1;31"
	yellow = "1;33"
	cyan   = "1;36"
)

func (t *terminal) paint(color, s string) string {
	if !t.opt.Color || color == "" || s == "" {
		return s
	}
	return "\x1b[" + color + "m" + s + "\x1b[0m"
}

func severityColor(s finding.Severity) string {
	switch s {
	case finding.Error:
		return red
	case finding.Warning:
		return yellow
	}
	return cyan
}

func (t *terminal) line(parts ...string) {
	fmt.Fprintln(t.out, strings.TrimRight(strings.Join(parts, ""), " "))
}

// text writes s wrapped to the width: the first line after the given head, the next ones below the text.
func (t *terminal) text(head, color, s string) {
	indent := strings.Repeat(" ", utf8.RuneCountInString(head))
	for i, l := range wrap(clean(s), t.opt.Width-len(indent)) {
		if i > 0 {
			head = indent
		}
		t.line(head, t.paint(color, l))
	}
}

// wrap breaks s at spaces into lines of at most width runes; a longer word has a separate line.
func wrap(s string, width int) []string {
	var lines []string
	line, n := "", 0
	for _, word := range strings.Fields(s) {
		l := utf8.RuneCountInString(word)
		if n > 0 && n+1+l > width {
			lines = append(lines, line)
			line, n = "", 0
		}
		if n > 0 {
			line, n = line+" ", n+1
		}
		line, n = line+word, n+l
	}
	if n > 0 {
		lines = append(lines, line)
	}
	return lines
}

// place writes a place in the program after a head, with a link to it if there is room for it in one line.
func (t *terminal) place(head, text string, at finding.Frame) {
	link := string(t.opt.Links.link(at))
	if link == "" || utf8.RuneCountInString(head+text) > t.opt.Width {
		t.text(head, dim, text)
		return
	}
	const begin, end = "\x1b]8;;", "\x1b\\"
	t.line(head, begin, link, end, t.paint(dim, clean(text)), begin, end)
}

func (t *terminal) finding(f *finding.Finding) {
	head := clean(fmt.Sprintf(" %s (%s)", f.Code, f.Standing))
	seen := ""
	if f.Count > 1 {
		seen = ", seen " + number(f.Count) + " times"
	}
	if f.Baseline == finding.Unchanged {
		seen += ", in the baseline"
	}
	t.line("unknot: ", t.paint(severityColor(f.Severity), clean(string(f.Severity))+":"), t.paint(bold, head), seen)
	sentence := f.Sentence
	if f.Check != "" {
		sentence += " [" + f.Check + "]"
	}
	t.text("  ", "", sentence)
	t.line()

	if f.Language.Terms().Table {
		t.table(f)
		t.remarks(f)
		return
	}
	places, others := fold(f.Places, t.world, f.Language.Terms()), fold(f.Others, t.world, f.Language.Terms())
	t.groups("  ", places, mostAtFault)
	if len(places) > 0 {
		t.line()
	}
	if len(others) > 0 {
		t.line("  also stuck because of this:")
		t.groups("    ", others, mostOthers)
		t.line()
	}
	t.story(f.Story)
	t.moments(f)
	t.remarks(f)
}

func (t *terminal) remarks(f *finding.Finding) {
	for _, n := range f.Notes {
		t.note(n)
	}
	if f.Hint != "" {
		t.text("  hint: ", "", f.Hint)
	}
	if len(f.Notes) > 0 || f.Hint != "" {
		t.line()
	}
}

// maxNoteLabel bounds the label of a note below which its lines are indented, in bytes; a longer one is the beginning
// of the first line.
const maxNoteLabel = 15

// note writes a note after its label ("nearest miss: ").
func (t *terminal) note(n finding.Note) {
	if n.Label == "" || len(n.Label) > maxNoteLabel {
		n = finding.Note{Label: "note", Text: n.String()}
	}
	t.text("  "+clean(n.Label)+": ", "", n.Text)
}

// groups writes groups of those at fault, or of the others, with all that is known of each if they are at most so many.
// Of more, the first half is written so, and the rest has a line for all that are in the same call.
func (t *terminal) groups(margin string, groups []group, most int) {
	full := groups
	if len(groups) > most {
		full = groups[:most/2]
	}
	column := t.column(groups)
	for i := range full {
		t.group(margin, column, &full[i])
	}
	rest := groups[len(full):]
	places := make(map[string]map[string]bool)
	key := func(g *group) string { return fmt.Sprint(g.first.State, " ", g.first.Call, " ", g.first.Thread) }
	for i := range rest {
		if k := key(&rest[i]); places[k] == nil {
			places[k] = make(map[string]bool)
		}
		places[key(&rest[i])][t.names.at(rest[i].first.Frame)] = true
	}
	merged := coarsen(slices.Clone(rest), key)
	for i := range merged[:min(len(merged), maxGroups)] {
		g := &merged[i]
		where := ""
		for at := range places[key(g)] {
			where = spaced("at", at)
		}
		if n := len(places[key(g)]); n > 1 {
			where = "at " + plural(n, "place", "places")
		}
		what := spaced(clean(g.first.Call), g.stateWords())
		t.text(margin+g.who()+"   ", "", spaced(what, where))
	}
	ranks := 0
	for _, g := range merged[min(len(merged), maxGroups):] {
		ranks += len(g.ranks)
	}
	if ranks > 0 {
		t.line(margin, "and ", counted(groups[0].in, ranks), " in other calls; the HTML and JSON reports show all")
	} else if len(rest) > 0 {
		t.line(margin, "the HTML and JSON reports show all of each")
	}
}

// maxColumn bounds the column of ranks; a longer list of ranks has a separate line.
const maxColumn = 18

func (t *terminal) column(groups []group) int {
	width := 0
	for i := range groups[:min(len(groups), mostAtFault)] {
		if n := utf8.RuneCountInString(groups[i].who()); n <= maxColumn {
			width = max(width, n)
		}
	}
	return max(width, len("rank 0")) + 3
}

func (t *terminal) group(margin string, column int, g *group) {
	who := g.who()
	pad := column - utf8.RuneCountInString(who)
	head := margin + t.paint(bold, who)
	below := margin + strings.Repeat(" ", column)
	if pad < 1 {
		t.line(head)
		head, pad = margin, column
	}
	head += strings.Repeat(" ", pad)

	call, state := clean(g.first.Call), g.stateWords()
	if g.first.State == "died" || call == "" {
		head += t.paint(red, state) + strings.Repeat(" ", min(len(state), 1))
		if call != "" {
			head += "in "
			if g.first.After {
				head = strings.TrimSuffix(head, "in ") + "after "
			}
		}
		state = ""
	}
	switch args := wrap(clean(g.args), t.opt.Width-len(below)-utf8.RuneCountInString(call)-2); {
	case len(args) == 0:
		t.line(head, t.paint(bold, call))
	case call == "":
		t.line(head, strings.Join(args, " "))
	default:
		t.line(head, t.paint(bold, call), "  ", args[0])
		for _, l := range args[1:] {
			t.line(below, strings.Repeat(" ", utf8.RuneCountInString(call)+2), l)
		}
	}
	if at := t.names.at(g.first.Frame); at != "" {
		t.place(below+"at ", at+g.time(), g.first.Frame)
	}
	if within, _ := split(&g.first); len(within) > 0 {
		if in := t.names.through(within); in != "" {
			t.text(below, dim, in)
		}
	}
	if state != "" {
		t.text(below, "", state)
	}
	if waits := g.waitWords(); waits != "" {
		verb := "waits for "
		if len(g.ranks) > 1 {
			verb = "each waits for "
		}
		if g.first.State == "returned" {
			verb = strings.Replace(verb, "waits for", "could have waited for", 1)
		}
		t.text(below+verb, "", waits)
	}
	t.stack(below, "", g)
}

// stack writes how the call site of a group reaches its call, and who has called it.
func (t *terminal) stack(below, who string, g *group) {
	_, callers := split(&g.first)
	lines, more := t.names.calledFrom(callers), 0
	label := "called from "
	if len(callers) > 0 && len(callers) == len(g.first.Stack) {
		label = "stack: "
	} else {
		lines, more = upToOwn(lines)
	}
	for _, l := range lines[:min(len(lines), maxFrames)] {
		t.place(below+who+label, l.text, l.at)
		who, label = strings.Repeat(" ", len(who)), "called from "
	}
	if n := more + max(len(lines)-maxFrames, 0); n > 0 {
		t.line(below, who, "and ", plural(n, "more caller", "more callers"))
	}
}

func (t *terminal) closing(run *finding.Run) {
	count := make(map[finding.Severity]int)
	for _, f := range run.Findings {
		count[f.Severity]++
	}
	var b strings.Builder
	b.WriteString("unknot: ")
	if len(run.Findings) == 0 {
		b.WriteString("nothing found")
	} else {
		fmt.Fprintf(&b, "%s, %s", plural(count[finding.Error], "error", "errors"),
			plural(count[finding.Warning], "warning", "warnings"))
		if n := count[finding.Info]; n > 0 {
			fmt.Fprintf(&b, ", %d for information", n)
		}
		if n := known(run); n > 0 {
			fmt.Fprintf(&b, " (%s in the baseline)", number(n))
		}
	}
	language := run.Language.Terms()
	unwatched := run.Unwatched() && run.Why != ""
	if unwatched {
		b.Reset()
		b.WriteString("unknot: not watched: " + clean(run.Why))
	} else if run.Glimpse != nil {
		fmt.Fprintf(&b, "; %s, looked at for %s", counted(language, run.Ranks), finding.Lasting(run.Glimpse.Seconds))
	} else {
		fmt.Fprintf(&b, "; %s, %s watched", counted(language, run.Ranks),
			plural(run.Calls, language.Call, language.Calls))
	}
	for _, k := range run.Known {
		b.WriteString("; " + k.String() + " left out")
	}
	for i, r := range t.opt.Reports {
		label := ", "
		if i == 0 {
			label = "; report: "
		}
		b.WriteString(label + clean(r))
	}
	if !run.Complete && !unwatched && (run.Why == "" || !run.Judged) {
		why := run.Why
		if why == "" {
			why = "the run was not watched to its end"
		}
		t.text("unknot: ", "", "incomplete: "+why)
	}
	t.line(b.String())
}

// known counts the findings of a run that its baseline has.
func known(run *finding.Run) (n int) {
	for i := range run.Findings {
		if run.Findings[i].Baseline == finding.Unchanged {
			n++
		}
	}
	return n
}
