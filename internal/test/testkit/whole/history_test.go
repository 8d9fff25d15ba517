package whole

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"unknot/internal/test/testkit/tape"
	"unknot/internal/vocab/finding"
)

// TestHistoriesOfExamples plays the tapes of all broken examples with what threads called last kept: the last call of
// each thread that a deadlock names is the one that the finding names, nothing that the document must not have is in
// it, and one agent for each rank knows the same as one for all.
func TestHistoriesOfExamples(t *testing.T) {
	kept := tape.Open(t, ".")
	for _, x := range loadExamples(t) {
		for _, mpi := range x.Want.MPI {
			t.Run(x.Name+"/"+mpi, func(t *testing.T) {
				t.Parallel()
				job := kept.Get(t, mpi, x.Name+"/broken")
				job.Head.Options.History = false // what unknot was asked for when the tape was taken
				if without, _ := Replay(t, job, 0); without.History != nil || without.Topologies != nil {
					t.Error("there is a history that nobody asked for")
				}
				job.Head.Options.History = true
				all, _ := Replay(t, job, 0)
				if err := all.Validate(); err != nil {
					t.Fatal(err)
				}
				for _, problem := range CheckHistory(&all) {
					t.Error(problem)
				}
				job.Head.Options.NoFold = true // else one agent leaves calls out that several follow
				all, _ = Replay(t, job, 0)
				each, _ := Replay(t, job, 1)
				if one, two := told(all.History), told(each.History); one != two {
					t.Errorf("one agent for all ranks:\n%s\none for each:\n%s", one, two)
				}
			})
		}
	}
}

// told is a history in words that do not depend on the order of its lists.
func told(h *finding.History) string {
	var lines []string
	name := func(thread, step int) string {
		k := &h.Threads[thread]
		return fmt.Sprintf("%d.%d[%d]", k.Rank, k.Thread, step)
	}
	for i := range h.Threads {
		k := &h.Threads[i]
		line := fmt.Sprintf("%d.%d after %d open %v repeats %v:", k.Rank, k.Thread, k.Earlier, k.Open, k.Repeats)
		for _, s := range k.Steps {
			c := &h.Calls[s]
			line += " " + c.Call + "(" + c.Args + ") at " + c.Where() + ";"
		}
		lines = append(lines, line)
	}
	for _, m := range h.Messages {
		lines = append(lines, name(m[0], m[1])+" to "+name(m[2], m[3]))
	}
	for _, c := range h.Collectives {
		line := "together, waits " + c.Waits + ":"
		for _, m := range c.Members {
			line += " " + name(m[0], m[1])
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
