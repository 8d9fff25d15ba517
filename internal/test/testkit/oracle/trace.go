package oracle

import (
	"math/rand/v2"
)

// Event is what a watcher sees: a rank enters or leaves a call.
type Event struct {
	Rank   int
	Call   int // its place in the rank's program; one past the last is MPI_Finalize
	Leaves bool
	First  int    // Enter: the rank's first piece that the call starts…
	Starts int    // …and how many
	Waits  []int  // Enter: the pieces that the call waits for
	Done   []Done // Leaves: what was reported
}

// Done is the completion of a piece; source and tag are those of the status of a receive or probe.
type Done struct{ N, Source, Tag int }

// Trace is what a watcher sees of a run, in the order in which it happened.
type Trace struct {
	Prog   *Program
	Events []Event
	Pieces [][]Piece // as they were started; what they met is not for the watcher's eyes
}

// Moment is a run at some time, and what was seen of it until then.
type Moment struct {
	*Machine
	Events int // so many of the trace's
}

// Run runs a program until it is over or stuck. It returns what was seen, and the run at a moment in between and at its
// end.
func Run(p *Program, seed uint64) (trace *Trace, between, end Moment) {
	rng := rand.New(rand.NewPCG(seed, 2))
	m := NewMachine(p, rng)
	calls := 0
	for _, c := range p.Ranks {
		calls += len(c) + 1
	}
	trace = &Trace{Prog: p}
	look := rng.IntN(2 * calls)
	for {
		if len(trace.Events) >= look && between.Machine == nil {
			between = Moment{m.Clone(), len(trace.Events)}
		}
		moves := m.Moves()
		if len(moves) == 0 {
			break
		}
		v := moves[rng.IntN(len(moves))]
		first := len(m.Pieces[v.Rank])
		m.Do(v)
		if !v.IsMatch {
			trace.add(m, v, first)
		}
	}
	end = Moment{m, len(trace.Events)}
	if between.Machine == nil {
		between = end
	}
	trace.Pieces = m.Pieces
	return trace, between, end
}

// add notes a move that has been made.
func (t *Trace) add(m *Machine, v Move, first int) {
	r := v.Rank
	if !v.Leaves {
		t.Events = append(t.Events, Event{Rank: r, Call: m.At[r], First: first, Starts: len(m.Pieces[r]) - first,
			Waits: m.Waits(r)})
		return
	}
	e := Event{Rank: r, Call: m.At[r] - 1, Leaves: true}
	for _, n := range v.Done {
		d := Done{N: n, Source: Any, Tag: Any}
		if p := &m.Pieces[r][n]; p.Matched != nil && p.Role != Sender {
			d.Source, d.Tag = p.Matched.Rank, m.piece(*p.Matched).Tag
		}
		e.Done = append(e.Done, d)
	}
	t.Events = append(t.Events, e)
}

// Shuffle puts the first n events into another order in which they may be read: each rank's own order stays.
func (t *Trace) Shuffle(n int, rng *rand.Rand) []Event {
	byRank := make([][]Event, len(t.Prog.Ranks))
	for _, e := range t.Events[:n] {
		byRank[e.Rank] = append(byRank[e.Rank], e)
	}
	out := make([]Event, 0, n)
	for len(out) < n {
		r := rng.IntN(len(byRank))
		for range rng.IntN(6) {
			if len(byRank[r]) > 0 {
				out = append(out, byRank[r][0])
				byRank[r] = byRank[r][1:]
			}
		}
	}
	return out
}
