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
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"unknot/internal/agent"
	"unknot/internal/check"
	"unknot/internal/check/buffers"
	"unknot/internal/check/registry"
	"unknot/internal/check/rma"
	"unknot/internal/observe/launch"
	"unknot/internal/observe/probe"
	"unknot/internal/observe/ring"
	"unknot/internal/root/link"
	"unknot/internal/say/report/progress"
	"unknot/internal/shmem/judge"
	"unknot/internal/upc/races"
	"unknot/internal/upc/reports"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/plan"
)

// Exit statuses of `unknot run`, besides the program's own.
const (
	ExitUsage    = 2  // the command line cannot be watched as it is
	ExitTool     = 3  // unknot itself failed
	ExitFindings = 66 // findings stand; --error-exitcode chooses another
)

// Values of Options.Accesses.
const (
	AccessesOff     = "off"
	AccessesBuffers = "buffers" // to buffers of pending operations only
	AccessesSampled = "sampled" // to windows, too, but not all of those that a loop makes
	AccessesAll     = "all"
)

// Options are those of `unknot run`. The agent process gets its own as they are, with its session and the head of its
// trace filled in.
type Options struct {
	agent.Options

	Argv  []string
	Given []string // the command line as the user gave it, if Argv was made of that
	Files
	Whole        bool   // the JSON report is for `unknot explore`, which reports what it finds in it again
	Progress     string // where lines of package progress go, "" for nowhere
	Suppressions string // path, "" for none
	NoDefaults   bool   // report known findings of libraries too
	// in a run that an exploration makes: the number of other clocks that the program sees, "0" for those of the
	// machine; "" in others
	Heed  string
	Plan  string // path of a plan to be forced on the run, "" for none
	MPICC string
	Races races.Options
	// of the program's own that are looked at: AccessesOff, AccessesBuffers, AccessesAll, or any other text for the
	// usual ones
	Accesses  string
	Heap      bool   // follow the blocks of the heap, for checks of buffers
	Stage     bool   // bring unknot and the probe to hosts that do not have them
	Watched   bool   // a run in which nothing was watched fails
	Quiet     bool   // no report on standard error
	Color     string // "auto", "always" or "never"
	ErrorExit int
	FailOn    finding.Severity
	Version   string // of unknot
}

// command is what the user asked for.
func (o *Options) command() []string {
	if o.Given != nil {
		return o.Given
	}
	return o.Argv
}

// Run runs the job to its end and returns the exit status.
func Run(ctx context.Context, o Options, s launch.Streams) int {
	r := &run{o: o, streams: s, screen: newScreen(s.Err, o.Color), start: time.Now()}
	status, err := r.run(ctx)
	if err != nil {
		r.screen.complain(err)
	}
	r.progress.End(&r.result, status)
	return status
}

// run is one watched run.
type run struct {
	o        Options
	streams  launch.Streams
	screen   *screen
	start    time.Time
	progress *progress.Writer // nil if nobody wants to follow the run

	account
	job     *launch.Job
	probe   *probe.Probe
	needed  needed   // what ranks on all hosts need
	key     link.Key // of the job's links, if ranks may be on other hosts
	session *ring.Session
	agent   *agentProcess
	process *launch.Process
	races   *races.Reader
	pes     *judge.Reader
	meeting string // the file of a meeting of calls (meet) that is to be made, "" for none
	signals <-chan os.Signal

	notes       []string
	mismatched  bool           // the launcher is one that the program's MPI library does not know
	lost        string         // why the run was not watched to its end
	interrupted bool           // by a signal to us
	looking     syscall.Signal // it waits to be passed on until it is known where the ranks are; 0 if none does
	ended       bool           // the launcher has
	stopping    bool           // the agent asked for the job's end
	traces      launch.Traces  // of an interrupted job
	tasks       sync.WaitGroup // what ends the job beside the main loop
	left        bool           // to a debugger, as --on-deadlock=leave has it
	growing     growing
	lingering   lingering
}

// sent says how closely the data of sends is looked at: more of it if the check is asked for by its name; and which of
// the program's own accesses are.
func sent(s check.Selection, accesses string) (how uint32) {
	chosen := registry.Chosen(s)
	if chosen[buffers.BufferAccessed] || chosen[rma.Conflict] {
		how = ring.SentMarks
	}
	if chosen[rma.Conflict] && accesses != AccessesBuffers {
		how |= ring.SentWindows
	}
	switch accesses {
	case AccessesOff:
		how = 0
	case AccessesAll:
		how |= ring.SentAll
	}
	if chosen[buffers.BufferFreed] {
		how |= ring.SentLent
	}
	switch {
	case !chosen[buffers.SentModified]:
		return how
	case s.Named(buffers.SentBuffers, buffers.SentModified):
		return how | ring.SentMore
	}
	return how | ring.SentSome
}

// thousandths is a bound on what a program may take of its time without, as what it may take longer; 0 for none.
func thousandths(slowdown float64) uint32 {
	if slowdown == 0 {
		return 0
	}
	return uint32(max(1, 1000*(slowdown-1)))
}

func (r *run) run(ctx context.Context) (int, error) {
	signals, quiet := listen()
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
		r.note(fmt.Sprintf("the ranks' records are kept in %s, which may slow the run down: %s",
			filepath.Dir(r.session.Dir), r.session.Passed))
	}
	// The agent comes first, as it cleans up if we are killed.
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

// endedBy says whether one of the signals that end a run has come.
func endedBy(signals <-chan os.Signal) (syscall.Signal, bool) {
	for {
		select {
		case sig := <-signals:
			if slices.Contains(ending, sig) {
				return sig.(syscall.Signal), true
			}
		default:
			return 0, false
		}
	}
}

// check does all that can fail because of the command line, before anything is started.
func (r *run) check() error {
	if !r.o.NoDefaults {
		var err error
		if r.known, err = finding.KnownFindings(registry.Catalogue()); err != nil {
			return err
		}
	}
	if r.o.Suppressions != "" {
		f, err := os.Open(r.o.Suppressions)
		if err != nil {
			return fmt.Errorf("suppressions: %w; hint: check the path given to --suppressions", err)
		}
		defer f.Close()
		if r.rules, err = finding.ParseSuppressions(f, r.o.Suppressions, registry.Catalogue()); err != nil {
			return err
		}
	}
	if err := r.o.Files.check(r.o.Trace); err != nil {
		return err
	}
	// What explore runs has no time line: it reports of many runs.
	r.o.History = !r.o.Whole && r.o.Files.pictured()
	if err := writable("trace", r.o.Trace); err != nil {
		return err
	}
	var err error
	if r.job, err = launch.Recognise(r.o.Argv, launch.Options{MPICC: r.o.MPICC}); err != nil {
		return err
	}
	for _, w := range r.job.Warnings {
		r.screen.say("%s", w)
	}
	if err := r.checkPlan(); err != nil {
		return err
	}
	if err := r.reach(); err != nil {
		return err
	}
	if r.progress, err = progress.New(r.o.Progress); err != nil {
		return err
	}
	r.progress.Start("run", r.o.Version, r.o.command())
	return nil
}

// checkPlan reads the plan, and holds it to the number of ranks if the command line says that. The ranks read the file
// again, each for itself, wherever they have gone by then.
func (r *run) checkPlan() error {
	if r.o.Plan == "" {
		return nil
	}
	p, err := plan.Read(r.o.Plan)
	if err != nil {
		return err
	}
	if r.job.Ranks != 0 && r.job.Ranks != p.Ranks {
		return fmt.Errorf("the plan %s is for %d ranks, the job has %d; hint: start the job with %d ranks, or "+
			"without the plan",
			r.o.Plan, p.Ranks, r.job.Ranks, p.Ranks)
	}
	r.result.Plan, err = filepath.Abs(r.o.Plan)
	return err
}

// writable says early what would keep a file from being written after a run of hours. what names it.
func writable(what, path string) error {
	if path == "" {
		return nil
	}
	if fi, err := os.Stat(path); err == nil {
		if fi.IsDir() {
			return fmt.Errorf("cannot write %s %s: it is a directory; hint: give the name of a file in it", what, path)
		}
		if err := unix.Access(path, unix.W_OK); err != nil {
			return fmt.Errorf("cannot write %s %s: %w; hint: choose a path that you may write to", what, path, err)
		}
		return nil
	}
	dir := filepath.Dir(path)
	fi, err := os.Stat(dir)
	switch {
	case err != nil:
		return fmt.Errorf("cannot write %s %s: the directory %s does not exist; hint: create it first", what, path, dir)
	case !fi.IsDir():
		return fmt.Errorf("cannot write %s %s: %s is not a directory; hint: choose another path", what, path, dir)
	}
	if err := unix.Access(dir, unix.W_OK); err != nil {
		return fmt.Errorf("cannot write %s %s: directory %s: %w; hint: choose a path that you may write to", what,
			path, dir, err)
	}
	return nil
}

// prepare finds or builds the probe for the job's MPI.
func (r *run) prepare(ctx context.Context) error {
	ctx, stop := signal.NotifyContext(ctx, heeded(ending)...)
	defer stop()
	r.screen.status("preparing the probe for " + r.job.MPI.Family.String())
	defer r.screen.erase()
	options := probe.Options{MPICC: r.job.MPICC, FallbackDir: r.session.Dir, Soname: r.job.MPI.Soname,
		Family:  r.job.MPI.Family.String(),
		Library: r.job.MPI.Path}
	var err error
	if r.job.MPICC == "" && os.Getenv("UNKNOT_PROBE_DIR") == "" {
		if r.probe, err = probe.Ready(options); r.probe == nil && err == nil {
			err = noCompiler(r.job)
		}
	} else {
		r.probe, err = probe.Build(ctx, options)
	}
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return err
	}
	if r.needed.unknot, err = os.Executable(); err != nil {
		return err
	}
	if r.needed.probe, err = r.preloadable(r.probe.Path, "probe.so"); err != nil {
		return err
	}
	if r.o.Heap {
		if r.needed.heap, err = r.preloadable(r.probe.HeapPath(), "heap.so"); err != nil {
			return err
		}
	}
	if err := r.prepareSHMEM(ctx); err != nil {
		return err
	}
	r.needed.plan = r.result.Plan
	if r.o.Heed != "" {
		r.needed.heed = fmt.Sprintf("%d:%s", r.start.UnixNano(), r.o.Heed)
	}
	if r.probe.Note != "" {
		r.screen.say("%s", r.probe.Note)
	}
	if need := r.job.MPI.Soname; need != "" && r.probe.Soname != "" && need != r.probe.Soname {
		return fmt.Errorf("%s compiles for %s, but the program needs %s; hint: pass the mpicc that the program was "+
			"built with by --mpicc",
			r.job.MPICC, r.probe.Soname, need)
	}
	if r.o.Stage {
		r.stage(ctx)
	}
	return ctx.Err()
}

// preloadable gives a library a path that LD_PRELOAD can hold, where spaces and colons part one library from the next.
// name is that of a link to it.
func (r *run) preloadable(path, name string) (string, error) {
	const parting = " :"
	if !strings.ContainsAny(path, parting) {
		return path, nil
	}
	link := filepath.Join(r.session.Dir, name)
	if strings.ContainsAny(link, parting) {
		return "", fmt.Errorf("the probe %s cannot be preloaded: its path contains a space or a colon; hint: set "+
			"XDG_CACHE_HOME or UNKNOT_PROBE_DIR to a path without either", path)
	}
	return link, os.Symlink(path, link)
}

func noCompiler(j *launch.Job) error {
	what := "MPI"
	if j.MPI.Family == launch.OpenMPI || j.MPI.Family == launch.MPICH || j.MPI.Family == launch.Standard {
		what = j.MPI.Family.String()
	}
	return fmt.Errorf("no mpicc of %s on this machine to build the probe with; hint: install its development "+
		"package, pass its path with --mpicc, or set UNKNOT_PROBE_DIR to probes built elsewhere by `unknot probe "+
		"build -o DIR`", what)
}

// ending are the signals that end a run, passing those that a launcher passes on to the ranks.
var (
	ending  = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}
	passing = []os.Signal{syscall.SIGUSR1, syscall.SIGUSR2}
)

// heeded leaves out the signals that our caller has us ignore (nohup).
func heeded(signals []os.Signal) []os.Signal {
	return slices.DeleteFunc(slices.Clone(signals), signal.Ignored)
}

// listen collects the signals that end a run or are for the job. SIGPIPE is caught so that a closed standard error does
// not end us before we have cleaned up; the job gets it as ever.
func listen() (<-chan os.Signal, func()) {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, heeded(ending)...)
	signal.Notify(signals, heeded(passing)...)
	pipe := make(chan os.Signal, 1)
	signal.Notify(pipe, syscall.SIGPIPE)
	return signals, func() { signal.Stop(signals); signal.Stop(pipe) }
}
