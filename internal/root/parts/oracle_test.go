package parts

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"unknot/internal/agent/proto"
	"unknot/internal/model/waitstate"
	"unknot/internal/root/detect"
	"unknot/internal/test/testkit/oracle"
	"unknot/internal/test/testkit/oracle/follow"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// sharesOf are what agents that have lost each other leave of a watched program.
func sharesOf(moment oracle.Moment, left []bool, run *follow.Run) []*Share {
	shares := make([]*Share, len(run.Nodes))
	folders := make([]message.Folder, len(run.Nodes))
	for i, n := range run.Nodes {
		s := &Share{State: message.Report{Groups: make(map[op.CommID]op.Ranks)},
			Ledger: message.Ledger{Counted: n.Ledger()}}
		n.OpenWaves(func(w *waitstate.Wave) {
			v := message.Wave{Ctx: w.Group.Ctx, Seq: w.Seq, Voices: w.Voices()}
			v.Arrived, v.Active = w.Here()
			s.State.Waves = append(s.State.Waves, v)
		})
		for comm := range run.Prog.Comms {
			s.State.Groups[follow.Context(comm)] = follow.Ranks(run.Prog, comm)
		}
		s.Kept = []message.Message{message.Idle{}}
		shares[i] = s
	}
	evidence := evidenceOf(moment, left)
	for r, t := range run.Threads {
		n := run.Node(r)
		w := message.Wait{Rank: op.Rank(r)}
		var in bool
		if w.Real, in = n.RealWait(t); in {
			w.State, w.Evidence = message.Blocked, evidence[r]
			if w.Real.Terminal {
				w.State = message.Finished
			}
		}
		for i := range w.Real.Needs {
			w.Real.Needs[i].Origin = nil
		}
		folders[n.ID].Add(w)
		s := shares[n.ID]
		s.Places.Places = append(s.Places.Places, message.Described{Key: w.Key(false), Still: true,
			Place: finding.Place{Rank: r, State: "blocked", Call: "MPI_Recv", WaitsFor: []int{}}})
		s.Ledger.Spans = append(s.Ledger.Spans, message.Span{Rank: op.Rank(r), For: time.Hour})
	}
	for i := range shares {
		shares[i].State.Threads = folders[i].Folds
	}
	return shares
}

// evidenceOf says which ranks show evidence of being stuck in their calls: all of those for which that does not depend
// on what MPI buffers. If all ranks of the job show it, the root takes it for proof, so those that may move do not
// then.
func evidenceOf(moment oracle.Moment, left []bool) []bool {
	later, list := moment.Delivered(), make([]bool, len(left))
	for r := range list {
		list[r] = len(later.Exits(r)) == 0 || !couldBuffer(moment, r)
	}
	if !slices.Contains(list, false) {
		for r := range list {
			list[r] = !left[r]
		}
	}
	return list
}

// couldBuffer says whether a rank's call may end because MPI has buffered a standard send.
func couldBuffer(m oracle.Moment, rank int) bool {
	return slices.ContainsFunc(m.Waits(rank), func(n int) bool {
		p := &m.Pieces[rank][n]
		return p.Role == oracle.Sender && p.Mode == op.Standard
	})
}

// stuck are the ranks that a root says to be deadlocked, by some shares.
func stuck(t *testing.T, size int, shares []*Share, table *mpi.T) (ranks []int) {
	synctest.Test(t, func(t *testing.T) {
		var heard bytes.Buffer
		judge(size, shares, detect.Ended{}, proto.NewWriter(&heard), table)
		said, err := read(&heard)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range said {
			if m.Finding != nil && m.Finding.Code == finding.Deadlock {
				ranks = append(ranks, m.Finding.Ranks...)
			}
		}
	})
	return ranks
}

// TestDeadlocksByPartsAreReal: of random programs whose agents lose each other at some moment, what is reported as
// deadlocked never moves again, whatever MPI does.
func TestDeadlocksByPartsAreReal(t *testing.T) {
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	var judged, found atomic.Int64 // programs are checked side by side
	oracle.ForEach(t, func(p *oracle.Program, seed uint64) error {
		trace, moment, end := oracle.Run(p, seed)
		rng := rand.New(rand.NewPCG(seed, 11))
		if rng.IntN(2) == 0 {
			moment = end
		}
		for _, nodes := range []int{2, len(p.Ranks)} {
			run := follow.Isolated(p, trace.Shuffle(moment.Events, rng), nodes, rng)
			left, exact := moment.Movable()
			if !exact {
				continue
			}
			ranks := stuck(t, len(p.Ranks), sharesOf(moment, left, run), table)
			if !slices.Contains(left, true) {
				judged.Add(1)
			}
			if len(ranks) > 0 {
				found.Add(1)
			}
			for _, r := range ranks {
				if left[r] {
					return fmt.Errorf("%d nodes: %v are told to be deadlocked, but rank %d may go on", nodes, ranks, r)
				}
			}
		}
		return nil
	})
	t.Logf("nothing could move in %d runs, a deadlock was told of %d", judged.Load(), found.Load())
}
