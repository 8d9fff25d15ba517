// Package formats writes the result of a run as other programs read it: SARIF, JUnit, GitLab's code quality,
// annotations of GitHub, Markdown, and graphs, besides the page and the JSON document of package report. It knows which format
// a file is to have, and like report it knows findings only.
package formats

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"unknot/internal/say/report"
	"unknot/internal/vocab/finding"
)

// Options are what the formats need besides the result.
type Options struct {
	// Source gives the lines around a line of a file; see report.ReadSource.
	Source func(file string, line, context int) []report.SourceLine
	// Catalogue explains the codes of the findings.
	Catalogue finding.Catalogue
	// Editor is where links to the source lead.
	Editor report.Editor
	// Counts says whether a finding sets the exit status; nil stands for errors.
	Counts func(*finding.Finding) bool
	// Root is the directory that paths are relative to if they are below it; "" stands for none.
	Root string
	// Whole has the JSON document hold what unknot needs to report it again.
	Whole bool

	suite string // the name of the suite of tests, for JUnit; "" for that of unknot
}

func (o *Options) counts(f *finding.Finding) bool {
	if o.Counts == nil {
		return f.Severity == finding.Error
	}
	return o.Counts(f)
}

// format is a kind of file.
type format struct {
	name string // before a colon, where the name of a file does not say it
	ends []string
	is   string
	// write writes it; the result is in order.
	write func(io.Writer, *report.Retold, *Options) error
}

// formats are all of them. An end that another one ends with comes before it.
func formats() []format {
	return []format{
		{"html", []string{".html", ".htm"}, "an HTML page", func(w io.Writer, run *report.Retold, o *Options) error {
			return report.HTML(w, run.Run, report.HTMLOptions{Source: o.Source, Catalogue: o.Catalogue,
				Editor: o.Editor})
		}},
		{"gitlab", []string{".codequality.json", "gl-code-quality-report.json"}, "GitLab's code quality", gitlab},
		{"json", []string{".json"}, "JSON", func(w io.Writer, run *report.Retold, o *Options) error {
			if o.Whole {
				return report.Whole(w, run.Run)
			}
			return report.JSON(w, run.Run)
		}},
		{"sarif", []string{".sarif"}, "SARIF", sarif},
		{"junit", []string{".xml"}, "JUnit", junit},
		{"md", []string{".md"}, "Markdown", markdown},
		{"dot", []string{".dot", ".gv"}, "a graph for Graphviz", func(w io.Writer, run *report.Retold, _ *Options) error {
			return run.DOT(w)
		}},
	}
}

// Report is a file that is to be written.
type Report struct {
	Path   string
	format format
}

// Choose says what is to be written where: a format by the end of each file's name, or by a word and a colon before it,
// and JSON to one more file if that has a name.
func Choose(files []string, json string) ([]Report, error) {
	var list []Report
	add := func(r Report, option string) error {
		if r.Path == "-" { // as other commands call it
			r.Path = "/dev/stdout"
		}
		for i := range list {
			if sameFile(list[i].Path, r.Path) {
				return fmt.Errorf("--%s %s: two reports would be written to this file; hint: give each a "+
					"name of its own", option, r.Path)
			}
		}
		list = append(list, r)
		return nil
	}
	for _, file := range files {
		r, err := reportOf(file)
		if err != nil {
			return nil, err
		}
		if err := add(r, "report"); err != nil {
			return nil, err
		}
	}
	if json != "" {
		for _, f := range formats() {
			if f.name == "json" {
				if err := add(Report{json, f}, "json"); err != nil {
					return nil, err
				}
			}
		}
	}
	return list, nil
}

func reportOf(file string) (Report, error) {
	for _, f := range formats() {
		if path, named := strings.CutPrefix(file, f.name+":"); named && path != "" {
			return Report{path, f}, nil
		}
	}
	for _, f := range formats() {
		for _, end := range f.ends {
			if strings.HasSuffix(file, end) {
				return Report{file, f}, nil
			}
		}
	}
	what := "has no suffix"
	if end := filepath.Ext(file); end != "" {
		what = fmt.Sprintf("has the suffix %s, which says no format", end)
	}
	return Report{}, fmt.Errorf("--report %q %s; hint: end the name in %s, or write the format before it, as in md:%s",
		file, what, suffixes(), file)
}

// suffixes lists the first end of each format.
func suffixes() string {
	var all []string
	for _, f := range formats() {
		all = append(all, f.ends[0])
	}
	return strings.Join(all[:len(all)-1], ", ") + " or " + all[len(all)-1]
}

// sameFile says whether two paths name one file, which need not be there yet.
func sameFile(a, b string) bool {
	if x, err := os.Stat(a); err == nil {
		if y, err := os.Stat(b); err == nil {
			return os.SameFile(x, y) && x.Mode().IsRegular()
		}
	}
	x, errX := filepath.Abs(a)
	y, errY := filepath.Abs(b)
	return errX == nil && errY == nil && x == y
}

// Pictured says whether the report has what threads called last: the page, and JSON, of which the page can be made.
func (r *Report) Pictured() bool { return r.format.name == "html" || r.format.name == "json" }

// Is says whether a report is written to a file.
func (r *Report) Is(path string) bool { return path != "" && sameFile(r.Path, path) }

// Write writes a report of a run.
func (r *Report) Write(run *finding.Run, o *Options) error {
	named := *o
	named.suite = suiteOf(r.Path)
	return report.WriteFile(r.Path, func(w io.Writer) error { return r.format.write(w, report.Retell(run), &named) })
}

// suiteOf is the name of a file without its end: where each test of a project has a report, those who read them tell
// the tests apart by it. It is "" for a stream.
func suiteOf(path string) string {
	if report.Stream(path) != nil {
		return ""
	}
	name := filepath.Base(path)
	return strings.TrimSuffix(name, filepath.Ext(name))
}
