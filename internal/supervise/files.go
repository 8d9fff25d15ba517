package supervise

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"unknot/internal/check/registry"
	"unknot/internal/say/report"
	"unknot/internal/say/report/formats"
	"unknot/internal/vocab/finding"
)

// Files are those that a result is written to, and the one that it is compared with.
type Files struct {
	Reports  []string // each in the format that its name says
	JSON     string   // path of one in JSON whatever it is called, "" for none
	Baseline string   // path of a saved JSON report whose findings do not count, "" for none
	Editor   string   // what links to the source open; see report.ParseEditor

	editor report.Editor
	chosen []formats.Report
	known  *finding.Run
}

// check says early what would keep the reports from being written and the baseline from being read. Nothing else is
// written to trace.
func (f *Files) check(trace string) error {
	var err error
	if f.editor, err = report.ParseEditor(f.Editor); err != nil {
		return fmt.Errorf("--editor: %w", err)
	}
	if f.chosen, err = formats.Choose(f.Reports, f.JSON); err != nil {
		return err
	}
	var errs []error
	for i := range f.chosen {
		r := &f.chosen[i]
		if r.Is(trace) {
			errs = append(errs,
				fmt.Errorf("--trace %s: a report would be written to this file, too; hint: give each a name of its own",
					trace))
		}
		errs = append(errs, writable("report", r.Path))
	}
	if f.Baseline != "" {
		if f.known, err = report.ReadFile(f.Baseline); err != nil {
			errs = append(errs, fmt.Errorf("--baseline: %w", err))
		}
	}
	return errors.Join(errs...)
}

// mark marks the findings of a result by the baseline, if there is one.
func (f *Files) mark(run *finding.Run) {
	if f.known != nil {
		finding.Against(f.known.Findings, run.Findings)
	}
}

// pictured says whether some report has the time line of the run, or can be made one that has.
func (f *Files) pictured() bool {
	return slices.ContainsFunc(f.chosen, func(r formats.Report) bool { return r.Pictured() })
}

// again are the reports that can be written more than once.
func (f *Files) again() []formats.Report {
	return slices.DeleteFunc(slices.Clone(f.chosen), func(r formats.Report) bool { return ordinary(r.Path) == "" })
}

// beside is a report in whose directory other files of the job may be left, JSON first; "" if there is none.
func (f *Files) beside() string {
	paths := []string{f.JSON}
	for i := range f.chosen {
		paths = append(paths, f.chosen[i].Path)
	}
	for _, path := range paths {
		if path = ordinary(path); path != "" {
			return path
		}
	}
	return ""
}

// formatting is what the formats need; failOn says what sets the exit status.
func (f *Files) formatting(failOn finding.Severity) *formats.Options {
	return &formats.Options{Source: report.ReadSource, Catalogue: registry.Catalogue(), Root: formats.Root(os.Getenv),
		Editor: f.editor,
		Counts: func(f *finding.Finding) bool { return counts(f, failOn) }}
}

// formatting is what the formats need for a watched run.
func (r *run) formatting() *formats.Options {
	o := r.o.Files.formatting(r.o.FailOn)
	o.Whole = r.o.Whole
	return o
}

// write writes reports, and returns the paths of those that could be written.
func write(files []formats.Report, run *finding.Run, o *formats.Options) (written []string, err error) {
	var errs []error
	for i := range files {
		if err := files[i].Write(run, o); err != nil {
			errs = append(errs, err)
			continue
		}
		written = append(written, files[i].Path)
	}
	return written, errors.Join(errs...)
}

// annotate has findings shown at their lines by GitHub, in whose jobs a variable says so. What cannot be written is
// lost: the reports have it.
func annotate(to io.Writer, run *finding.Run, o *formats.Options) {
	if os.Getenv("GITHUB_ACTIONS") == "true" {
		_ = formats.Annotations(to, run, o)
	}
}
