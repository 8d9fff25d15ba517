package supervise

import (
	"context"
	"fmt"
	"os"
	"slices"
	"syscall"
	"time"

	"unknot/internal/agent/proto"
	"unknot/internal/observe/launch"
	"unknot/internal/say/explain"
	"unknot/internal/say/report"
	"unknot/internal/vocab/finding"
)

// watch is the main loop, from the start of the job to the agent's last word.
func (r *run) watch(ctx context.Context, signals <-chan os.Signal) {
	ranksGone := make(chan int, 1)
	jobDone, messages := r.process.Done, r.agent.messages
	var tooLate, stubborn, looked, unwatched <-chan time.Time
	caught := 0
	over, done := false, false
	canceled := ctx.Done()
	stuck, stopWatching := r.watchThreads(ctx)
	lingers := time.NewTicker(lingerLook)
	defer lingers.Stop()
	for !over || messages != nil {
		select {
		case m, ok := <-messages:
			if !ok {
				messages = nil
				if !done {
					r.agentLost(over)
					if r.o.Stall > 0 && !over {
						unwatched = time.After(r.o.Stall)
					}
				}
				r.passOn(over)
				continue
			}
			done = r.hear(m) || done
			if m.Type == proto.Surveyed {
				r.passOn(over)
			}
		case f := <-stuck:
			r.stuck(f)
		case <-r.growing.soon:
			r.grow()
		case took := <-r.growing.written:
			r.rest(took)
		case sig := <-signals:
			if slices.Contains(passing, sig) {
				r.process.Signal(sig.(syscall.Signal))
				continue
			}
			caught++
			if caught == 1 {
				stubborn = time.After(remindAfter)
				if r.look(sig.(syscall.Signal)) {
					looked = time.After(lookGrace)
					continue
				}
			}
			r.interrupt(sig.(syscall.Signal), caught, over)
		case <-unwatched:
			r.sayUnwatched()
		case now := <-lingers.C:
			r.linger(now)
		case <-looked:
			r.passOn(over)
		case <-stubborn:
			if !r.end.ended && caught == 1 {
				r.screen.say("the job was interrupted but is still running; interrupt again to kill it")
			}
		case <-canceled:
			canceled = nil
			r.end.tasks.Go(func() { r.process.End(r.session.Dir, endGrace, endGrace) })
		case <-jobDone:
			jobDone, r.end.ended = nil, true
			r.passOn(over)
			if r.headless() && r.account.lost == "" && !r.end.stopping {
				r.account.lost = fmt.Sprintf("the launcher was killed by %s", finding.SignalName(r.process.Killed))
			}
			r.screen.erase()
			go func() { ranksGone <- launch.AwaitRanks(r.session.Dir, rankGrace) }()
		case n := <-ranksGone:
			over = true
			if n > 0 {
				r.account.note(explain.Outlived(n))
			}
			if r.end.interrupted { // what a script has started may still be there
				launch.AwaitMembers(r.session.Dir, endGrace)
				launch.KillMembers(r.session.Dir)
			}
			r.process.Sweep()
			r.end.traces.Remove()
			r.agent.finish(r.process.Exit, r.end.stopping || r.lingering.ended || r.endsItself())
			tooLate = time.After(drainGrace)
		case <-tooLate:
			r.account.lost = "the agent process did not exit"
			r.agent.kill()
		}
	}
	stopWatching()
	r.end.tasks.Wait()
	r.screen.erase()
}

// hear takes in a message of the agent and says whether it is the last.
func (r *run) hear(m proto.Message) bool {
	switch m.Type {
	case proto.Hello:
		r.account.hello(&m)
	case proto.Status:
		r.account.result.Calls = max(r.account.result.Calls, m.Calls)
		oldest := time.Duration(m.Oldest * float64(time.Second))
		status := report.Status{Ranks: m.Ranks, Rate: m.Rate, Blocked: m.Blocked, Oldest: oldest, Rank: m.OldestRank,
			Held: m.Held, Slowest: m.Slowest, Watched: m.SlowestRanks}
		r.progress.Running(status, r.account.result.Calls)
		if !r.end.ended && !r.end.interrupted {
			r.screen.status(status.String())
		}
	case proto.Found:
		if m.Finding != nil {
			r.told(&m)
		}
	case proto.Stop:
		r.stop()
	case proto.Leave:
		r.leave(m)
	case proto.Unforced:
		r.account.result.Plan = ""
		r.account.note(m.Text)
	case proto.Note:
		r.account.note(m.Text)
	case proto.History:
		r.account.result.History, r.account.result.Topologies = m.History, m.Topologies
	case proto.Done:
		r.account.result.Calls, r.account.result.Complete = m.Calls, m.Complete
		if !m.Complete && r.account.lost == "" {
			r.account.lost = m.Why
		}
		return true
	}
	return false
}

// agentLost lets the program run on unwatched.
func (r *run) agentLost(over bool) {
	r.session.MarkGone()
	for _, pid := range launch.Ranks(r.session.Dir) {
		_ = syscall.Kill(pid, syscall.SIGCONT) // it may have stopped them to end the job
	}
	if r.account.lost != "" {
		return
	}
	r.account.lost = fmt.Sprintf("the agent process died (%s)", r.agent.how())
	what := "the program continues unwatched; errors from now on are not seen"
	if dir := r.partsAt(); dir != "" {
		what = fmt.Sprintf("the agents of other hosts watch on; when the job has ended, `unknot report %s` reports "+
			"what they leave there", dir)
	}
	if over {
		what = "its last analysis is missing"
	}
	r.screen.say("%s: %s", r.account.lost, what)
}
