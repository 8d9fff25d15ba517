package agent

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"unknot/internal/agent/kernel"
	"unknot/internal/kit/procstat"
	"unknot/internal/kit/symbol"
	"unknot/internal/observe/ring"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
)

// survey says where threads are, whatever they do. going says that the job continues afterwards: then only those are
// asked for their call stacks whose system calls go on as if nothing had been.
func (a *Agent) survey(keys []message.Key, going bool) []message.Described {
	a.readClock()
	for _, r := range a.order {
		a.readRank(r)
	}
	a.catchUp()
	a.flush()
	doing := make(map[*thread]procstat.Activity)
	renewed := make(map[*rank]bool)
	a.threadsOf(keys, func(t *thread, _ message.Key) {
		t.asked = false
		if !t.rank.alive() {
			return
		}
		act := t.rank.processes.Doing(t.rank.PID, t.tid)
		doing[t] = act
		if act.State != 0 && !renewed[t.rank] {
			renewed[t.rank] = true
			a.renewMaps(t.rank)
		}
		answers := act.State == 'R' || act.State == 'S'
		// of a script the stack in MPI is known, and outside is read; but not what it may have called in another
		// language
		if t.Site&ring.PythonSite != 0 {
			answers = act.State == 'R' && !t.inCall()
		}
		if !t.inCall() && going {
			answers = answers && act.Restarts
		}
		t.asked = answers && t.rank.processes.AskStack(t.ring, t.tid) == nil
	})
	end := time.Now().Add(stackPatience)
	var out []message.Described
	a.threadsOf(keys, func(t *thread, k message.Key) {
		d := message.Described{Key: k, Still: t.stays(k)}
		switch {
		case !t.rank.alive() && (t.rank.final() || a.now.Sub(t.rank.ended) > justNow):
			a.surveyGone(t, &d)
		case t.inCall():
			a.surveyInside(t, &d, doing[t], end)
		default:
			a.surveyOutside(t, &d, doing[t], end)
		}
		d.Place.Thread = int(k.Thread)
		d.Place.Last = a.history(t, false)
		out = append(out, d)
	})
	return out
}

// renewMaps learns of the libraries that a process has loaded since it initialised MPI.
func (a *describer) renewMaps(r *rank) {
	if now, err := symbol.ReadMaps(r.PID); err == nil { // else it has just ended
		r.Maps = now
		a.resolve.Hold(now)
	}
}

// justNow is for how long a rank that has ended counts as ended by the signal because of which it is asked where it
// was: the key that sends it to unknot may have sent it to the launcher, too.
const justNow = 3 * time.Second

// surveyGone is for a thread whose process has ended: its last call is all that is known.
func (a *describer) surveyGone(t *thread, d *message.Described) {
	d.Place = a.Place(&t.rank.Process, t.Func, t.Site, t.callWords(), t.Stamp)
	d.Place.State = "died"
	if t.rank.final() {
		d.Place.State = "finished"
	}
	d.Shape.Library = t.rank.Library
}

// stood says where a thread was when others ended its process. That is asked too late to take its call stack; but the
// signal may have found it there.
func (a *describer) stood(r *rank, t *thread, told *cause) *message.Described {
	d := &message.Described{Key: message.Key{Rank: r.World, Thread: t.WS.Index}, Still: true}
	t.asked = false
	if t.inCall() {
		a.surveyInside(t, d, procstat.Activity{}, a.now)
	} else {
		a.surveyOutside(t, d, procstat.Activity{}, a.now)
		stack, _, _ := r.first.End()
		if d.Place.Stay.Outside && told.Cause == ring.DeathSignal && r.Maps != nil && len(stack) > 0 {
			a.locate(r, a.interrupted(r, stack), d)
		}
	}
	d.Place.Thread = int(t.WS.Index)
	return d
}

// surveyInside is for a thread in a call of MPI.
func (a *describer) surveyInside(t *thread, d *message.Described, act procstat.Activity, end time.Time) {
	f, site, words, since := t.Func, t.Site, t.callWords(), t.entered
	state := "blocked"
	if t.Polls.Active() {
		f, site, words, since, state = t.Polls.Func, t.Polls.Site, t.Polls.Words, t.Polls.Since, "polling"
	} else if f != nil && f.Class == mpi.Finalize {
		state = "finished"
	}
	d.Place = a.Place(&t.rank.Process, f, site, words, t.Stamp)
	d.Place.State, d.Place.Nth = state, t.Nth()
	if t.asked || len(d.Place.Stack) == 0 {
		d.Place.Stack = a.stack(t, end)
	}
	d.Place.Stay = &finding.Stay{Seconds: max(0, a.now.Sub(since).Seconds())}
	if act.State != 'R' && act.State != 'S' && t.rank.alive() {
		d.Place.Stay.Process = act.Process()
	}
	d.Shape = a.shapeOf(t, f, words, t.Stamp)
	d.Shape.Within = a.within(t, act)
	if t.Op != nil {
		d.Shape.Posted = a.posted(t, t.Op)
	}
}

// surveyOutside is for a thread outside of MPI: where it is in the program, and what it waits for there.
func (a *describer) surveyOutside(t *thread, d *message.Described, act procstat.Activity, end time.Time) {
	d.Place = finding.Place{Rank: int(t.rank.World), PID: t.rank.PID, Host: kernel.Hostname(), State: "running",
		WaitsFor: []int{}}
	since := t.entered
	if t.out.stamp == t.Stamp && !t.out.since.IsZero() {
		since = t.out.since
	}
	if t.Polls.Active() {
		d.Place.State, since = "polling", t.Polls.Since
		d.Place.Call = t.Polls.Func.Name
		d.Place.SetArgs(a.Args(&t.rank.Process, t.Polls.Func, t.Polls.Words, t.Stamp))
		d.Place.Frame = a.Frame(&t.rank.Process, t.Polls.Site)
		if t.rank.KnowsCallers(t.Polls.Site) {
			d.Place.Stack = a.Trail(&t.rank.Process, t.Polls.Site)
		}
		d.Shape = a.shapeOf(t, t.Polls.Func, t.Polls.Words, t.Stamp)
	}
	stay := &finding.Stay{Seconds: max(0, a.now.Sub(since).Seconds()), Outside: d.Place.State != "polling"}
	d.Place.Stay = stay
	if stay.Outside {
		stay.Process, stay.SystemCall, stay.On, stay.Others = act.Process(), act.Call, act.On, act.Others
		if t.Func != nil {
			at := a.Frame(&t.rank.Process, t.Site)
			stay.After, stay.AfterAt = t.Func.Name, &at
		}
	}
	var pcs []uint64
	if t.asked {
		if stack, err := t.rank.processes.Stack(t.ring, end); err == nil {
			pcs = a.interrupted(t.rank, stack)
		}
	}
	if !stay.Outside {
		return
	}
	if len(pcs) == 0 {
		pcs = a.suspended(t, act)
	}
	if a.locateScript(t, pcs, d) {
		return
	}
	if len(pcs) > 0 {
		a.locate(t.rank, pcs, d)
	}
}

// suspended is the call stack of a thread that waits in the kernel and cannot be asked, or need not be: none if it has
// gone on meanwhile, or may not be looked into.
func (a *describer) suspended(t *thread, act procstat.Activity) []uint64 {
	if act.PC == 0 || t.rank.Maps == nil {
		return nil
	}
	pcs := a.resolve.Suspended(t.rank.Maps, act.PC, act.SP)
	if now := t.rank.processes.Doing(t.rank.PID, t.tid); now.PC != act.PC || now.SP != act.SP {
		return nil
	}
	return pcs
}

// interrupted is a call stack that a handler of a signal has taken, from where it came: without the signal's own frame.
func (a *describer) interrupted(r *rank, pcs []uint64) []uint64 {
	if len(pcs) > 0 && a.resolve.Frames(r.Maps, pcs[0], true)[0].File == "" {
		return pcs[1:]
	}
	return pcs
}

// locate puts a call stack that was taken outside of MPI into a description: the place is the innermost in code of the
// program's own.
func (a *describer) locate(r *rank, pcs []uint64, d *message.Described) {
	// the first is where it was interrupted
	frames := func(i int) []finding.Frame { return a.resolve.Frames(r.Maps, pcs[i], i > 0) }
	at := slices.IndexFunc(pcs, func(pc uint64) bool { return a.inProgram(r, pc) })
	if at < 0 {
		at = slices.IndexFunc(pcs, func(pc uint64) bool {
			module, _ := r.Maps.Locate(pc)
			return module != "" && !ofSystem(module) && !ofProbe(module) && !symbol.OfPython(module)
		})
		if at >= 0 {
			d.Place.Frame = frames(at)[0]
		}
		return
	}
	stack := frames(at)
	for i := at + 1; i < len(pcs); i++ {
		stack = append(stack, frames(i)...)
	}
	stack = symbol.UpToMain(stack)
	// what a header of a library has brought is that library's
	d.Place.Frame, d.Place.Stack = symbol.Written(stack), stack
	if at > 0 {
		d.Place.Stay.In = a.libraryFunction(r, pcs[at-1])
	}
}

// locateScript puts the call stack of a thread that runs a script in Python into a description, with what the script
// has called in a module of the user's that is written in another language, as far as its call stack there is known.
// False if it runs none.
func (a *describer) locateScript(t *thread, pcs []uint64, d *message.Described) bool {
	r := t.rank
	if r.Maps == nil {
		return false
	}
	script := a.resolve.Script(r.Maps, t.tid)
	if len(script) == 0 {
		return false
	}
	var stack []finding.Frame
	for i, pc := range pcs {
		if module, _ := r.Maps.Locate(pc); symbol.OfPython(module) {
			break
		}
		frames := a.resolve.Frames(r.Maps, pc, i > 0)
		if len(stack) == 0 && !slices.ContainsFunc(frames, symbol.Own) {
			continue
		}
		if len(stack) == 0 && i > 0 && d.Place.Stay != nil {
			d.Place.Stay.In = a.libraryFunction(r, pcs[i-1])
		}
		stack = append(stack, frames...)
	}
	stack = append(stack, script...)
	d.Place.Frame, d.Place.Stack = symbol.Written(stack), stack
	return true
}

// libraryFunction names the function of a library that the program has called, "" if it has no name.
func (a *describer) libraryFunction(r *rank, pc uint64) string {
	if name := a.sleepsIn(r, pc); !strings.HasPrefix(name, "asleep") {
		return name
	}
	frames := a.resolve.Frames(r.Maps, pc, true)
	f := frames[len(frames)-1]
	name := symbol.CalledBy(f.Function)
	if name == "" && f.Module != "" {
		return filepath.Base(f.Module)
	}
	return name
}

// callWords are the arguments of the last call.
func (t *thread) callWords() []uint64 {
	if t.Op != nil {
		return t.Op.First()
	}
	return t.Call.Words
}
