package supervise

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"time"

	"unknot/internal/agent/proto"
	"unknot/internal/upc/reports"
	"unknot/internal/vocab/finding"
)

// watchThreads says when the job of a UPC program has to be ended: with the finding if all threads wait forever, or
// with nil if the program has ended itself; and that of a program with OpenSHMEM whose PEs wait forever.
func (r *run) watchThreads(ctx context.Context) (stuck <-chan *finding.Finding, stop context.CancelFunc) {
	ctx, stop = context.WithCancel(ctx)
	found := make(chan *finding.Finding, 2) // each of those who look finds one at most
	r.end.tasks.Go(func() {
		if f, ok := reports.Watch(ctx, r.session.Dir); ok {
			found <- f
		}
	})
	r.end.tasks.Go(func() { r.races.Run(ctx) })
	r.end.tasks.Go(func() { r.pes.Run(ctx, func(f finding.Finding) { found <- &f }) })
	return found, stop
}

// stuck ends a UPC program that wants that, or whose threads wait forever; or leaves those to a debugger.
func (r *run) stuck(f *finding.Finding) {
	if r.end.stopping || r.end.interrupted || r.end.ended {
		return
	}
	if f == nil {
		r.end.tasks.Go(func() { r.process.End(r.session.Dir, hungGrace, endGrace) })
		return
	}
	r.account.result.Language = f.Language
	r.found(*f)
	if r.o.OnDeadlock != "leave" {
		r.stop()
		return
	}
	var processes []proto.Process
	for _, p := range slices.Concat(f.Places, f.Others) {
		processes = append(processes, proto.Process{Rank: p.Rank, PID: p.PID, Host: p.Host})
	}
	r.leave(proto.Message{Why: "deadlock", Processes: processes})
}

// endsItself says whether a UPC program has ended itself before its threads ended. That is no death of its
// ranks.
func (r *run) endsItself() bool {
	report, err := reports.Read(r.session.Dir)
	return err == nil && report.Ended
}

// takeReports takes in what UPC programs have reported, now that they have ended.
func (r *run) takeReports() {
	report, err := reports.Read(r.session.Dir)
	if err != nil {
		r.account.note(fmt.Sprintf("cannot read what the UPC program reported: %v", err))
	}
	for _, f := range report.Findings {
		r.found(f)
	}
	raced, notes := r.races.Finish()
	if slices.Contains(strings.Split(r.o.Log, ","), "races") {
		r.logRaces()
	}
	for _, f := range raced {
		r.found(f)
	}
	for _, n := range notes {
		r.account.note(n)
	}
	switch {
	case report.Bad == 1:
		r.account.note(
			"a line of what the UPC program reported is malformed; the program may have been killed while writing it")
	case report.Bad > 1:
		r.account.note(fmt.Sprintf("%d lines of what the UPC program reported are malformed", report.Bad))
	}
	r.account.result.Language = finding.MPI
	if reports.Threads(r.session.Dir) > 0 {
		r.account.result.Language = finding.UPC
	} else {
		r.noteSampling()
	}
	r.takePEs()
	r.takeMeeting()
	r.confirm(r.account.result.Findings)
	if report.Ended && (report.Stop || r.process.Exit == 0) {
		r.process.Exit = report.Status
	}
}

// logRaces says how many accesses were compared, and the processor time of this process, which has compared them.
func (r *run) logRaces() {
	n := r.races.Counts()
	var used syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &used) // without it, none is said
	seconds := func(t syscall.Timeval) float64 { return time.Duration(t.Nano()).Seconds() }
	fmt.Fprintf(r.streams.Err, "unknot: races: %d records of %d accesses were compared; %.2f s of processor time\n",
		n.Records, n.Accesses, seconds(used.Utime)+seconds(used.Stime))
}
