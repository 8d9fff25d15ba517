// Package explore makes the deadlocks happen that a recorded run did not show: it runs the program, predicts from what
// was recorded, confirms by replays that force other matches, and where the program's course depends on whom a wildcard
// receive meets, continues from there until nothing is left or the budget is spent.
//
// Each run is an `unknot run` of its own with --trace and --plan, on the user's real MPI; nothing schedules centrally.
// The candidates of a wildcard receive are those of POE, and the macroscopic reduction that of MSPOE (Sharma,
// Gopalakrishnan and Bronevetsky, sections 2 to 4).
package explore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"unknot/internal/observe/launch"
	"unknot/internal/predict/exact"
	"unknot/internal/say/report"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/plan"
)

// Strategy says which runs are made.
type Strategy string

// Strategies.
const (
	Predictive Strategy = "predictive" // predictions, then what no run has shown, within limits
	Exhaustive Strategy = "exhaustive" // the same without limits
	POE        Strategy = "poe"        // every match
	MSPOE      Strategy = "mspoe"      // matches that compete with a receive from a definite source
	Random     Strategy = "random"     // every match, in no order
)

// Strategies lists the names.
func Strategies() []string {
	return []string{string(Predictive), string(Exhaustive), string(POE), string(MSPOE), string(Random)}
}

// Options say what is explored, and how far.
type Options struct {
	Unknot    string   // the tool itself, which makes the runs
	Argv      []string // the user's command
	Ranks     int      // that it starts; 0 if the command line does not say
	RunArgs   []string // options for unknot run
	Strategy  Strategy
	Buffering exact.Buffering
	Limit     int64         // bytes, for exact.BufferLimit
	MaxRuns   int           // 0: no limit
	Time      time.Duration // for all together; 0: no limit
	RunTime   time.Duration // for one run; 0: ten times as long as the first, and 20 s more
	Livelock  time.Duration // how long a rank may poll for what can never come; 0: ten seconds in a forced run
	Parallel  int           // runs at a time; 0 for one
	// OtherClocks is how many runs are made in which the program sees other clocks and random numbers, if it would be
	// called free otherwise.
	OtherClocks int
	Beside      launch.Beside // how a run is started, if there are several at a time
	Dir         string        // where the state is kept
	Resume      bool
	Seed        uint64
	Version     string
	Output      Output                 // of the first run
	Progress    func(report.Exploring) // called by the goroutine that explores
	// Found is called by that goroutine with each error that a run has shown, as soon as it has: a result with this
	// finding alone. One that a later run shows with fewer ranks is passed on again.
	Found func(*finding.Run)
}

// Run explores, and returns what was found as one result. The error is that of the first run, or of the state file.
func Run(ctx context.Context, o Options) (*finding.Run, error) {
	x, err := begin(o)
	if err != nil {
		return nil, err
	}
	defer x.close()
	if o.Time > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, o.Time)
		defer stop()
	}
	err = x.loop(ctx)
	f := x.conclude(context.WithoutCancel(ctx))
	return f, errors.Join(err, x.save(f))
}

// explorer is one exploration.
type explorer struct {
	o        Options
	table    *mpi.T
	state    *state
	make     func(ctx context.Context, id, clocks int, p *plan.Plan, limit time.Duration, out Output) (*outcome, error)
	ahead    *ahead
	spares   []*made // that others had made unnecessary when their turn came
	start    time.Time
	first    *result // of the observed run
	courses  courses
	limit    time.Duration
	runs     int // begun now
	unneeded int // of these
	stopped  string
	tmp      string
	learned  learned
	// announced are the findings that were passed on, by their number in the state, with what distinguished them then.
	announced map[int]string
	// Runs with other clocks are queued, or were.
	clocksQueued bool
}

func begin(o Options) (*explorer, error) {
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return nil, fmt.Errorf("cannot save the state of the exploration: %w; hint: choose a directory with --state",
			err)
	}
	h := head{Command: o.Argv, Strategy: string(o.Strategy), Buffering: bufferingName(o)}
	path := filepath.Join(o.Dir, "explore.jsonl")
	table, err := mpi.Load()
	if err != nil {
		return nil, err
	}
	x := &explorer{o: o, table: table, start: time.Now(), courses: courses{dir: o.Dir, synchronous: o.synchronous()},
		learned: learned{failed: make(map[string]bool), led: make(map[string]bool)}, announced: make(map[int]string)}
	if o.Resume {
		x.state, err = resume(path, h)
	} else {
		x.state, err = newState(path, h)
	}
	if err != nil {
		return nil, err
	}
	if err := x.prepare(); err != nil {
		x.close()
		return nil, err
	}
	return x, nil
}

// prepare makes room for the runs, and queues the first one unless it has been made.
func (x *explorer) prepare() error {
	// What a killed exploration has left of its runs goes with the next one.
	x.tmp = filepath.Join(x.o.Dir, "runs")
	if err := errors.Join(os.RemoveAll(x.tmp), os.Mkdir(x.tmp, 0o755)); err != nil {
		return err
	}
	r := &runner{unknot: x.o.Unknot, argv: x.o.Argv, more: x.o.RunArgs, livelock: x.o.Livelock, dir: x.tmp}
	if x.o.Parallel > 1 && x.o.Beside.Argv != nil {
		r.argv, r.env = x.o.Beside.Argv, slices.Concat(os.Environ(), x.o.Beside.Env)
	}
	x.make = r.run
	if err := x.recall(); err != nil {
		return err
	}
	if len(x.state.done) > 0 || len(x.state.queue) > 0 {
		return nil
	}
	return x.state.add(&item{Parent: -1, Purpose: observe, Finding: -1})
}

// recall takes up what a resumed exploration needs of the observed run.
func (x *explorer) recall() error {
	x.first = x.state.done[0]
	if x.first == nil {
		return nil
	}
	x.limit = limitAfter(time.Duration(x.first.Seconds * float64(time.Second)))
	var err error
	if x.courses.observed, err = x.courses.read(0); err != nil {
		return fmt.Errorf("the exploration cannot be resumed: %w", err)
	}
	return x.relearn()
}

// limitAfter is how long a run may take if the first one took so long.
func limitAfter(first time.Duration) time.Duration { return 10*first + 20*time.Second }

func (x *explorer) close() {
	_ = x.state.file.Close()
	_ = os.RemoveAll(x.tmp)
	if len(x.state.queue) == 0 && x.stopped == "" {
		x.courses.forget(x.state.done)
	}
}

func bufferingName(o Options) string {
	switch o.Buffering {
	case exact.BufferNone:
		return "none"
	case exact.BufferAll:
		return "infinite"
	case exact.BufferLimit:
		return fmt.Sprint(o.Limit)
	}
	return "any"
}

func (o *Options) synchronous() bool { return o.Buffering == exact.BufferNone }

// add puts a run into the queue.
func (s *state) add(it *item) error {
	it.ID = s.nextID
	return s.note(line{Item: it})
}

func (x *explorer) execute(ctx context.Context, it *item) (*outcome, error) {
	var out Output
	if it.Purpose == observe {
		out = x.o.Output
	} else if in := x.o.Output.again(); in != nil {
		defer in.Close()
		out.In = in
	}
	ranks := x.o.Ranks
	if x.first != nil {
		ranks = x.first.Ranks
	}
	limit := x.o.RunTime
	if limit == 0 && it.Purpose != observe {
		limit = max(x.limit, 2*x.o.Livelock)
	}
	if (it.Purpose == observe || it.Purpose == clocks) && !x.o.synchronous() {
		return x.make(ctx, it.ID, it.Clocks, nil, limit, out)
	}
	p := it.plan(ranks, x.o.synchronous())
	return x.make(ctx, it.ID, it.Clocks, &p, limit, out)
}
