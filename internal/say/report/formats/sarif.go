package formats

import (
	"encoding/json"
	"io"
	"time"

	"unknot/internal/say/report"
	"unknot/internal/vocab/finding"
)

// What is used of SARIF 2.1.0; sections are those of https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html.

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct { // 3.14
	Tool        sarifTool                `json:"tool"`
	Invocations []sarifInvocation        `json:"invocations"`
	Bases       map[string]sarifArtifact `json:"originalUriBaseIds,omitempty"`
	Columns     string                   `json:"columnKind"`
	Results     []sarifResult            `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct { // 3.19
	Name    string      `json:"name"`
	Version string      `json:"version,omitempty"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct { // 3.49
	ID      string         `json:"id"`
	Name    string         `json:"name,omitempty"`
	Short   *sarifMessage  `json:"shortDescription,omitempty"`
	Full    *sarifMessage  `json:"fullDescription,omitempty"`
	Help    *sarifMessage  `json:"help,omitempty"`
	Default *sarifDefault  `json:"defaultConfiguration,omitempty"`
	Bag     map[string]any `json:"properties,omitempty"`
}

type sarifDefault struct {
	Level string `json:"level"`
}

type sarifMessage struct { // 3.11
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type sarifInvocation struct { // 3.20
	Successful bool                `json:"executionSuccessful"`
	Arguments  []string            `json:"arguments,omitempty"`
	Line       string              `json:"commandLine,omitempty"`
	Exit       int                 `json:"exitCode"`
	Start      string              `json:"startTimeUtc,omitempty"`
	End        string              `json:"endTimeUtc,omitempty"`
	Dir        *sarifArtifact      `json:"workingDirectory,omitempty"`
	Notes      []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

type sarifNotification struct { // 3.58
	Level   string       `json:"level"`
	Message sarifMessage `json:"message"`
}

type sarifResult struct { // 3.27
	Rule     string            `json:"ruleId"`
	Index    int               `json:"ruleIndex"`
	Level    string            `json:"level"`
	Baseline string            `json:"baselineState,omitempty"`
	Message  sarifMessage      `json:"message"`
	At       []sarifLocation   `json:"locations"`
	Related  []sarifLocation   `json:"relatedLocations,omitempty"`
	Stacks   []sarifStack      `json:"stacks,omitempty"`
	Flows    []sarifFlow       `json:"codeFlows,omitempty"`
	Prints   map[string]string `json:"partialFingerprints"`
	Count    int               `json:"occurrenceCount"`
	Bag      map[string]any    `json:"properties"`
}

type sarifLocation struct { // 3.28
	ID       *int           `json:"id,omitempty"`
	Physical *sarifPhysical `json:"physicalLocation,omitempty"`
	Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	Message  *sarifMessage  `json:"message,omitempty"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct { // 3.4
	URI  string `json:"uri"`
	Base string `json:"uriBaseId,omitempty"`
}

type sarifRegion struct {
	Line int `json:"startLine"`
}

type sarifLogical struct {
	Name string `json:"fullyQualifiedName"`
	Kind string `json:"kind"`
}

type sarifStack struct { // 3.44
	Message sarifMessage      `json:"message"`
	Frames  []sarifStackFrame `json:"frames"`
}

type sarifStackFrame struct {
	Location sarifLocation `json:"location"`
	Module   string        `json:"module,omitempty"`
}

type sarifFlow struct { // 3.36
	Threads []sarifThread `json:"threadFlows"`
}

type sarifThread struct {
	Locations []sarifStep `json:"locations"`
}

type sarifStep struct { // 3.38
	Location   sarifLocation `json:"location"`
	Order      int           `json:"executionOrder"`
	Importance string        `json:"importance,omitempty"`
}

// sourceRoot is the usual name of what relative paths are relative to.
const sourceRoot = "%SRCROOT%"

// levels are what SARIF calls severities.
func level(s finding.Severity) string {
	switch s {
	case finding.Error, finding.Warning:
		return string(s)
	}
	return "note"
}

func sarif(w io.Writer, run *report.Retold, o *Options) error {
	s := sarifWriter{run, o}
	out := sarifRun{Invocations: []sarifInvocation{s.invocation()}, Columns: "utf16CodeUnits", Results: []sarifResult{},
		Tool: sarifTool{sarifDriver{Name: "unknot", Version: report.Clean(run.Unknot), Rules: []sarifRule{}}}}
	if o.Root != "" {
		out.Bases = map[string]sarifArtifact{sourceRoot: {URI: uri(o.Root) + "/"}}
	}
	rules, fingerprints := make(map[finding.Code]int), prints(run.Findings)
	for i := range run.Findings {
		f := &run.Findings[i]
		at, known := rules[f.Code]
		if !known {
			at = len(rules)
			rules[f.Code] = at
			out.Tool.Driver.Rules = append(out.Tool.Driver.Rules, s.rule(f))
		}
		out.Results = append(out.Results, s.result(f, at, fingerprints[i]))
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(sarifLog{
		"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json", "2.1.0",
		[]sarifRun{out}})
}

type sarifWriter struct {
	run *report.Retold
	o   *Options
}

func (s *sarifWriter) invocation() sarifInvocation {
	in := sarifInvocation{Successful: s.run.Complete, Exit: s.run.Exit,
		Line: report.Clean(report.ShellLine(s.run.Command))}
	if len(s.run.Command) > 0 {
		in.Arguments = s.run.Command[1:]
	}
	if start, err := time.Parse(time.RFC3339, s.run.Start); err == nil {
		const format = "2006-01-02T15:04:05.000Z"
		in.Start = start.UTC().Format(format)
		in.End = start.Add(time.Duration(s.run.Seconds * float64(time.Second))).UTC().Format(format)
	}
	note := func(level, text string) {
		if text != "" {
			in.Notes = append(in.Notes, sarifNotification{level, sarifMessage{Text: report.Clean(text)}})
		}
	}
	if !s.run.Complete {
		note("warning", "incomplete: "+s.run.Why)
	}
	note("note", s.run.Verdict)
	for _, n := range s.run.Notes {
		note("note", n)
	}
	return in
}

func (s *sarifWriter) rule(f *finding.Finding) sarifRule {
	r := sarifRule{ID: string(f.Code), Default: &sarifDefault{level(f.Severity)}}
	doc, known := s.o.Catalogue.Explain(f.Code)
	if !known {
		return r
	}
	r.Default.Level = level(doc.Severity)
	r.Short = &sarifMessage{Text: finding.Capital(doc.Title)}
	r.Full = &sarifMessage{Text: doc.Means}
	r.Help = &sarifMessage{Text: doc.Means + "\n\nWhy it happens: " + doc.Why + "\n\nHow to fix it: " + doc.Fix,
		Markdown: helpMarkdown(doc)}
	r.Bag = map[string]any{"tags": []string{"correctness", "parallel"}}
	return r
}

func helpMarkdown(doc finding.Doc) string {
	text := doc.Means + "\n\n**Why it happens.** " + doc.Why + "\n\n**How to fix it.** " + doc.Fix
	if doc.Broken != "" {
		text += "\n\n**Broken**\n\n" + fenced("c", doc.Broken) + "\n\n**Fixed**\n\n" + fenced("c", doc.Fixed)
	}
	return text
}

func (s *sarifWriter) result(f *finding.Finding, rule int, print string) sarifResult {
	message := f.Sentence
	if f.Hint != "" {
		message += "\nhint: " + f.Hint
	}
	r := sarifResult{Rule: string(f.Code), Index: rule, Level: level(f.Severity), Baseline: f.Baseline,
		Message: sarifMessage{Text: lines(message)},
		// The first is ours; the second is what GitHub's code scanning looks at.
		Prints: map[string]string{"unknotFinding/v1": print, "primaryLocationLineHash": print},
		Count:  f.Count, Bag: map[string]any{"standing": f.Standing, "ranks": f.Ranks}}
	for _, n := range f.Notes {
		r.Message.Text += "\nnote: " + report.Clean(n.String())
	}
	first := anchor(f)
	r.At = []sarifLocation{s.location(first, "")}
	core, others := s.run.Parties(f)
	for _, p := range append(core, others...) {
		s.relate(&r, p.At, p.Who+": "+p.Does)
	}
	for _, at := range f.Related {
		s.relate(&r, at, "named in a note")
	}
	for i := range core {
		if stack := s.stack(&core[i]); stack != nil {
			r.Stacks = append(r.Stacks, *stack)
		}
	}
	if steps := s.steps(f); len(steps) > 0 {
		r.Flows = []sarifFlow{{[]sarifThread{{steps}}}}
	}
	return r
}

// maxStacks bounds the frames of a stack, and the related places of a finding.
const maxRelated, maxFrames = 100, 64

func (s *sarifWriter) relate(r *sarifResult, at finding.Frame, message string) {
	if at == (finding.Frame{}) || len(r.Related) == maxRelated {
		return
	}
	id := len(r.Related) + 1
	l := s.location(at, message)
	l.ID = &id
	r.Related = append(r.Related, l)
}

func (s *sarifWriter) stack(p *report.Party) *sarifStack {
	if len(p.Stack) < 2 {
		return nil
	}
	out := sarifStack{Message: sarifMessage{Text: p.Who}}
	for _, at := range p.Stack[:min(len(p.Stack), maxFrames)] {
		out.Frames = append(out.Frames, sarifStackFrame{s.location(at, ""), report.Clean(at.Module)})
	}
	return &out
}

// steps are how a run reaches a finding, or what threads did around a race.
func (s *sarifWriter) steps(f *finding.Finding) (out []sarifStep) {
	step := func(at finding.Frame, text string, essential bool) {
		importance := "important"
		if essential {
			importance = "essential"
		}
		out = append(out, sarifStep{s.location(at, text), len(out) + 1, importance})
	}
	if f.Story != nil {
		for i := range f.Story.Steps {
			step(f.Story.Steps[i].At, f.Story.Steps[i].Sentence, true)
		}
	}
	for i := range f.Timeline {
		m := &f.Timeline[i]
		language := f.Language.Terms()
		step(m.Frame, report.Who(&language, m.Ranks)+": "+m.Did, m.Racing)
	}
	return out
}

// location is a position with what happens there. One without a file has the module, else the command, in its place:
// readers want one.
func (s *sarifWriter) location(at finding.Frame, message string) sarifLocation {
	var l sarifLocation
	file := at.File
	if file == "" {
		file = at.Module
	}
	if file == "" {
		file = program(s.run.Run)
	}
	path, inside := s.o.relative(file)
	l.Physical = &sarifPhysical{Artifact: sarifArtifact{URI: uri(path)}}
	if inside {
		l.Physical.Artifact.Base = sourceRoot
	}
	if at.File != "" && at.Line > 0 {
		l.Physical.Region = &sarifRegion{at.Line}
	}
	if at.Function != "" {
		l.Logical = []sarifLogical{{report.Clean(at.Function), "function"}}
	}
	if message != "" {
		l.Message = &sarifMessage{Text: report.Clean(message)}
	}
	return l
}
