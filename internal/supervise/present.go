package supervise

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"

	"unknot/internal/say/report"
	"unknot/internal/vocab/finding"
)

// Presentation says how a result that is not that of a single run is shown.
type Presentation struct {
	Files
	Color     string // "auto", "always" or "never"
	ErrorExit int
	FailOn    finding.Severity // or FailOnPredicted

	announced []finding.Finding // that were shown before the result is
}

// FailOnPredicted stands for any finding that is predicted, whatever its severity, besides errors.
const FailOnPredicted = finding.Severity(finding.Predicted)

// Check says early what would keep a report from being written.
func (p *Presentation) Check() error {
	return p.Files.check("")
}

// Announce shows what was found on to, while the rest of the result is still to come. Present does not show it again.
func (p *Presentation) Announce(run *finding.Run, to *os.File) error {
	p.Files.mark(run)
	s := newScreen(to, p.Color)
	opt := s.text(p.editor)
	opt.Open = true
	err := report.Terminal(to, run, opt)
	if err == nil {
		p.announced = append(p.announced, run.Findings...)
	}
	return err
}

// shown says whether a finding was announced.
func (p *Presentation) shown(f *finding.Finding) bool {
	return slices.ContainsFunc(p.announced, func(g finding.Finding) bool { return same(&g, f) })
}

// withdrawn are the findings that were announced and that a result does not have.
func (p *Presentation) withdrawn(run *finding.Run) (list []finding.Finding) {
	for _, f := range p.announced {
		if !slices.ContainsFunc(run.Findings, func(g finding.Finding) bool { return same(&f, &g) }) {
			list = append(list, f)
		}
	}
	return list
}

// same says whether two findings say the same.
func same(f, g *finding.Finding) bool {
	return f.Code == g.Code && f.Standing == g.Standing && f.Sentence == g.Sentence &&
		reflect.DeepEqual(f.Places, g.Places)
}

// Present writes the reports of a result and shows it on to. It returns the exit status: 0 if nothing stands and
// something is claimed. The error says of each report that could not be written why, and why the result could not be
// shown; findings decide the status all the same.
func Present(run *finding.Run, p Presentation, to *os.File) (int, error) {
	p.Files.mark(run)
	formatting := p.Files.formatting(p.FailOn)
	written, err := write(p.Files.chosen, run, formatting)
	if unshown := p.show(run, written, to); unshown != nil {
		err = errors.Join(err, fmt.Errorf("cannot show the result: %w", unshown))
	}
	annotate(to, run, formatting)
	switch {
	case Fails(run, p.FailOn):
		return p.ErrorExit, err
	case err != nil:
		return ExitTool, err
	case run.Claim == finding.NotDecided:
		return ExitTool, nil
	}
	return 0, nil
}

// Shown is how text is shown on a file, in colour if that is chosen.
func Shown(color string, to *os.File) report.TerminalOptions {
	return report.TerminalOptions{Color: newScreen(to, color).color, Width: columns(to)}
}

// show writes a result to the terminal: the verdict first, then the findings that were not announced, and the notes
// before the closing line.
func (p *Presentation) show(run *finding.Run, written []string, to *os.File) error {
	s := newScreen(to, p.Color)
	opt := s.text(p.editor)
	opt.Reports, opt.Open, opt.Shown = written, true, new(report.Shown)
	if run.Verdict != "" {
		s.say("%s", run.Verdict)
	}
	fresh := *run
	fresh.Findings = slices.DeleteFunc(slices.Clone(run.Findings), func(f finding.Finding) bool { return p.shown(&f) })
	if err := report.Terminal(to, &fresh, opt); err != nil {
		return err
	}
	for _, f := range p.withdrawn(run) {
		s.say("%s, reported above, is left out of the result, which has the same mistake with fewer ranks: %s", f.Code,
			f.Sentence)
	}
	for _, n := range run.Notes {
		s.say("%s", n)
	}
	rest := *run
	rest.Findings = nil
	opt.Open, opt.Whole = false, run
	return report.Terminal(to, &rest, opt)
}
