package whole

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/tape"
)

// handful are examples whose findings need what agents tell each other: messages, acknowledgements, waves of
// collectives, wildcards, several communicators.
func handful() []string {
	return []string{"recv-recv", "wildcard-knot", "intercomm", "collective-missing", "ring-bsend"}
}

// TestFindingsDoNotDependOnTheNumberOfAgents plays the tapes of all broken examples to one agent for all ranks, and to
// several.
func TestFindingsDoNotDependOnTheNumberOfAgents(t *testing.T) {
	kept := tape.Open(t, ".")
	for _, x := range loadExamples(t) {
		for _, mpi := range x.Want.MPI {
			t.Run(x.Name+"/"+mpi, func(t *testing.T) {
				t.Parallel()
				job := kept.Get(t, mpi, x.Name+"/broken")
				all, _ := Replay(t, job, 0)
				for _, ranks := range []int{1, 2} {
					some, _ := Replay(t, job, ranks)
					same(t, Lasting, "one agent for all ranks", all.Findings, fmt.Sprintf("one for %d", ranks),
						some.Findings)
				}
			})
		}
	}
}

// TestFindingsOfJobsDoNotDependOnTheNumberOfAgents does so with jobs of MPI: a handful here, of all examples nightly.
func TestFindingsOfJobsDoNotDependOnTheNumberOfAgents(t *testing.T) {
	unknot, cache := buildUnknot(t), programCache(t)
	for turn, x := range chosen(t) {
		t.Run(x.Name, func(t *testing.T) {
			t.Parallel()
			mpi := x.libraries(turn)[0]
			var first, firstSize string
			for size := range strings.SplitSeq(flagged("agents"), ",") {
				var flags []string
				if size != "max" {
					flags = []string{"--ranks-per-agent", size}
				}
				w := watch(t, unknot, cache, mpi, x, x.Broken, flags...)
				got, err := Lasting(w.Run.Findings)
				if err != nil {
					t.Fatal(err)
				}
				if first == "" {
					first, firstSize = got, size
				} else if got != first {
					t.Errorf("findings with %s ranks an agent:\n%s\nwith %s:\n%s", firstSize, first, size, got)
				}
			}
		})
	}
}

func chosen(t *testing.T) []Example {
	t.Helper()
	all := loadExamples(t)
	names := strings.Split(flagged("agents-on"), ",")
	switch on := flagged("agents-on"); {
	case on == "all", on == "handful" && testkit.Nightly():
		return all
	case on == "handful":
		names = handful()
	}
	var some []Example
	for _, name := range names {
		i := slices.IndexFunc(all, func(x Example) bool { return x.Name == name })
		if i < 0 {
			t.Fatalf("no example %q", name)
		}
		some = append(some, all[i])
	}
	return some
}
