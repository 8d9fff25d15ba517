package supervise

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"unknot/internal/say/explain"
	"unknot/internal/say/report"
	"unknot/internal/vocab/finding"
)

// conclude writes the reports and decides the exit status.
func (r *run) conclude() (int, error) {
	r.takeReports()
	r.complete(r.takeAlone())
	r.o.Files.mark(&r.account.result)
	formatting := r.formatting()
	written, err := write(r.o.Files.chosen, &r.account.result, formatting)
	errs := []error{err}
	if err := r.tell(written); err != nil {
		errs = append(errs, err)
	}
	if !r.o.Quiet {
		annotate(r.streams.Err, &r.account.result, formatting)
	}
	switch err := errors.Join(errs...); {
	case r.fails():
		return r.o.ErrorExit, err
	case err != nil:
		return ExitTool, err
	case r.o.Watched && r.account.result.Exit == 0 && r.account.result.Unwatched():
		return ExitTool, nil
	}
	return r.account.result.Exit, nil
}

// complete fills in what is known only now: whether the launcher is one that the program's MPI library does not know.
func (r *run) complete(mismatched bool) {
	f := &r.account.result
	r.label(f)
	f.Exit = r.process.Exit
	if mismatched {
		r.account.lost = "the processes did not form one job"
		r.account.notes = slices.DeleteFunc(r.account.notes, func(n string) bool { return n == explain.OtherWorld() })
	} else if path, wrong := r.session.Wrong(); wrong {
		r.noteWrong(path)
		r.account.lost = "the probe does not match the program's MPI library"
	} else {
		silent := r.explainSilentHosts()
		switch {
		case f.Ranks > 0 || r.account.lost != "":
		case silent:
			r.account.lost = "no rank was heard of"
		default:
			r.account.lost = unseen(f.Exit)
		}
	}
	f.Notes = r.account.notes
	r.account.ofMPI()
	if r.account.lost != "" {
		f.Complete, f.Why = false, r.account.lost
	}
}

// takeAlone takes in that the launcher is one that the program's MPI library does not know, and says whether it is.
func (r *run) takeAlone() bool {
	if r.account.result.Ranks > 1 {
		return false // processes of MPI that ranks start may be alone
	}
	m, found := r.job.MismatchOf(r.session.Alone(), nil)
	if found {
		r.found(explain.OtherLauncher(m.Processes, m.Launcher, m.Of.String(), m.Program, m.Loaded.String(),
			m.Library, m.Hint))
	}
	return found
}

// noteWrong is for a program whose MPI library is at path and not the one that the probe was made for.
func (r *run) noteWrong(path string) {
	r.account.note(fmt.Sprintf("the program has loaded the MPI library %s, but the probe was made for %s (%s): it ran "+
		"unwatched; hint: pass the mpicc of the program's MPI with --mpicc",
		path, r.probe.MPI, r.probe.Soname))
}

// label fills in what is known all the time.
func (r *run) label(f *finding.Run) {
	f.Schema, f.Unknot, f.Command = finding.Schema, r.o.Version, r.o.command()
	f.Start, f.Seconds = r.start.Format(time.RFC3339), time.Since(r.start).Seconds()
	if f.Findings == nil {
		f.Findings = []finding.Finding{}
	}
	if f.MPI == "" {
		f.MPI = r.probe.MPI
	}
}

// tell writes what there is to say to the terminal: nothing in a pipe if nothing is wrong.
func (r *run) tell(written []string) error {
	if r.o.Quiet {
		return nil
	}
	for _, n := range r.account.notes {
		r.screen.say("note: %s", n)
	}
	switch out := r.account.suppressed; {
	case out > 0 && r.end.stopping && len(r.account.result.Findings) == 0:
		r.screen.say("note: the job was deadlocked and has been ended; the finding is suppressed by %s",
			r.o.Suppressions)
	case out > 0 && r.screen.terminal:
		r.screen.say("note: findings suppressed by %s: %d", r.o.Suppressions, out)
	}
	if r.account.result.Complete && !r.screen.terminal && !slices.ContainsFunc(r.account.result.Findings, r.worth) {
		return nil
	}
	rest := r.account.result
	rest.Findings = r.unshown()
	if r.end.left && len(rest.Findings) == 0 {
		r.screen.say("the job that was kept has ended; its report is above")
		for _, path := range written {
			r.screen.say("report: %s", path)
		}
		return nil
	}
	opt := r.screen.text(r.o.Files.editor)
	opt.Reports, opt.Open, opt.Shown = written, true, &r.growing.shown
	if err := report.Terminal(r.streams.Err, &rest, opt); err != nil {
		return err
	}
	for i := range r.account.heard {
		if before := r.account.heard[i].shown; before != nil {
			now := &r.account.result.Findings[i]
			if err := report.Update(r.streams.Err, &r.account.result, before, now, opt); err != nil {
				return err
			}
		}
	}
	rest.Findings, opt.Open, opt.Whole = nil, false, &r.account.result
	return report.Terminal(r.streams.Err, &rest, opt)
}

// worth says whether a finding is printed where nobody may be looking: all but what may differ from run to run, for
// information, as that is intended in many programs. Reports have it.
func (r *run) worth(f finding.Finding) bool {
	return f.Severity != finding.Info || f.Standing != finding.Predicted || f.Code == finding.ReplayDiverged ||
		counts(&f, r.o.FailOn)
}

// fails says whether a finding stands that is to turn the exit status.
func (r *run) fails() bool {
	return Fails(&r.account.result, r.o.FailOn)
}
