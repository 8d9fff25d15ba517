package supervise

import (
	"errors"
	"os"

	"unknot/internal/finding"
	"unknot/internal/report"
)

// Presentation says how a result that is not that of a single run is shown.
type Presentation struct {
	HTML, JSON string // paths of reports, "" for none
	Color      string // "auto", "always" or "never"
	ErrorExit  int
	FailOn     finding.Severity // or FailOnPredicted
}

// FailOnPredicted stands for any finding that is predicted, whatever its severity, besides errors.
const FailOnPredicted = finding.Severity(finding.Predicted)

// Check says early what would keep a report from being written.
func (p *Presentation) Check() error {
	return errors.Join(writable("report", p.HTML), writable("report", p.JSON))
}

// Present writes the reports of a result and shows it on to: the verdict first, the notes before the closing line. It returns the exit
// status: 0 if nothing stands and something is claimed.
func Present(run *finding.Run, p Presentation, to *os.File) (int, error) {
	written, err := writeReports(run, p.HTML, p.JSON)
	s := newScreen(to, p.Color)
	opt := report.TerminalOptions{Color: s.color, Width: columns(to), Reports: written, Open: true}
	if run.Verdict != "" {
		s.say("%s", run.Verdict)
	}
	if err := report.Terminal(to, run, opt); err != nil {
		return ExitTool, err
	}
	for _, n := range run.Notes {
		s.say("%s", n)
	}
	rest := *run
	rest.Findings = nil
	opt.Open, opt.Whole = false, run
	if err := report.Terminal(to, &rest, opt); err != nil {
		return ExitTool, err
	}
	switch {
	case fails(run, p.FailOn):
		return p.ErrorExit, err
	case err != nil:
		return ExitTool, err
	case run.Claim == finding.NotDecided:
		return ExitTool, nil
	}
	return 0, nil
}
