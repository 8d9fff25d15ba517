package supervise

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"

	"unknot/internal/agent/proto"
	"unknot/internal/observe/launch"
	"unknot/internal/vocab/finding"
)

// jobEnd is how far the end of a job is, and what it takes.
type jobEnd struct {
	ended       bool           // the launcher has
	stopping    bool           // the agent asked for the job's end
	left        bool           // to a debugger, as --on-deadlock=leave has it
	interrupted bool           // by a signal to us
	looking     syscall.Signal // it waits to be passed on until it is known where the ranks are; 0 if none does
	traces      launch.Traces  // of an interrupted job
	tasks       sync.WaitGroup // what ends the job beside the main loop
}

// How long things may take before they are ended by force.
const (
	hungGrace  = 50 * time.Millisecond // from SIGTERM to SIGKILL for ranks that can never get on
	endGrace   = 2 * time.Second       // from SIGTERM to SIGKILL for a job that is to end
	rankGrace  = 2 * time.Second       // for ranks that outlive the launcher
	drainGrace = 60 * time.Second      // for the agent's last analysis
	lookGrace  = 2 * time.Second       // for its look at where the ranks are before the first signal is passed on

	remindAfter = 3 * time.Second // from the first interrupt to a word on how to end a job that ignores it
)

// headless says whether the launcher was killed, not having ended by itself, while ranks may have been there.
func (r *run) headless() bool {
	return r.end.ended && r.process.Killed != 0 && r.job.Launcher != "" && !r.lingering.ended
}

// look has the agent process say where the ranks are before the first signal ends them; false if there is nobody to
// ask, or nothing to learn.
func (r *run) look(sig syscall.Signal) bool {
	if r.end.ended || r.end.stopping || r.end.left || r.account.lost != "" || r.o.Whole ||
		r.account.result.Ranks == 0 {
		return false
	}
	if r.agent.out.Send(proto.Message{Type: proto.Survey, Text: finding.SignalName(sig)}) != nil {
		return false
	}
	r.end.looking = sig
	return true
}

// passOn passes on the signal that has waited for the look at the ranks, if there is one.
func (r *run) passOn(over bool) {
	if sig := r.end.looking; sig != 0 {
		r.end.looking = 0
		r.interrupt(sig, 1, over)
	}
}

// interrupt passes the first signal on to the launcher; the second ends the job by force.
func (r *run) interrupt(sig syscall.Signal, nth int, over bool) {
	if !r.end.interrupted {
		r.end.traces.Look(r.session.Dir)
	}
	r.end.interrupted = true
	if r.account.lost == "" {
		r.account.lost = fmt.Sprintf("the run was ended by %s", finding.SignalName(sig))
	}
	switch {
	case over:
	case nth == 1 && sig == syscall.SIGINT:
		r.process.Forward(sig)
	case nth == 1:
		r.end.tasks.Go(func() { r.process.End(r.session.Dir, endGrace, endGrace) })
	default:
		r.end.tasks.Go(func() {
			r.process.Signal(syscall.SIGKILL)
			launch.KillMembers(r.session.Dir)
		})
	}
}

// stop ends a job that would never end by itself.
func (r *run) stop() {
	r.end.stopping = true
	r.screen.erase()
	r.show(true)
	r.end.tasks.Go(func() { r.process.End(r.session.Dir, hungGrace, endGrace) })
}

// leave tells how to look at the processes of a deadlock that were left as they are. The finding itself is shown now
// and the reports are written, as the job may hang for hours yet.
func (r *run) leave(m proto.Message) {
	r.screen.erase()
	r.end.left = true
	r.show(false)
	written, err := r.writeNow("the job was kept as it is")
	if err != nil {
		r.screen.say("%v", err)
	}
	for _, path := range written {
		r.screen.say("report: %s", path)
	}
	here, _ := os.Hostname()
	who := r.account.result.Language.Terms().Process
	var b strings.Builder
	fmt.Fprintf(&b, "the job is kept as it is (%s); attach a debugger, or end it with Ctrl-C:", m.Why)
	for _, p := range m.Processes {
		command := fmt.Sprintf("gdb -p %d", p.PID)
		if p.Host != "" && p.Host != here {
			command = fmt.Sprintf("ssh -t %s %s", p.Host, command)
		}
		fmt.Fprintf(&b, "\n  %s %d: %s", who, p.Rank, command)
	}
	r.screen.say("%s", lines(b.String()))
}
