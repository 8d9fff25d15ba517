// Package supervise is `unknot run` from end to end: it recognises the user's command, sees to a probe, starts the
// agent process and the job, passes signals on, ends the job when the agent says that it cannot end by itself, writes
// the reports and decides the exit status. It knows nothing of how findings come about: it hears of them over package
// proto.
//
// Whatever happens to the job, to the agent process or to itself, the program's run is disturbed as little as can be,
// and nothing is left behind: neither processes nor the session directory.
package supervise

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"syscall"
	"time"

	"unknot/internal/observe/launch"
	"unknot/internal/observe/ring"
	"unknot/internal/shmem/judge"
	"unknot/internal/upc/races"
	"unknot/internal/upc/reports"
)

// Run runs the job to its end and returns the exit status.
func Run(ctx context.Context, o Options, s launch.Streams) int {
	r := &run{o: o, streams: s, screen: newScreen(s.Err, o.Color), start: time.Now()}
	status, err := r.run(ctx)
	if err != nil {
		r.screen.complain(err)
	}
	r.progress.End(&r.account.result, status)
	return status
}

func (r *run) run(ctx context.Context) (int, error) {
	signals, quiet := Listen()
	defer quiet()
	r.signals = signals
	if err := r.check(); err != nil {
		return ExitUsage, err
	}
	r.sampleWindows()
	var err error
	if r.session, err = ring.NewSession(ring.Options{Ranks: r.job.Ranks, Sent: sent(r.o.Checks, r.o.Accesses),
		Slowdown: thousandths(r.o.Races.Sampling.Slowdown), Fold: r.o.Fold(), EachSpin: r.o.Trace != ""}); err != nil {
		return ExitTool, err
	}
	defer r.session.Remove()
	if err := reports.Prepare(r.session.Dir); err != nil {
		return ExitTool, err
	}
	if err := r.prepareMeeting(); err != nil {
		return ExitTool, err
	}
	if r.races, err = races.Prepare(r.session.Dir, r.o.Races); err != nil {
		return ExitTool, err
	}
	if r.pes, err = judge.Prepare(r.session.Dir, judge.Options{Memory: r.o.Races.Memory, Accesses: r.o.Accesses,
		Slowdown: thousandths(r.o.Races.Sampling.Slowdown)}); err != nil {
		return ExitTool, err
	}
	if r.session.Passed != "" {
		r.account.note(fmt.Sprintf("the ranks' records are kept in %s, which may slow the run down: %s",
			filepath.Dir(r.session.Dir), r.session.Passed))
	}
	// The agent is ready before the probe is looked for, which may take a compiler half a minute: it cleans up if we are
	// killed.
	if r.agent, err = startAgent(r.o, r.session.Dir); err != nil {
		return ExitTool, err
	}
	defer r.agent.kill()
	r.session.SetAgent(r.agent.pid)
	if err := r.agent.awaitReady(); err != nil {
		return ExitTool, err
	}
	if err := r.prepare(ctx); err != nil && !errors.Is(err, context.Canceled) {
		return ExitTool, err
	}
	if sig, ok := endedBy(signals); ok { // there is no job to end yet
		return 128 + int(sig), nil
	}
	if ctx.Err() != nil {
		return 128 + int(syscall.SIGINT), nil
	}
	if r.process, err = r.job.Start(r.needed.injection(r.session.Dir, r.linkOf()), r.streams); err != nil {
		return ExitTool, err
	}
	r.watch(ctx, signals)
	return r.conclude()
}
