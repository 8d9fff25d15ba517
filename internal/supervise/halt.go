// What becomes of a job that would never end by itself.

package supervise

import (
	"fmt"
	"os"
	"strings"

	"unknot/internal/agent/proto"
)

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
