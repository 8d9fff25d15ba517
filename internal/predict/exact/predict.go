package exact

import (
	"cmp"
	"context"
	"slices"
	"time"

	"unknot/internal/trace"
	"unknot/internal/vocab/mpi"
)

const (
	defaultTime   = time.Minute
	defaultStates = 2_000_000
	defaultMax    = 64
)

// Predict says whether some legal run with the calls of the log blocks forever. It fails if the log refers to what is
// not in it; a budget that ends, or a context, is no failure but the verdict Undecided, or Deadlocks if one was found
// before.
func Predict(ctx context.Context, l *trace.Log, table *mpi.T, o Options) (*Result, error) {
	if o.Budget.Time <= 0 {
		o.Budget.Time = defaultTime
	}
	if o.Budget.States <= 0 {
		o.Budget.States = defaultStates
	}
	if o.Max <= 0 {
		o.Max = defaultMax
	}
	until := time.Now().Add(o.Budget.Time)
	m, err := build(l, table, o)
	if err != nil {
		return nil, err
	}
	r := &Result{Stats: Stats{Threads: len(l.Threads), Parts: len(m.parts), Contested: len(m.disputed), Pairs: m.pairs}}
	for t := range l.Threads {
		r.Stats.Ops += int(m.end[t])
	}
	found := newHarvest(m)
	m.decide(ctx, until, found, r)
	r.Deterministic = m.deterministic()
	if r.Beyond = Beyond(l); r.Beyond != "" {
		r.Complete = false
		if r.Verdict == Free {
			r.Verdict, r.Why = Undecided, r.Beyond
		}
	}
	r.Deadlocks = found.found
	for i := range r.Deadlocks {
		r.Deadlocks[i].Replies = !r.Deadlocks[i].Certain && m.replies(&r.Deadlocks[i])
	}
	slices.SortStableFunc(r.Deadlocks, func(a, b Deadlock) int {
		if a.Replies != b.Replies {
			if b.Replies {
				return -1
			}
			return 1
		}
		if a.Certain != b.Certain {
			if a.Certain {
				return -1
			}
			return 1
		}
		return cmp.Compare(len(a.Core), len(b.Core))
	})
	return r, nil
}

// decide fills in the verdict.
func (m *model) decide(ctx context.Context, until time.Time, found *harvest, r *Result) {
	s := m.start()
	if !m.choices {
		r.Stats.Method = MethodChain
		r.Why = "the log leaves no choice of matches, so one simulation without buffering decides"
		loosened := chain(s.clone(), found)
		if !found.dead {
			r.Verdict, r.Complete = Free, true
			return
		}
		r.Verdict, r.Complete = Deadlocks, !loosened
		if loosened && len(m.parts) <= smallLog && !found.full() {
			x := newSearch(ctx, m, until, nil, found)
			x.lenient = true
			x.from(s)
			r.count(x)
			r.Complete = x.cut == "" && !x.merged && !found.full()
		}
		return
	}
	rivals := m.rivalry()
	r.Stats.Proofs = 1
	// The runs in which MPI keeps no more than it must show most deadlocks, and there are far fewer of them.
	x := newSearch(ctx, m, until, rivals, found)
	if rivals.safe(s, x.late) {
		r.Stats.Method = MethodProof
		r.Verdict, r.Complete = Free, true
		r.Why = "counting shows that every wait is satisfied, whichever messages are matched first"
		return
	}
	r.Stats.Method = MethodSearch
	x.from(s.clone())
	r.count(x)
	if x.skipped && x.cut == "" && !found.full() {
		x = newSearch(ctx, m, until, rivals, found)
		x.lenient, x.skipped = true, false
		x.from(s)
		r.count(x)
	}
	switch {
	case found.dead:
		r.Verdict, r.Complete = Deadlocks, x.cut == "" && !x.skipped && !x.merged && !found.full() && !m.partial
		r.Why = "a legal run that blocks forever was found"
	case m.partial:
		r.Why = "a call may report too many requests at once to try every combination"
	case x.cut != "":
		r.Why = "the search did not finish: " + x.cut
	default:
		r.Verdict, r.Complete = Free, true
		r.Why = "all runs were searched, except those equivalent to others"
	}
}

// count adds the work of a search that has ended, and says so.
func (r *Result) count(x *search) {
	x.say()
	if x.spent {
		r.Unfinished = x.cut
	}
	r.Stats.States += len(x.seen)
	r.Stats.Proofs += x.proofs
}
