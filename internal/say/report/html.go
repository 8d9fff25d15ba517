package report

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"

	"unknot/internal/vocab/finding"
)

// HTMLOptions says where the page gets what the findings do not carry.
type HTMLOptions struct {
	// Source gives the lines around a line of a file, or nothing; see ReadSource. Without it there are no excerpts.
	Source func(file string, line, context int) []SourceLine
	// Catalogue explains the codes of the findings.
	Catalogue finding.Catalogue
	// Editor is where links to the source lead.
	Editor Editor
}

//go:embed page/page.html page/*.css page/*.js
var pageFiles embed.FS

// HTML writes the result of a run as one page that needs no network and no other file. All content is there without
// JavaScript; the script only opens and closes sections, and opens them all for print.
func HTML(w io.Writer, run *finding.Run, opt HTMLOptions) error {
	text := func(name string) string {
		b, err := pageFiles.ReadFile("page/" + name)
		if err != nil {
			return ""
		}
		return string(b)
	}
	page, err := template.New("page").Parse(text("page.html"))
	if err != nil {
		return err
	}
	run = normal(run)
	data := pageData(run, opt)
	style, script := text("style.css"), text("page.js")+text("theme.js")+text("find.js")+text("keys.js")
	if data.Lanes != "" || len(data.Grids) > 0 {
		style, script = style+text("lanes.css"), script+text("lanes.js")
	}
	sum := sha256.Sum256([]byte(script))
	data.Style, data.Script = template.CSS(style+text("print.css")), template.JS(script)
	// The page may run this one script and load nothing, whatever text of the program it shows.
	data.Policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-" +
		base64.StdEncoding.EncodeToString(sum[:]) + "'"
	return page.Execute(w, data)
}

// page is what the template shows; all strings are made safe by the template.
type page struct {
	Style    template.CSS
	Script   template.JS
	Policy   string
	Title    string
	Verdict  string
	Claim    string // what is claimed of other runs, in a sentence; empty if nothing is
	Worst    string
	Complete bool
	Why      string
	Command  string
	Glance   []string
	Facts    []fact
	Notes    []string
	Total    int       // of findings
	Findings []section // if they are few
	Chapters []chapter // if they are many
	Grids    []grid
	Glimpse  *glimpsed // nil unless the job was looked at from outside
	Lanes    string    // the time line, as JSON; empty if there is none
	Kept     int       // calls of each thread in it, at most
	Legend   bool
	Who      string // "Ranks", or what the language calls them
	Many     string // the same within a sentence
}

type fact struct{ Name, Value string }

// section is one finding.
type section struct {
	ID, Code, Severity, Standing, Meaning string
	Ranks, Files                          string // that it names, for the search
	Site                                  string
	Sentence, Hint, Seen, Check           string
	Notes                                 []string
	Steps                                 []string
	drawings
	Tables   []table
	Excerpts []excerpt
	Doc      *doc
	Like     string // the finding that has the same Doc, if this one has none
}

// drawings are the pictures of a finding.
type drawings struct {
	Messages      template.HTML
	Graph         template.HTML
	Caption       []string
	Line, Moments timeline
	Parted        bool   // the moments are where ranks went different ways
	Who           string // "rank", or what the language calls it
}

type doc struct {
	Title             string
	Means, Why, Fix   []string
	Broken, FixedCode string
}

// A table has one row a group of ranks.
type table struct {
	Title string
	Heads []string
	Core  bool
	Rows  []row
	Rest  []row  // that are shown if they are asked for
	More  string // how many these are
	Left  string // what did not fit
}

// Remaining is the table of the rest.
func (t table) Remaining() table { return table{Heads: t.Heads, Core: t.Core, Rows: t.Rest} }

type row struct {
	Who, Call, Args string
	position
	Through, State, Waits, Where string
	Stack                        []stackFrame
}

type stackFrame struct {
	position
	Inlined bool
}

// Bounds on a table: rows that are seen at once, and rows in all. Beyond these only a machine can read on, and has the
// JSON.
const (
	rowsAtOnce = 24
	maxRows    = 200
)

func pageData(run *finding.Run, opt HTMLOptions) *page {
	names := sources{namesOf(run), opt.Editor, make(lexers)}
	p := &page{Total: len(run.Findings), Who: run.Language.Terms().Heading, Many: run.Language.Terms().Processes,
		Complete: run.Complete,
		Why:      clean(run.Why),
		Command:  ShellLine(visible(run.Command))}
	count := make(map[finding.Severity]int)
	for i := range run.Findings {
		count[run.Findings[i].Severity]++
	}
	explained := make(map[finding.Code]string) // the finding that has the explanation
	section := func(i int) section {
		f := &run.Findings[i]
		s := sectionOf(nameOf(i), f, run, names, opt)
		p.Legend = p.Legend || s.Graph != ""
		if s.Doc == nil {
			return s
		}
		if s.Like = explained[f.Code]; s.Like == "" {
			explained[f.Code] = s.ID
		}
		return s
	}
	if len(run.Findings) <= fewFindings {
		for i := range run.Findings {
			p.Findings = append(p.Findings, section(i))
		}
	} else {
		p.Chapters = chaptersOf(run, names, section)
	}
	p.Grids, p.Lanes = gridsOf(run), lanesOf(run, names.shortNames).text()
	if run.History != nil {
		p.Kept = run.History.Kept
	}
	p.Glimpse = glimpsedOf(run)
	p.Title, p.Worst = "nothing found", "clean"
	if run.Unwatched() {
		p.Title, p.Worst = "not watched", "warning"
	}
	if len(run.Findings) > 0 {
		p.Title, p.Worst = run.Findings[0].Sentence, string(run.Findings[0].Severity)
	}
	p.Title = visible([]string{p.Title})[0]
	p.Verdict, p.Claim = verdict(count), clean(run.Verdict)
	if run.Unwatched() {
		p.Verdict = "Not watched"
	}
	if p.Why == "" && !p.Complete {
		p.Why = "The run was not watched to its end."
	}
	p.Glance = glance(run)
	p.Facts = facts(run)
	p.Notes = visible(run.Notes)
	for _, k := range run.Known {
		p.Notes = append(p.Notes, clean(k.String()+" left out; `unknot checks --suppressions` lists them"))
	}
	return p
}

func verdict(count map[finding.Severity]int) string {
	var parts []string
	if n := count[finding.Error]; n > 0 {
		parts = append(parts, plural(n, "error", "errors"))
	}
	if n := count[finding.Warning]; n > 0 {
		parts = append(parts, plural(n, "warning", "warnings"))
	}
	if n := count[finding.Info]; n > 0 {
		parts = append(parts, fmt.Sprintf("%d for information", n))
	}
	if len(parts) == 0 {
		return "Nothing found"
	}
	return strings.Join(parts, ", ")
}

// glance gives the few facts for the head of the page.
func glance(run *finding.Run) []string {
	out := []string{counted(run.Language.Terms(), run.Ranks)}
	if run.MPI != "" {
		out = append(out, run.MPI)
	}
	if run.Glimpse != nil {
		return visible(append(out, "looked at for "+seconds(run.Seconds)))
	}
	return visible(append(out, plural(run.Calls, run.Language.Terms().Library+" call",
		run.Language.Terms().Library+" calls"),
		seconds(run.Seconds)))
}

func seconds(s float64) string { return fmt.Sprintf("%.2f s", s) }

func facts(run *finding.Run) []fact {
	exit := fmt.Sprint(run.Exit)
	if run.Exit > 128 && run.Exit < 128+65 {
		exit += fmt.Sprintf(" (ended by signal %d)", run.Exit-128)
	}
	watched := "yes"
	if !run.Complete {
		watched = "no: " + run.Why
	}
	calls := number(run.Calls)
	if run.Glimpse != nil {
		exit, watched, calls = "", "", ""
	}
	all := []fact{
		{"Command", ShellLine(visible(run.Command))}, {"MPI", run.MPI},
		{run.Language.Terms().Heading, number(run.Ranks)},
		{"Hosts", hosts(run.Hosts)}, {"Started", run.Start}, {"Wall time", seconds(run.Seconds)},
		{run.Language.Terms().Library + " calls watched", calls}, {"Exit status of the launcher", exit},
		{"Watched to the end", watched},
		{"unknot", run.Unknot}, {"Schema", run.Schema},
	}
	var out []fact
	for _, f := range all {
		if f.Value != "" {
			out = append(out, fact{f.Name, clean(f.Value)})
		}
	}
	return out
}

// maxHosts is how many hosts are named before the rest is counted.
const maxHosts = 16

func hosts(names []string) string {
	if n := len(names) - maxHosts; n > 0 {
		return strings.Join(names[:maxHosts], ", ") + " and " + number(n) + " more"
	}
	return strings.Join(names, ", ")
}

// visible writes control characters as escapes: the template keeps text from becoming markup, but not from reordering
// what is read.
func visible(in []string) []string {
	out := make([]string, len(in))
	for i, s := range in {
		out[i] = clean(s)
	}
	return out
}

// together keeps a count and its type in one line: "1 × MPI_INT".
func together(args string) string { return strings.ReplaceAll(args, " × ", "\u00a0×\u00a0") }

func sectionOf(id string, f *finding.Finding, run *finding.Run, names sources, opt HTMLOptions) section {
	s := section{
		ID: id, Code: clean(string(f.Code)), Severity: string(f.Severity), Standing: string(f.Standing),
		Meaning: meaning(f.Standing), Sentence: clean(f.Sentence), Check: clean(f.Check), Hint: clean(f.Hint),
		Notes: visible(finding.Sentences(f.Notes)), drawings: drawings{Who: f.Language.Terms().Process},
	}
	s.Ranks, s.Files = ranksNamed(f), clean(strings.Join(filesNamed(f), " "))
	s.Site = clean(names.line(siteOf(f)))
	if f.Count > 1 {
		s.Seen = "seen " + number(f.Count) + " times"
	}
	if f.Baseline == finding.Unchanged {
		s.Seen = strings.TrimPrefix(s.Seen+"; in the baseline", "; ")
	}
	if f.Story != nil {
		for i := range f.Story.Steps {
			s.Steps = append(s.Steps, sentenceOf(&f.Story.Steps[i], names.shortNames))
		}
		s.Messages = diagram(id+"-m", f.Story)
	}
	language := f.Language.Terms()
	core, others := fold(f.Places, run.Ranks, language), fold(f.Others, run.Ranks, language)
	s.Graph, s.Caption = drawn(id, f, run.Ranks, names.shortNames)
	if len(core) > 0 {
		s.Tables = append(s.Tables, tableOf(language.Heading+" at fault", true, core, names))
	}
	if len(others) > 0 {
		s.Tables = append(s.Tables, tableOf(othersTitle(f, others), false, others, names))
	}
	s.Excerpts = excerpts(core, others, f, names, opt.Source)
	s.Line = timelineOf(core, others, names)
	s.Moments, s.Parted = momentsOf(f, names), f.Parted()
	if d, ok := opt.Catalogue.Explain(f.Code); ok {
		split := func(s string) []string { return strings.Split(s, "\n\n") }
		s.Doc = &doc{d.Title, split(d.Means), split(d.Why), split(d.Fix), d.Broken, d.Fixed}
	}
	return s
}

func meaning(s finding.Standing) string {
	switch s {
	case finding.Manifest:
		return "it happened in this run"
	case finding.Confirmed:
		return "it was predicted, then made to happen"
	case finding.Predicted:
		return "it follows from the calls of this run, but did not happen in it"
	}
	return ""
}

// drawn gives the picture of a finding, if somebody waits for somebody, and what must be said about it.
func drawn(id string, f *finding.Finding, world int, names shortNames) (template.HTML, []string) {
	g := graphOf(f, world, names)
	if len(g.arcs) == 0 {
		return "", nil
	}
	var caption []string
	if g.coarse {
		caption = append(caption,
			f.Language.Terms().Heading+" in the same function share a box, although their arguments differ. "+
				"The table has "+
				"the details.")
	}
	if g.undrawn > 0 {
		caption = append(caption, plural(g.undrawn, "more group of "+f.Language.Terms().Processes+" is",
			"more groups of "+f.Language.Terms().Processes+" are")+" not drawn.")
	}
	return layOut(g).svg(id, "Who waits for whom: "+f.Sentence), caption
}

func tableOf(title string, core bool, groups []group, names sources) table {
	t := table{Title: title, Heads: []string{groups[0].in.Heading, groups[0].in.Doing, "Where", "Waits for"},
		Core: core}
	for i := range groups[:min(len(groups), maxRows)] {
		g := &groups[i]
		r := row{
			Who: g.who(), Call: clean(g.first.Call),
			Args:     together(clean(spaced(g.args, argumentWords(g.first.Argument)))),
			position: names.position(g.first.Frame, g.time()), State: g.stateWords(), Waits: clean(g.waitWords()),
		}
		if g.first.Meaning.Written {
			r.Call, r.Args = r.Call+clean(g.args), clean(argumentWords(g.first.Argument))
		}
		if len(g.ranks) == 1 {
			r.Where = clean(g.first.Host)
			if g.first.PID > 0 {
				r.Where = spaced(r.Where, fmt.Sprintf("pid %d", g.first.PID))
			}
		}
		within, callers := split(&g.first)
		r.Through = clean(names.through(within))
		if len(within)+len(callers) > 0 {
			for _, f := range g.first.Stack {
				r.Stack = append(r.Stack, stackFrame{names.position(f, ""), f.Inlined})
			}
		}
		t.Rows = append(t.Rows, r)
	}
	if n := len(t.Rows) - rowsAtOnce; n > 0 {
		t.Rows, t.Rest = t.Rows[:rowsAtOnce], t.Rows[rowsAtOnce:]
		t.More = plural(n, "more row", "more rows")
	}
	if n := len(groups) - maxRows; n > 0 {
		t.Left = "The JSON report has " + plural(n, "further row", "further rows") + "."
	}
	return t
}
