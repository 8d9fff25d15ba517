package follow_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"unknot/internal/test/testkit/oracle"
	"unknot/internal/test/testkit/oracle/follow"
)

// nodeCounts are the ways to spread a program: one node, two, and one for each rank.
func nodeCounts(p *oracle.Program) []int { return []int{1, 2, len(p.Ranks)} }

func TestRandomProgramsGetAsFarAsTheRulesAllow(t *testing.T) {
	oracle.ForEach(t, func(p *oracle.Program, seed uint64) error {
		trace, between, end := oracle.Run(p, seed)
		rng := rand.New(rand.NewPCG(seed, 3))
		for _, moment := range []oracle.Moment{between, end} {
			for _, nodes := range nodeCounts(p) {
				events := trace.Shuffle(moment.Events, rng)
				if err := compare(trace.Watch(events), follow.Watch(p, events, nodes, rng)); err != nil {
					return fmt.Errorf("%d nodes, %d of %d events: %w", nodes, moment.Events, len(trace.Events), err)
				}
			}
		}
		return nil
	})
}

// TestRandomProgramsReadUnevenly reads the ranks to different points, as agents do that look at different times.
func TestRandomProgramsReadUnevenly(t *testing.T) {
	oracle.ForEach(t, func(p *oracle.Program, seed uint64) error {
		trace, _, _ := oracle.Run(p, seed)
		rng := rand.New(rand.NewPCG(seed, 4))
		events := trace.Shuffle(len(trace.Events), rng)
		events = events[:rng.IntN(len(events)+1)]
		for _, nodes := range nodeCounts(p) {
			if err := compare(trace.Watch(events), follow.Watch(p, events, nodes, rng)); err != nil {
				return fmt.Errorf("%d nodes, %d of %d events: %w", nodes, len(events), len(trace.Events), err)
			}
		}
		return nil
	})
}

// compare holds every thread's strict position, and what is matched, against the reference.
func compare(want *oracle.Seen, got *follow.Run) error {
	at := want.Strict()
	for r := range at {
		for n := range want.Pieces[r] {
			if p := &want.Pieces[r][n]; p.Role != oracle.Member && (p.Matched != nil) != got.Parts[r][n].Matched() {
				return fmt.Errorf("rank %d, part %d %v: matched %v, want %v", r, n, p.Part,
					got.Parts[r][n].Matched(), p.Matched)
			}
		}
		thread := got.Threads[r]
		entered, strict := want.Entered(r), -1
		if o := thread.Strict(); o != nil {
			strict = int(o.TS)
		}
		if at[r] < entered && strict != at[r] || at[r] == entered && strict != -1 {
			return fmt.Errorf("rank %d: strict position %d, want %d of %d", r, strict, at[r], entered)
		}
		lag := entered - at[r]
		if lag > 0 && !want.Left(r, entered-1) {
			lag--
		}
		if thread.Lag() != lag {
			return fmt.Errorf("rank %d: lag %d, want %d", r, thread.Lag(), lag)
		}
		w, waits := got.Node(r).StrictWait(thread)
		if waits != (at[r] < entered) {
			return fmt.Errorf("rank %d: strict wait %v, want %v", r, waits, at[r] < entered)
		}
		if waits && (w.Returned != want.Left(r, at[r]) || w.Terminal != (at[r] == len(want.Prog.Ranks[r]))) {
			return fmt.Errorf("rank %d: at %d returned %v terminal %v", r, at[r], w.Returned, w.Terminal)
		}
	}
	return nil
}
