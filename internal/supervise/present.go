package supervise

import (
	"errors"
	"fmt"
	"os"

	"unknot/internal/say/report"
	"unknot/internal/vocab/finding"
)

// Presentation says how a result that is not that of a single run is shown.
type Presentation struct {
	Files
	Color     string // "auto", "always" or "never"
	ErrorExit int
	FailOn    finding.Severity // or FailOnPredicted
}

// FailOnPredicted stands for any finding that is predicted, whatever its severity, besides errors.
const FailOnPredicted = finding.Severity(finding.Predicted)

// Check says early what would keep a report from being written.
func (p *Presentation) Check() error {
	return p.Files.check("")
}

// Present writes the reports of a result and shows it on to. It returns the exit status: 0 if nothing stands and
// something is claimed. The error says of each report that could not be written why, and why the result could not be
// shown; findings decide the status all the same.
func Present(run *finding.Run, p Presentation, to *os.File) (int, error) {
	p.Files.mark(run)
	formatting := p.Files.formatting(p.FailOn)
	written, err := write(p.Files.chosen, run, formatting)
	if unshown := show(run, p.Color, written, to); unshown != nil {
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

// show writes a result to the terminal: the verdict first, the notes before the closing line.
func show(run *finding.Run, color string, written []string, to *os.File) error {
	s := newScreen(to, color)
	opt := report.TerminalOptions{Color: s.color, Width: columns(to), Reports: written, Open: true}
	if run.Verdict != "" {
		s.say("%s", run.Verdict)
	}
	if err := report.Terminal(to, run, opt); err != nil {
		return err
	}
	for _, n := range run.Notes {
		s.say("%s", n)
	}
	rest := *run
	rest.Findings = nil
	opt.Open, opt.Whole = false, run
	return report.Terminal(to, &rest, opt)
}
