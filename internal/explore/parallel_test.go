//go:build !quick

package explore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/oracle/branching"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/plan"
)

// simulated makes runs of a program without MPI. What MPI chooses in a run follows from its plan alone; how long a run
// takes does not, so that those which are made at a time end in any order.
type simulated struct {
	program *branching.Program
	seed    uint64
	clock   *rand.Rand
	during  func(id, busy int) // as a run begins; nil for nothing

	mu               sync.Mutex
	begun, busy, max int
}

func (s *simulated) run(ctx context.Context, id, clocks int, p *plan.Plan, _ time.Duration,
	_ Output) (*outcome, error) {
	if p == nil {
		p = &plan.Plan{Ranks: len(s.program.Ranks)}
	}
	text, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	h := fnv.New64a()
	_, _ = h.Write(text)
	s.mu.Lock()
	s.begun++
	s.busy++
	s.max = max(s.max, s.busy)
	long := time.Duration(s.clock.IntN(100)) * time.Millisecond
	if s.during != nil {
		s.during(id, s.busy)
	}
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.busy--
		s.mu.Unlock()
	}()
	select {
	case <-time.After(long):
	case <-ctx.Done():
		return &outcome{}, nil
	}
	log, end := s.program.Run(*p, rand.New(rand.NewPCG(s.seed, h.Sum64())))
	r := &finding.Run{Ranks: len(s.program.Ranks), Complete: true, Calls: 1, Seconds: 1, Findings: []finding.Finding{}}
	switch {
	case end.Left:
		r.Findings = append(r.Findings, finding.Finding{Code: finding.ReplayDiverged, Severity: finding.Info,
			Standing: finding.Manifest, Sentence: end.String()})
	case !end.Finished:
		r.Findings = append(r.Findings, deadlock(end.Stuck))
	}
	return &outcome{log: log, run: r, elapsed: time.Second}, nil
}

func deadlock(d branching.Deadlock) finding.Finding {
	f := finding.Finding{Code: finding.Deadlock, Severity: finding.Error, Standing: finding.Manifest, Count: 1,
		Sentence: d.String()}
	for _, s := range d.Stuck {
		f.Ranks = append(f.Ranks, s.Rank)
		for _, c := range s.Calls {
			f.Places = append(f.Places, finding.Place{Rank: s.Rank, State: "blocked", Call: c.Fn,
				Frame: finding.Frame{File: "program.c", Line: c.Line}, WaitsFor: []int{}})
		}
	}
	return f
}

// explored explores a program by simulated runs, in a time that passes only while nothing is computed.
func explored(t *testing.T, s *simulated, o Options) *finding.Run {
	t.Helper()
	o.Argv, o.Ranks = []string{"program"}, len(s.program.Ranks)
	if o.Dir == "" {
		o.Dir = t.TempDir()
	}
	x, err := begin(o)
	if err != nil {
		t.Fatal(err)
	}
	defer x.close()
	x.make = s.run
	ctx := t.Context()
	if o.Time > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, o.Time)
		defer stop()
	}
	if err := x.loop(ctx); err != nil {
		t.Fatalf("%s, %s, %d at a time: %v", s.program.Name, o.Strategy, o.Parallel, err)
	}
	if x.ahead.busy > 0 || s.busy > 0 {
		t.Errorf("%d runs are under way at the end", s.busy)
	}
	return x.conclude(context.Background())
}

// account is a result without what differs by nature: times, and how many runs were made at a time.
func account(t *testing.T, f *finding.Run) string {
	t.Helper()
	f.Start, f.Seconds = "", 0
	f.Notes = slices.DeleteFunc(f.Notes, func(n string) bool { return strings.Contains(n, "runs at a time") })
	text, err := json.MarshalIndent(f, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestTheReportIsTheSameHoweverManyRunsAreMadeAtATime explores programs whose control flow depends on what their
// receives match, under each strategy, one run at a time and several.
func TestTheReportIsTheSameHoweverManyRunsAreMadeAtATime(t *testing.T) {
	programs := branching.Classics()
	generated := uint64(8)
	switch {
	case testkit.Nightly():
		generated = 100
	case testing.Short():
		generated = 1
	}
	for seed := range generated {
		p := branching.Generate(seed)
		p.Name = fmt.Sprintf("seed %d", seed)
		programs = append(programs, p)
	}
	unneeded := 0
	for n, p := range programs {
		for _, strategy := range []Strategy{Predictive, POE, MSPOE, Random} {
			var one *finding.Run
			for _, parallel := range []int{1, 2, 4} {
				s := &simulated{program: p, seed: uint64(n), clock: rand.New(rand.NewPCG(uint64(n), uint64(parallel)))}
				var f *finding.Run
				synctest.Test(t, func(t *testing.T) {
					f = explored(t, s, Options{Strategy: strategy, Parallel: parallel, Seed: 3})
				})
				if s.max > parallel {
					t.Errorf("%s: %d runs at a time, want %d at most", p.Name, s.max, parallel)
				}
				unneeded += s.begun - f.Coverage.Runs
				if parallel == 1 {
					one = f
				} else if got, want := account(t, f), account(t, one); got != want && !moreFound(f, one) {
					t.Errorf("%s, %s: with %d runs at a time\n%s\nwith one\n%s\n%s", p.Name, strategy, parallel,
						got, want, p)
				}
			}
		}
	}
	if unneeded == 0 && !testing.Short() {
		t.Error("no run was ever made in vain, so it is not known what becomes of such")
	}
}

// moreFound says whether a result has the findings of another, and further ones of runs that were made beside those of
// the other: of a program that has errors, and where not everything was tried.
func moreFound(f, one *finding.Run) bool {
	return f.Claim == finding.Broken && one.Claim != finding.Free && f.Coverage.Runs > one.Coverage.Runs &&
		len(f.Findings) > len(one.Findings) &&
		!slices.ContainsFunc(one.Findings, func(g finding.Finding) bool {
			return !slices.ContainsFunc(f.Findings, func(h finding.Finding) bool {
				return h.Code == g.Code &&
					h.Sentence == g.Sentence
			})
		})
}

// TestNoMoreRunsAreBegunThanTheLimitAllows and what was begun is taken in, so that the same command continues from
// there with --resume.
func TestNoMoreRunsAreBegunThanTheLimitAllows(t *testing.T) {
	p := branching.PullMaster(3, 3)
	whole := explored(t, quick(p), Options{Strategy: Exhaustive})
	for _, strategy := range []Strategy{Exhaustive, POE} {
		for limit := 1; limit < 8; limit++ {
			synctest.Test(t, func(t *testing.T) {
				s, dir := quick(p), t.TempDir()
				o := Options{Strategy: strategy, Parallel: 3, MaxRuns: limit, Dir: dir}
				f := explored(t, s, o)
				if s.begun != limit || f.Coverage.Runs > limit || strategy == POE && f.Coverage.Runs != limit ||
					f.Complete {
					t.Errorf("%s, limit %d: %d runs begun, %d taken in, complete %v", strategy, limit, s.begun,
						f.Coverage.Runs, f.Complete)
				}
				o.MaxRuns, o.Resume = 0, true
				if f = explored(t, s, o); !f.Complete || strategy == Exhaustive &&
					(f.Claim != whole.Claim || f.Coverage.Flows != whole.Coverage.Flows) {
					t.Errorf("%s, limit %d, resumed: %s, want %s", strategy, limit, f.Verdict, whole.Verdict)
				}
			})
		}
	}
}

// quick makes runs of a program, whose times are of no interest.
func quick(p *branching.Program) *simulated {
	return &simulated{program: p, clock: rand.New(rand.NewPCG(1, 1))}
}

// TestATimeLimitEndsAllRuns however many are under way.
func TestATimeLimitEndsAllRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, dir := quick(branching.PullMaster(4, 4)), t.TempDir()
		start := time.Now()
		f := explored(t, s, Options{Strategy: POE, Parallel: 4, Time: 300 * time.Millisecond, Dir: dir})
		if took := time.Since(start); took > 300*time.Millisecond || f.Complete || f.Coverage.Runs < 4 {
			t.Errorf("%v, complete %v, %d runs", took, f.Complete, f.Coverage.Runs)
		}
		if left, err := os.ReadDir(filepath.Join(dir, "runs")); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("left behind: %v (%v)", left, err)
		}
	})
}

// TestWhatABusyMachineMayHaveCausedIsSeenAgainAlone has runs that are made beside others take too long, livelock, lose
// a rank or go unwatched in part. Made alone, they do not, and that is what counts.
func TestWhatABusyMachineMayHaveCausedIsSeenAgainAlone(t *testing.T) {
	p := branching.PullMaster(3, 3)
	want := account(t, explored(t, quick(p), Options{Strategy: Exhaustive}))
	for name, spoil := range map[string]func(*outcome){
		"too long": func(o *outcome) { o.timedOut, o.run = true, nil },
		"livelock": func(o *outcome) {
			o.run.Findings = append(o.run.Findings, finding.Finding{Code: finding.Livelock, Severity: finding.Error})
		},
		"rank died": func(o *outcome) {
			o.run.Findings = append(o.run.Findings, finding.Finding{Code: finding.RankDied, Severity: finding.Error})
		},
		"unwatched": func(o *outcome) { o.run.Complete = false },
	} {
		synctest.Test(t, func(t *testing.T) {
			s := quick(p)
			crowded := make(map[int]bool)
			s.during = func(id, busy int) {
				crowded[id] = false
				for other := range crowded { // those that are over are not asked for any more
					crowded[other] = crowded[other] || busy > 1
				}
			}
			x, err := begin(Options{Argv: []string{"program"}, Ranks: 3, Strategy: Exhaustive, Parallel: 3,
				Dir: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			defer x.close()
			spoiled := 0
			x.make = func(ctx context.Context, id, clocks int, p *plan.Plan, limit time.Duration,
				to Output) (*outcome, error) {
				out, err := s.run(ctx, id, clocks, p, limit, to)
				s.mu.Lock()
				defer s.mu.Unlock()
				if err == nil && out.run != nil && crowded[id] {
					spoil(out)
					spoiled++
				}
				return out, err
			}
			if err := x.loop(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := account(t, x.conclude(context.Background())); got != want || spoiled == 0 {
				t.Errorf("%s, %d runs spoiled:\n%s\nwant\n%s", name, spoiled, got, want)
			}
		})
	}
}

// TestARunThatTimeKeptFromItsPlanIsMadeAgain has each forced run diverge from its plan the first time, as it may on a
// busy machine. The result is that of an exploration in which none does.
func TestARunThatTimeKeptFromItsPlanIsMadeAgain(t *testing.T) {
	for _, p := range append(branching.Classics(), branching.PullMaster(3, 3)) {
		want := explored(t, quick(p), Options{Strategy: Exhaustive})
		synctest.Test(t, func(t *testing.T) {
			s := quick(p)
			x, err := begin(Options{Argv: []string{"program"}, Ranks: len(p.Ranks), Strategy: Exhaustive,
				Dir: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			defer x.close()
			seen := make(map[string]bool)
			x.make = func(ctx context.Context, id, clocks int, forced *plan.Plan, limit time.Duration,
				to Output) (*outcome, error) {
				out, err := s.run(ctx, id, clocks, forced, limit, to)
				if text := fmt.Sprint(forced); err == nil && forced != nil && !seen[text] {
					seen[text] = true
					out.log, out.run.Findings = nil,
						[]finding.Finding{{Code: finding.ReplayDiverged, Severity: finding.Info,
							Sentence: "it diverged"}}
				}
				return out, err
			}
			if err := x.loop(t.Context()); err != nil {
				t.Fatal(err)
			}
			got := x.conclude(context.Background())
			if got.Claim != want.Claim || got.Coverage.Unforced != want.Coverage.Unforced ||
				len(got.Findings) != len(want.Findings) {
				t.Errorf("%s: %s, %d findings; want %s, %d findings", p.Name, got.Verdict, len(got.Findings),
					want.Verdict, len(want.Findings))
			}
		})
	}
}
