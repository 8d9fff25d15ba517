package detect

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"unknot/internal/model/waitfor"
	"unknot/internal/model/waitstate"
	"unknot/internal/root/tree"
	"unknot/internal/test/testkit/oracle"
	"unknot/internal/test/testkit/oracle/follow"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// look is what the root would gather at a moment of a watched program. A thread shows evidence if it would not get
// further in its call, given time.
func look(moment oracle.Moment, run *follow.Run) *state {
	reports := make([]*message.Report, len(run.Nodes))
	for i, n := range run.Nodes {
		rep := &message.Report{Groups: make(map[op.CommID]op.Ranks)}
		n.OpenWaves(func(w *waitstate.Wave) {
			v := message.Wave{Ctx: w.Group.Ctx, Seq: w.Seq, Voices: w.Voices()}
			v.Arrived, v.Active = w.Here()
			rep.Waves = append(rep.Waves, v)
		})
		for comm := range run.Prog.Comms {
			rep.Groups[follow.Context(comm)] = follow.Ranks(run.Prog, comm)
		}
		reports[i] = rep
	}
	later := moment.Delivered()
	folders := make([]message.Folder, len(reports))
	for r, t := range run.Threads {
		n := run.Node(r)
		w := message.Wait{Rank: op.Rank(r)}
		w.Strict, w.HasStrict = n.StrictWait(t)
		var in bool
		if w.Real, in = n.RealWait(t); in {
			w.State, w.Evidence = message.Blocked, len(later.Exits(r)) == 0 || !couldBuffer(moment, r)
			if w.Real.Terminal {
				w.State = message.Finished
			}
		}
		folders[n.ID].Add(w)
	}
	for i, rep := range reports {
		rep.Threads = folders[i].Folds
		reports[i] = overLink(format, *rep)
	}
	return merge(len(run.Prog.Ranks), gathered(reports, tree.LeastFanIn))
}

// format is that of the reports, which go to the root as bytes.
var format = message.NewFormat(nil)

// watcher is follow.Watch or follow.Glance.
type watcher func(*oracle.Program, []oracle.Event, int, *rand.Rand) *follow.Run

// followed checks a property of random programs at a moment of their run, on one node, two, and one per rank; of three
// and more, relays merge what two of them report.
func followed(t *testing.T, salt uint64, ended bool, watch watcher,
	property func(p *oracle.Program, moment oracle.Moment, run *follow.Run, seen *oracle.Seen) error) {
	oracle.ForEach(t, func(p *oracle.Program, seed uint64) error {
		trace, moment, end := oracle.Run(p, seed)
		if ended {
			moment = end
		}
		rng := rand.New(rand.NewPCG(seed, salt))
		for _, nodes := range []int{1, 2, len(p.Ranks)} {
			events := trace.Shuffle(moment.Events, rng)
			run := watch(p, events, nodes, rng)
			if err := property(p, moment, run, trace.Watch(events)); err != nil {
				return fmt.Errorf("%d nodes, %d of %d events: %w", nodes, moment.Events, len(trace.Events), err)
			}
		}
		return nil
	})
}

// TestManifestDeadlocksOfRandomProgramsAreReal: what is dead by necessary waits never moves again, whatever MPI does.
func TestManifestDeadlocksOfRandomProgramsAreReal(t *testing.T) {
	followed(t, 6, false, follow.Glance, func(p *oracle.Program, moment oracle.Moment, run *follow.Run,
		_ *oracle.Seen) error {
		s := look(moment, run)
		g := s.graph(necessary).g
		if len(g.Dead()) == 0 {
			return nil
		}
		left, exact := moment.Movable()
		if !exact {
			return nil
		}
		for _, core := range append(g.Cores(maxCores), g.Dead()) {
			if !slices.ContainsFunc(core, func(n waitfor.Node) bool { return !s.threads[n].Evidence }) {
				for _, n := range core {
					if left[s.threads[n].Rank] {
						return fmt.Errorf("%v are told to be dead, but rank %d may go on\n%s", core, n, waitsText(s))
					}
				}
			}
		}
		return nil
	})
}

// couldBuffer says whether a rank's call may end because MPI has buffered a standard send. Only then does the necessary
// view rely on evidence; with all other calls it must be right without.
func couldBuffer(m oracle.Moment, rank int) bool {
	return slices.ContainsFunc(m.Waits(rank), func(n int) bool {
		p := &m.Pieces[rank][n]
		return p.Role == oracle.Sender && p.Mode == op.Standard
	})
}

// TestStuckRandomProgramsAreFound: when nothing moves in the job, exactly the ranks that have not finished are dead.
func TestStuckRandomProgramsAreFound(t *testing.T) {
	followed(t, 7, true, follow.Glance, func(p *oracle.Program, end oracle.Moment, run *follow.Run,
		_ *oracle.Seen) error {
		s := look(end, run)
		if !s.still() {
			return fmt.Errorf("the job is not seen to stand still\n%s", waitsText(s))
		}
		var stuck []waitfor.Node
		for r, at := range end.At {
			if at < len(p.Ranks[r]) {
				stuck = append(stuck, waitfor.Node(r))
			}
		}
		if got := s.graph(standing).g.Dead(); !slices.Equal(got, stuck) {
			return fmt.Errorf("dead %v, want %v\n%s", got, stuck, waitsText(s))
		}
		return nil
	})
}

// TestStrictDeadlocksOfRandomProgramsAreThoseWithoutBuffers: the strict view of an ended run holds dead what a run with
// the same matches and no buffers cannot get past; without wildcards whose match is open or out of reach, all of that.
func TestStrictDeadlocksOfRandomProgramsAreThoseWithoutBuffers(t *testing.T) {
	followed(t, 8, true, follow.Watch, func(p *oracle.Program, end oracle.Moment, run *follow.Run,
		seen *oracle.Seen) error {
		s := look(end, run)
		certain := !seen.Undecided()
		var stuck []waitfor.Node
		for r, at := range seen.Strict() {
			if at < len(p.Ranks[r]) {
				stuck = append(stuck, waitfor.Node(r))
			}
			for _, n := range s.threads[r].Strict.Needs {
				certain = certain && !n.Decided
			}
		}
		dead := s.graph(strict).g.Dead()
		for _, n := range dead {
			if !slices.Contains(stuck, n) {
				return fmt.Errorf("rank %d is dead, but gets to its end without buffers\n%s", n, waitsText(s))
			}
		}
		if certain && len(dead) != len(stuck) {
			return fmt.Errorf("strictly dead %v, want %v\n%s", dead, stuck, waitsText(s))
		}
		return nil
	})
}

// TestStrictDeadlocksOfRandomProgramsLast: what the strict view holds dead while the program runs is where it was at
// the end of the run.
func TestStrictDeadlocksOfRandomProgramsLast(t *testing.T) {
	oracle.ForEach(t, func(p *oracle.Program, seed uint64) error {
		trace, between, _ := oracle.Run(p, seed)
		rng := rand.New(rand.NewPCG(seed, 9))
		events := trace.Shuffle(between.Events, rng)
		s := look(between, follow.Glance(p, events, 1+rng.IntN(len(p.Ranks)), rng))
		at := trace.Watch(trace.Events).Strict()
		for _, n := range s.graph(strict).g.Dead() {
			if w := s.threads[n]; uint64(at[n]) != w.Strict.TS {
				return fmt.Errorf("rank %d was strictly dead at %d, after %d of %d events, and is at %d in the end\n%s",
					n, w.Strict.TS, len(events), len(trace.Events), at[n], waitsText(s))
			}
		}
		return nil
	})
}

// TestStrictDeadlocksOfRandomProgramsCanHappen: what is reported as unsafe is the end of some run without buffers, in
// which wildcards may have met others than in the run that was seen.
func TestStrictDeadlocksOfRandomProgramsCanHappen(t *testing.T) {
	oracle.ForEach(t, func(p *oracle.Program, seed uint64) error {
		trace, between, end := oracle.Run(p, seed)
		rng := rand.New(rand.NewPCG(seed, 10))
		for _, moment := range []oracle.Moment{between, end} {
			s := look(moment, follow.Glance(p, trace.Shuffle(moment.Events, rng), 1+rng.IntN(len(p.Ranks)), rng))
			for _, core := range s.graph(strict).g.Cores(maxCores) {
				if !slices.ContainsFunc(core, func(n waitfor.Node) bool { return s.threads[n].Strict.Returned }) {
					continue
				}
				ends, exact := oracle.Unbuffered(p)
				happens := slices.ContainsFunc(ends, func(at []int) bool {
					if choosesRequests(p) {
						return slices.ContainsFunc(core, func(n waitfor.Node) bool { return at[n] < len(p.Ranks[n]) })
					}
					return !slices.ContainsFunc(core, func(n waitfor.Node) bool {
						return uint64(at[n]) != s.threads[n].Strict.TS
					})
				})
				if exact && !happens {
					return fmt.Errorf("after %d of %d events %v are strictly dead, but runs without buffers "+
						"end at %v\n%s",
						moment.Events, len(trace.Events), core, ends, waitsText(s))
				}
			}
		}
		return nil
	})
}

// choosesRequests says whether a program has completions of which the run that was seen took its pick. Without buffers
// it may have had another, and be stuck somewhere else.
func choosesRequests(p *oracle.Program) bool {
	return slices.ContainsFunc(p.Ranks, func(calls []oracle.Call) bool {
		return slices.ContainsFunc(calls, func(c oracle.Call) bool {
			return c.Kind == oracle.Waitany ||
				c.Kind == oracle.Waitsome
		})
	})
}

// waitsText is what the threads wait for, for a failure's message.
func waitsText(s *state) string {
	text := ""
	for _, w := range s.threads {
		text += fmt.Sprintf("rank %d state %d evidence %v\n", w.Rank, w.State, w.Evidence)
		for _, v := range []struct {
			name string
			wait *waitstate.Wait
		}{{"real", &w.Real}, {"strict", &w.Strict}} {
			for _, n := range v.wait.Needs {
				text += fmt.Sprintf("  %s at %d any %v: kind %d rank %d ctx %d seq %d tag %d free %v weak %v "+
					"decided %v\n", v.name,
					v.wait.TS, v.wait.Any, n.Kind, n.Rank, n.Ctx, n.Seq, n.Tag, n.Free, n.Weak, n.Decided)
			}
		}
	}
	return text
}
