package supervise

import (
	"os"
	"strconv"
	"strings"

	"unknot/internal/agent"
	"unknot/internal/explain"
	"unknot/internal/finding"
	"unknot/internal/launch"
	"unknot/internal/procstat"
)

// A job without its agent process may hang, and nobody would notice. So after a while it is said that it is still there, and what the kernel says
// of its processes.

// sayUnwatched says what the processes of a job do that is not watched any more.
func (r *run) sayUnwatched() {
	if r.ended || r.stopping || r.interrupted {
		return
	}
	var what []string
	ranks := make(map[string][]string)
	for _, pid := range launch.Ranks(r.session.Dir) {
		act := procstat.Doing(pid, pid)
		words := explain.Doing(&finding.Stay{Process: agent.ProcessState(act), SystemCall: act.Call, On: act.On, Others: act.Others})
		if ranks[words] == nil {
			what = append(what, words)
		}
		ranks[words] = append(ranks[words], processName(pid))
	}
	var said []string
	for _, words := range what {
		said = append(said, finding.JoinAnd(ranks[words])+": "+words)
	}
	text := ""
	if len(said) > 0 {
		text = "; " + strings.Join(said, "; ")
	}
	r.screen.say("the job has run unwatched for %s; should it hang, nobody would notice: end it with Ctrl-C%s", finding.Lasting(r.o.Stall.Seconds()), text)
}

// processName is a process by its rank, if its launcher has told it that, and by its number.
func processName(pid int) string {
	text, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ") // it may have ended
	for entry := range strings.SplitSeq(string(text), "\x00") {
		switch name, value, _ := strings.Cut(entry, "="); name {
		case "OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID":
			return "rank " + value + " (process " + strconv.Itoa(pid) + ")"
		}
	}
	return "process " + strconv.Itoa(pid)
}
