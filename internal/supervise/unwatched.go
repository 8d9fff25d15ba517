package supervise

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	jobs "unknot/internal/attach/job"
	"unknot/internal/kit/procstat"
	"unknot/internal/kit/symbol"
	"unknot/internal/observe/launch"
	"unknot/internal/observe/ring"
	"unknot/internal/say/explain"
	"unknot/internal/vocab/finding"
)

// A job without its agent process may hang, and nobody would notice. So after a while it is said that it is still
// there, and what the kernel says of its processes.

// sayUnwatched says what the processes of a job do that is not watched any more.
func (r *run) sayUnwatched() {
	if r.end.ended || r.end.stopping || r.end.interrupted {
		return
	}
	var what []string
	ranks := make(map[string][]string)
	pids := launch.Ranks(r.session.Dir)
	doing := make(map[int]procstat.Activity)
	for _, pid := range pids {
		doing[pid] = procstat.Doing(pid, pid)
	}
	places := r.placesOf(pids, doing)
	for _, pid := range pids {
		act := doing[pid]
		words := explain.Doing(&finding.Stay{Process: act.Process(), SystemCall: act.Call, On: act.On,
			Others: act.Others})
		if at := places[pid]; at != "" {
			words += " at " + at
		}
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
	r.screen.say("the job has run unwatched for %s; should it hang, nobody would notice: end it with Ctrl-C%s",
		finding.Lasting(r.o.Stall.Seconds()), text)
}

// placesOf asks processes for their call stacks, by the rings that they still have, and says where each is in the
// user's code. Of those whose system call would be cut short by that it is read from outside. A process whose ring has
// become full has left it and does not answer.
func (r *run) placesOf(pids []int, doing map[int]procstat.Activity) map[int]string {
	asked := make(map[int]*ring.Ring)
	for _, pid := range pids {
		if act := doing[pid]; act.State != 'R' && !act.Restarts {
			continue
		}
		number := strconv.Itoa(pid)
		at, err := ring.Visit(filepath.Join(r.session.Dir, ring.RingPrefix+number+"."+number))
		if err != nil {
			continue
		}
		defer at.Close()
		if at.RequestStack(pid) == nil {
			asked[pid] = at
		}
	}
	resolver := symbol.New()
	defer resolver.Close()
	resolver.Own(r.o.Owners)
	end := time.Now().Add(stackPatience)
	places := make(map[int]string)
	for _, pid := range pids {
		maps, err := symbol.ReadMaps(pid)
		if err != nil {
			continue
		}
		var stack []uint64
		if at := asked[pid]; at != nil {
			stack, _ = at.Stack(end) // none if it does not answer
		}
		if act := doing[pid]; len(stack) == 0 && act.PC != 0 {
			stack = resolver.Suspended(maps, act.PC, act.SP)
			if now := procstat.Doing(pid, pid); now.PC != act.PC || now.SP != act.SP {
				stack = nil
			}
		}
		frames := resolver.Script(maps, pid)
		for _, pc := range stack {
			frames = append(frames, resolver.Frames(maps, pc, true)...)
		}
		if i := symbol.FirstOwn(frames); i >= 0 && frames[i].File != "" {
			places[pid] = frames[i].Where()
		}
	}
	return places
}

// stackPatience is how long call stacks are waited for, of all processes together.
const stackPatience = 2 * time.Second

// processName is a process by its rank, if its launcher has set it, and by its number.
func processName(pid int) string {
	if n, ok := jobs.Number(pid); ok {
		return fmt.Sprintf("rank %d (process %d)", n, pid)
	}
	return "process " + strconv.Itoa(pid)
}
