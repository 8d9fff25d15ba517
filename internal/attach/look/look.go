// Package look looks at the ranks of jobs from outside: where each thread is, in which call of MPI, with what, and
// whether it has returned from that call while it was watched. Nothing in the job is changed.
package look

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"unknot/internal/attach/call"
	"unknot/internal/attach/callsite"
	"unknot/internal/attach/handle"
	"unknot/internal/attach/job"
	"unknot/internal/attach/thread"
	"unknot/internal/kit/breakpoint"
	"unknot/internal/kit/procstat"
	"unknot/internal/kit/ptrace"
	"unknot/internal/kit/symbol"
	"unknot/internal/observe/launch"
	"unknot/internal/observe/record"
	"unknot/internal/observe/transport"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// Rank is a rank as it was seen. It is plain data, which says all without the process.
type Rank struct {
	job.Rank
	Failed  string          // why it could not be looked at, "" if it was
	Denied  bool            // as the kernel does not allow that
	Command []string        // its command line
	Library *handle.Library // nil if it is not known
	File    string          // of the library
	Threads []Thread        // the main one first
	// Record is what the rank has recorded of its calls; nil if it does not, or went on while that was read.
	Record    *record.Rank
	Recording bool // it records them
	// Sites are where the program has started the requests of the record and made its calls, by the addresses that these
	// calls returned to.
	Sites map[uint64]finding.Frame
	// Types are the names of those datatypes of the requests that are predefined, by their handles.
	Types map[uint64]string
	// Modules are those that move messages of a rank with a record, Settings the environment variables that choose them.
	Modules, Settings []string
	before            *record.Rank
	objects           *symbol.Data
	process           *thread.Process
}

// Thread is a thread as it was seen at last.
type Thread struct {
	TID               int
	procstat.Activity `json:"Activity"`
	// Frames are its call stack, innermost first: in a call of MPI from where the program makes it, and of a script
	// only what the script calls.
	Frames []finding.Frame
	// Own says that a function of the program is among them: others are threads of libraries.
	Own  bool
	Call *Call // of MPI, nil if it is in none
	// Callback says that it is in a function of the program which a call of MPI has called.
	Callback bool
	// Alone says that no other thread of its process runs functions of the program.
	Alone bool
	In    string // the innermost function of the MPI library and below, "" if it is not known
	// Recorded is that call as the rank has recorded it, nil if it has not.
	Recorded *record.Call
	Kept     Kept
	Ran      bool // it had the processor meanwhile, or slept all the time
	// After is the call that a thread outside of MPI has made last, AfterAt where; of ranks that have ended only.
	After   string
	AfterAt finding.Frame
}

// Call is a call of MPI that has not returned.
type Call struct {
	call.Call
	Frame finding.Frame // where the program makes it
	// Constants are the names of those arguments that are predefined objects, "" for any other.
	Constants []string
	site      uint64 // the instruction to which it returns
	sp        uint64 // the stack pointer when it has
}

// Kept is whether a thread has stayed in its call, or outside of MPI where it was, between the looks.
type Kept uint8

// What is known of that.
const (
	Left  Kept = iota // it has not
	Alike             // it was there each time, and may have gone and come back
	Stays             // it has: no instruction behind the call was executed, or it slept all the time
)

// Options say how to look.
type Options struct {
	Between time.Duration // the time between the looks, at least
	Patient time.Duration // and at most, where ranks get no processor
	// Meet is called once all ranks are being watched, and returns when those on other hosts are, too; nil if there are
	// none.
	Meet func() error
}

// MostCalls is how many of the last calls of a record are kept: some iterations of a loop with what they exchange. A
// record has eight times as many, which would be most of a dump of a large job.
const MostCalls = 512

// Looker looks at ranks.
type Looker struct {
	Resolver *symbol.Resolver
	Table    *mpi.T
	refused  error // see Host
	mu       sync.Mutex
}

// Look looks at ranks and watches them for a while. The error is that of Options.Meet.
func (l *Looker) Look(ctx context.Context, ranks []job.Rank, o Options) (*Host, error) {
	h := &Host{Name: here(), Ranks: make([]Rank, len(ranks))}
	watched := make([][]watch, len(ranks))
	l.each(len(ranks), func(i int) {
		h.Ranks[i].Rank = ranks[i]
		watched[i] = l.begin(&h.Ranks[i])
	})
	var apart error
	if o.Meet != nil {
		apart = o.Meet()
	}
	// What a thread has had of the processor counts from here on: all that was sent before it was watched is sent now.
	l.each(len(ranks), func(i int) { count(watched[i]) })
	begin := time.Now()
	for apart == nil && time.Since(begin) < o.Patient && ctx.Err() == nil {
		pause(ctx, min(o.Between, 250*time.Millisecond))
		if time.Since(begin) >= o.Between && !slices.ContainsFunc(watched, waiting) {
			break
		}
	}
	h.Seconds = time.Since(begin).Seconds()
	l.each(len(ranks), func(i int) { l.end(&h.Ranks[i], watched[i]) })
	if l.refused != nil {
		h.Refused = l.refused.Error()
	}
	return h, apart
}

// atOnce is how many ranks are looked at at a time: a thread that runs stops only when it has the processor next.
const atOnce = 128

// each does the same for all, several at a time.
func (l *Looker) each(n int, do func(i int)) {
	var all sync.WaitGroup
	turns := make(chan struct{}, atOnce)
	for i := range n {
		turns <- struct{}{}
		all.Go(func() {
			do(i)
			<-turns
		})
	}
	all.Wait()
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// watch is what is kept of a thread between the looks.
type watch struct {
	thread  *Thread
	first   account // when it began
	all     account // when all ranks were being watched
	counter *breakpoint.Counter
	dir     string // below /proc
}

// begin looks at a rank for the first time.
func (l *Looker) begin(r *Rank) []watch {
	process, err := thread.Open(l.Resolver, r.PID)
	if err != nil {
		r.fail(err)
		return nil
	}
	r.process = process
	r.Command = commandOf(r.PID)
	r.Library, r.File = libraryOf(process.Maps)
	r.objects = l.Resolver.Data(process.Maps)
	for _, tid := range threadsOf(r.PID) {
		r.Threads = append(r.Threads, Thread{TID: tid})
	}
	r.before, _ = record.Read(r.PID) // nil if there is none
	r.Recording = r.before != nil
	var list []watch
	for i := range r.Threads {
		t := &r.Threads[i]
		if err := l.see(r, t, false); err != nil {
			if r.Failed == "" && !errors.Is(err, thread.ErrMoved) && i == 0 {
				r.fail(err)
			}
			t.Own = !errors.Is(err, ptrace.ErrGone) // what it does is not known, so it may act
			continue
		}
		w := watch{thread: t, dir: "/proc/" + strconv.Itoa(r.PID) + "/task/" + strconv.Itoa(t.TID)}
		if t.Call != nil {
			w.counter, err = breakpoint.Open(t.TID, t.Call.site)
			l.refuse(err)
			before := *t.Call
			// It is in the call that is watched only if it is still there now that it is.
			if err := l.see(r, t, false); err != nil || t.Call == nil ||
				t.Call.site != before.site || t.Call.sp != before.sp {
				t.Kept = Left
				w.close()
				continue
			}
		}
		w.first = accountOf(w.dir)
		list = append(list, w)
	}
	return list
}

// count puts down what threads have had of the processor when all are being watched.
func count(list []watch) {
	for i := range list {
		list[i].all = accountOf(list[i].dir)
	}
}

// fail puts down why a rank cannot be looked at.
func (r *Rank) fail(err error) { r.Failed, r.Denied = err.Error(), errors.Is(err, fs.ErrPermission) }

func (l *Looker) refuse(err error) {
	if err == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.refused == nil {
		l.refused = err
	}
}

// see looks at a thread and puts down what it does. A main thread that was seen where no table says how to go up its
// stack is looked at again.
func (l *Looker) see(r *Rank, t *Thread, last bool) error {
	const often = 4
	for range often {
		if err := l.glimpse(r, t, last); err != nil || t.Own || t.TID != r.PID {
			return err
		}
	}
	return nil
}

// glimpse looks once. What a call was given is asked at the last look only.
func (l *Looker) glimpse(r *Rank, t *Thread, last bool) error {
	seen, err := r.process.See(t.TID)
	if err != nil {
		t.Activity = seen.Activity
		return err
	}
	finder := call.Finder{Resolver: l.Resolver, Table: l.Table}
	find := finder.Find
	if last {
		find = func(p *thread.Process, seen *thread.Seen) (call.Call, bool) { return finder.In(p, t.TID, seen) }
	}
	from := 0
	c, ok := find(r.process, &seen)
	t.Callback = ok && l.callsBack(r, seen.Stack, c.Program)
	ok = ok && !t.Callback
	t.Activity, t.Call = seen.Activity, nil
	if ok {
		from = c.Program
		t.Call = &Call{Call: c, site: seen.Stack[from].PC, sp: seen.Stack[from].SP}
	}
	t.Frames, t.In = nil, ""
	for i, a := range seen.Stack[:from] {
		frames := l.Resolver.Frames(r.process.Maps, a.PC, i > 0)
		last := frames[len(frames)-1]
		if module := filepath.Base(last.Module); last.Module != "" && !transport.Runtime(module) {
			if t.In = module; last.Function != "" {
				t.In = last.Function + " in " + module
			}
			break
		}
	}
	for i, a := range seen.Stack[from:] {
		t.Frames = append(t.Frames, l.Resolver.Frames(r.process.Maps, a.PC, from+i > 0)...)
	}
	script := l.Resolver.Script(r.process.Maps, t.TID)
	if t.Own = len(script) > 0 || symbol.FirstOwn(t.Frames) >= 0; len(script) > 0 {
		t.Frames = script
	}
	t.Frames = symbol.UpToMain(t.Frames)
	for n := len(t.Frames) - 1; n > 0 && t.Own && t.Frames[n].Library == symbol.CLibrary; n-- {
		t.Frames = t.Frames[:n] // what begins a thread
	}
	if t.Call != nil {
		t.Call.Frame = symbol.Written(t.Frames)
	}
	return nil
}

// callsBack says whether a function of the program is among those that a call of MPI has led to: an operator, a copy
// function, an error handler. It is in a file that also has some of the functions which have led to the call; others are
// of libraries that somebody has put below MPI. The program's own wrappers of functions of MPI do not count.
func (l *Looker) callsBack(r *Rank, stack []symbol.Activation, program int) bool {
	outermost := func(i int) finding.Frame {
		frames := l.Resolver.Frames(r.process.Maps, stack[i].PC, i > 0)
		return frames[len(frames)-1]
	}
	file := func(i int) string {
		module, _ := r.process.Maps.Locate(stack[i].PC)
		return module
	}
	var files []string
	for i := program; i < len(stack); i++ {
		if outermost(i).Library == "" {
			files = append(files, file(i))
		}
	}
	for i := range program {
		if !slices.Contains(files, file(i)) {
			continue
		}
		if f := outermost(i); f.Library == "" && !ofMPI(f.Function) {
			return true
		}
	}
	return false
}

// ofMPI says whether a function has the name of one of MPI.
func ofMPI(name string) bool {
	name = strings.ToLower(name)
	return strings.HasPrefix(name, "mpi_") || strings.HasPrefix(name, "pmpi_")
}

// end looks at a rank for the last time.
func (l *Looker) end(r *Rank, list []watch) {
	if r.process == nil {
		return
	}
	for i := range list {
		w := &list[i]
		t := w.thread
		before, now := *t, accountOf(w.dir)
		err := l.see(r, t, true)
		slept := w.first.known && now.known && now.switches == w.first.switches && asleep(before.State) &&
			asleep(t.State)
		t.Ran = slept || now.known && w.all.known && now.ran-w.all.ran >= enough && now.turns-w.all.turns >= turns
		t.Kept = w.kept(&before, err, slept)
		w.close()
	}
	for _, tid := range threadsOf(r.PID) {
		if slices.ContainsFunc(r.Threads, func(t Thread) bool { return t.TID == tid }) {
			continue
		}
		t := Thread{TID: tid, Kept: Left} // it was started meanwhile
		if l.see(r, &t, true) == nil {
			r.Threads = append(r.Threads, t)
		}
	}
	own := 0
	for i := range r.Threads {
		if r.Threads[i].Own {
			own++
		}
	}
	for i := range r.Threads {
		r.Threads[i].Alone = own <= 1
	}
	l.recorded(r)
	l.name(r)
	if _, err := os.Stat("/proc/" + strconv.Itoa(r.PID)); errors.Is(err, fs.ErrNotExist) {
		r.fail(errGone)
	}
	r.process.Close()
}

// recorded compares what a rank has recorded with what it had before: whether its threads have stayed in their calls
// follows from that alone.
func (l *Looker) recorded(r *Rank) {
	if r.before == nil {
		return
	}
	now, err := record.Read(r.PID)
	if err != nil || now.Torn || r.before.Torn || now.Lost.Threads {
		return
	}
	now.Calls = now.Calls[max(0, len(now.Calls)-MostCalls):]
	r.Record = now
	for i := range r.Threads {
		t := &r.Threads[i]
		first, last := recordOf(r.before, t.TID), recordOf(now, t.TID)
		if last == nil {
			continue
		}
		same := first != nil && first.Calls == last.Calls
		switch {
		case last.In == nil && same:
			if t.Call != nil { // it is about to make a call, or has just returned
				t.Call, t.Kept = nil, Alike
			}
		case last.In == nil || !same || first.In == nil || first.In.Site != last.In.Site:
			t.Kept = Left
		case t.Callback:
			t.Kept = Alike
		default:
			t.Kept, t.Recorded = Stays, last.In
			t.Call = &Call{Call: call.Call{Function: last.In.Func}, Frame: l.written(r, last.In.Site)}
			if f := symbol.Written(t.Frames); t.Call.Frame.File == "" && f.File != "" {
				t.Call.Frame = f // a script has called MPI, by a library without lines
			}
			if symbol.FirstOwn(t.Frames) < 0 { // the thread was where no table says how to go up
				t.Frames = []finding.Frame{t.Call.Frame}
			}
			for _, v := range last.In.Args {
				t.Call.Arguments = append(t.Call.Arguments, callsite.Value{Bits: v, Known: true})
			}
		}
	}
}

// recordOf is what is recorded of a thread, nil if nothing is.
func recordOf(r *record.Rank, tid int) *record.Thread {
	for i := range r.Threads {
		if r.Threads[i].TID == tid {
			return &r.Threads[i]
		}
	}
	return nil
}

// written is where the program makes a call that returns to an address.
func (l *Looker) written(r *Rank, site uint64) finding.Frame {
	return symbol.Written(l.Resolver.Frames(r.process.Maps, site, true))
}

// name says in words what only the process's memory and files say: which objects are predefined, where requests were
// started, and what moves messages.
func (l *Looker) name(r *Rank) {
	for i := range r.Threads {
		c := r.Threads[i].Call
		if c == nil || r.Library == nil {
			continue
		}
		c.Constants = make([]string, len(c.Arguments))
		for k, v := range c.Arguments {
			if k < len(c.Function.Params) && c.Function.Params[k].Kind == mpi.KHandle && v.Known {
				c.Constants[k] = r.Library.Name(l.Table, r.objects, v.Bits)
			}
		}
	}
	if r.Record == nil {
		return
	}
	r.Sites, r.Types = make(map[uint64]finding.Frame), make(map[uint64]string)
	at := func(site uint64) {
		if _, has := r.Sites[site]; !has {
			r.Sites[site] = l.written(r, site)
		}
	}
	for i := range r.Record.Calls {
		at(r.Record.Calls[i].Site)
	}
	for i := range r.Record.Requests {
		q := &r.Record.Requests[i]
		at(q.Site)
		if r.Library == nil {
			continue
		}
		if name := r.Library.Name(l.Table, r.objects, q.Type); name != "" {
			r.Types[q.Type] = name
		}
	}
	text, _ := launch.StartedWith(r.PID)
	r.Modules = transport.Parts(r.process.Maps.Modules())
	r.Settings = transport.Chosen(strings.Split(string(text), "\x00"))
}

// commandOf is the command line of a process; nil if it has ended.
func commandOf(pid int) []string {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00")
}

var errGone = errors.New("the process has ended meanwhile")

// kept says whether the thread is where it was all the time.
func (w *watch) kept(before *Thread, err error, slept bool) Kept {
	t := w.thread
	if err != nil || (t.Call == nil) != (before.Call == nil) {
		return Left
	}
	if t.Call == nil {
		if slept {
			return Stays
		}
		return Alike
	}
	if t.Call.site != before.Call.site || t.Call.sp != before.Call.sp {
		return Left
	}
	if w.counter != nil {
		if n, err := w.counter.Executed(); err == nil && n > 0 {
			return Left
		} else if err == nil {
			return Stays
		}
	}
	if slept {
		return Stays
	}
	return Alike
}

func (w *watch) close() {
	if w.counter != nil {
		w.counter.Close()
	}
}

// asleep says whether a thread with that state waits in the kernel.
func asleep(state byte) bool { return state == 'S' || state == 'D' || state == 'T' || state == 't' }

// waiting says whether a thread in a call of MPI has neither had the processor for long enough nor slept.
func waiting(list []watch) bool {
	return slices.ContainsFunc(list, func(w watch) bool {
		if w.thread.Call == nil || w.thread.State == 'T' || w.thread.State == 't' {
			return false
		}
		now := accountOf(w.dir)
		slept := now.switches == w.first.switches && asleep(procstat.Doing(w.thread.TID, w.thread.TID).State)
		return now.known && !slept && (now.ran-w.all.ran < enough || now.turns-w.all.turns < turns)
	})
}

// threadsOf are the threads of a process, the main one first.
func threadsOf(pid int) (list []int) {
	entries, err := os.ReadDir("/proc/" + strconv.Itoa(pid) + "/task")
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if tid, err := strconv.Atoi(e.Name()); err == nil && tid != pid {
			list = append(list, tid)
		}
	}
	slices.Sort(list)
	return slices.Insert(list, 0, pid)
}

// Outside is where a thread is that is in no call of MPI: where the program's own code is last.
func (t *Thread) Outside() finding.Frame { return symbol.Written(t.Frames) }

// Path is the call stack from the outermost function on, with the call of MPI at its end.
func (t *Thread) Path() (path []finding.Branch) {
	for i, f := range slices.Backward(t.Frames) {
		if f.Library == symbol.CLibrary {
			if i+1 < len(t.Frames) && t.Frames[i+1].Library == symbol.CLibrary {
				continue
			}
			f.Function = symbol.CalledBy(f.Function)
		}
		path = append(path, finding.Branch{Frame: f})
	}
	if t.Call != nil {
		path = append(path, finding.Branch{Call: t.Call.Function.Name})
	}
	return path
}

// Waits is the function of a library in which the program waits outside of MPI, as programs call it.
func (t *Thread) Waits() string {
	name := ""
	for _, f := range t.Frames {
		if f.Library == "" {
			break
		}
		name = f.Function
	}
	return symbol.CalledBy(name)
}
