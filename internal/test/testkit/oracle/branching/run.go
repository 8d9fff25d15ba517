package branching

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"unknot/internal/trace"
	"unknot/internal/vocab/plan"
)

// End is how a run ended.
type End struct {
	Finished bool // all ranks are in MPI_Finalize
	// Stuck are the ranks that do not get on, if the run hangs.
	Stuck Deadlock
	// Left says that the plan has led where the program does not go by itself: it hangs in a poll that the plan has
	// wait, or in a receive, probe or completion that waits for what the plan wants while something else is there; or a
	// receive was given a message that belonged to an earlier one which the plan kept from it (MPI-4.0, 3.5), and
	// nothing that MPI may do looks the same.
	Left  bool
	Wrong string // what the program did that MPI does not allow; the run ends there
}

// String says how a run ended.
func (e End) String() string {
	switch {
	case e.Wrong != "" && e.Left:
		return "wrong after it left the plan: " + e.Wrong
	case e.Wrong != "":
		return "wrong: " + e.Wrong
	case e.Finished && e.Left:
		return "finished after it left the plan"
	case e.Finished:
		return "finished"
	case e.Left:
		return "left the plan: " + e.Stuck.String()
	}
	return "deadlock: " + e.Stuck.String()
}

// Run makes one legal run of a program that obeys a plan; what that does not name is random. It returns the log that a
// recorder would make of it. A decision is obeyed as a replay does it: the receive is made from the source that the
// plan wants. If that makes a run that MPI could not have made, End.Left says so.
func (p *Program) Run(pl plan.Plan, rng *rand.Rand) (*trace.Log, End) {
	code := compile(p)
	m := &machine{code: code, rng: rng, forced: newForced(&pl), rec: newRecorder(code)}
	for i := range m.coins {
		m.coins[i] = []float64{0, 0.5, 0.5, 1}[rng.IntN(4)]
	}
	w := &runner{machine: m, s: m.start(), weights: make([]int, len(p.Ranks)), patience: 0.9 * rng.Float64()}
	for r := range w.weights {
		w.weights[r] = []int{1, 8, 64}[rng.IntN(3)]
	}
	end := w.run()
	if end.Finished {
		for r := range m.rec.log.Threads {
			m.rec.returned(r, nil)
		}
	}
	if w.overtaken {
		end.Left = end.Left || end.Wrong != "" || !p.shows(m.rec.log, end.Finished, mostLooked)
	}
	return m.rec.log, end
}

// runner is a random run.
type runner struct {
	*machine
	s        *state
	weights  []int   // by rank: how quick it is
	patience float64 // the chance that a poll which could find something does not
	turn     int     // who polls next, if nobody can do anything else
	// overtaken says that a receive has got a message past another one that a plan decides.
	overtaken bool
}

// mostLooked bounds the search for a legal run that looks like one in which a receive was overtaken.
const mostLooked = 20000

func (w *runner) run() End {
	idle := make(map[string]int) // states without anything to do but poll in vain
	var since []*state
	for {
		moves := w.moves(w.s)
		moves = slices.DeleteFunc(moves, func(v move) bool { return v.need != nothing })
		switch {
		case w.s.wrong != "":
			return End{Wrong: w.s.wrong}
		case w.s.done():
			return End{Finished: true}
		case len(moves) == 0:
			return w.hang([]*state{w.s})
		case slices.ContainsFunc(moves, func(v move) bool { return !w.idle(v) }):
			clear(idle)
			since = nil
			v := w.pick(moves)
			w.overtaken = w.overtaken || v.action == meets && w.overtakes(w.s, v)
			w.do(w.s, v)
			continue
		}
		if w.ahead() { // polls find nothing because the plan says so, for the time being
			clear(idle)
			since = nil
		}
		// Nothing can happen but polls in vain. If that leads to the same state again, it does forever.
		key := w.s.key(nil) + fmt.Sprint(w.turn)
		if at, known := idle[key]; known && !w.ahead() {
			return w.hang(since[at:])
		}
		idle[key] = len(since)
		since = append(since, w.s.clone())
		v := moves[0]
		for _, x := range moves {
			if (x.rank-w.turn+len(w.weights))%len(w.weights) < (v.rank-w.turn+len(w.weights))%len(w.weights) {
				v = x
			}
		}
		w.turn = (v.rank + 1) % len(w.weights)
		w.do(w.s, v)
	}
}

// idle says whether a move only makes a poll, or has it find nothing.
func (w *runner) idle(v move) bool {
	return v.poll || v.action == enters && w.at(w.s, v.rank).call.Kind.polls()
}

// ahead says whether the plan has outcomes for polls that are still to come.
func (w *runner) ahead() bool {
	for r := range w.s.ranks {
		k := &w.s.ranks[r]
		if !k.over && !w.held(w.s, r) && w.at(w.s, r).call.Kind.polls() && w.forced.ahead(r, k.count.choices) {
			return true
		}
	}
	return false
}

// held says whether a plan has a rank wait in a poll, which would else return.
func (m *machine) held(s *state, r int) bool {
	k := &s.ranks[r]
	return !k.over && m.at(s, r).call.Kind.polls() && k.now.outcome != nil && !k.now.outcome.Nothing
}

// pick chooses a move: quick ranks more often.
func (w *runner) pick(moves []move) move {
	sum := 0
	for _, v := range moves {
		sum += w.weights[v.rank]
	}
	at := w.rng.IntN(sum)
	for _, v := range moves {
		if at -= w.weights[v.rank]; at < 0 {
			return w.poll(v, moves)
		}
	}
	panic("no move")
}

// poll has a poll find something if it can, except for the patience of the run.
func (w *runner) poll(v move, moves []move) move {
	if !v.poll || w.rng.Float64() < w.patience {
		return v
	}
	i := slices.IndexFunc(moves, func(x move) bool { return x.rank == v.rank && x.action == leaves && !x.poll })
	if i < 0 {
		return v
	}
	return moves[i]
}

// hang tells of a run that does not get out of some states.
func (w *runner) hang(states []*state) End {
	e := End{Stuck: w.describe(states)}
	free := &machine{code: w.code}
	for _, s := range states {
		for r := range s.ranks {
			e.Left = e.Left || w.held(s, r)
		}
		s = s.clone()
		lift(s)
		e.Left = e.Left || slices.ContainsFunc(free.moves(s), func(v move) bool {
			return v.need == nothing && !v.poll &&
				v.action != enters
		})
	}
	return e
}

// lift takes away what a plan has decided of the calls that are under way.
func lift(s *state) {
	for r := range s.ranks {
		k := &s.ranks[r]
		k.now.outcome = nil
		for i := range k.recvs {
			k.recvs[i].lift()
		}
		k.now.probe.lift()
	}
}

func (p *posted) lift() {
	if p.forced {
		p.forced, p.from, p.tag = false, -1, p.wanted
	}
}
