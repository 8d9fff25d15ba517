package whole

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"unknot/internal/finding"
)

// handful are examples whose findings need what agents tell each other: messages, acknowledgements, waves of
// collectives, wildcards, requests, several communicators, ranks that go on, ranks that have finished.
func handful() []string {
	return []string{"recv-recv", "wildcard-knot", "wildcard-starved", "waitany", "overlapping-comms", "intercomm",
		"partial-deadlock", "collective-missing", "bcast-against-reduce", "ring-bsend"}
}

func TestFindingsDoNotDependOnTheNumberOfAgents(t *testing.T) {
	unknot, cache := buildUnknot(t), programCache(t)
	for _, x := range chosen(t) {
		t.Run(x.Name, func(t *testing.T) {
			t.Parallel()
			mpi := x.Want.MPI[0]
			var first, firstSize string
			for size := range strings.SplitSeq(flagged("agents"), ",") {
				var flags []string
				if size != "max" {
					flags = []string{"--ranks-per-agent", size}
				}
				w := watch(t, unknot, cache, mpi, x, x.Broken, flags...)
				got := lasting(t, w.Run.Findings)
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
	switch flagged("agents-on") {
	case "all":
		return all
	case "handful":
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

// lasting writes findings down without what differs from one run to the next: processes, addresses, call stacks (they
// go through the MPI library's progress loop), and how often a poll was repeated.
func lasting(t *testing.T, fs []finding.Finding) string {
	t.Helper()
	same := func(k int, places []finding.Place) []finding.Place {
		places = slices.Clone(places)
		threads := slices.ContainsFunc(places, func(p finding.Place) bool { return p.Thread > 0 })
		for i := range places {
			if threads {
				places[i].Moment = 0 // in which order the threads of a rank call is not the program's to say
			}
			places[i].PID, places[i].Host, places[i].Offset = 0, "", 0
			places[i].Stack, places[i].Last = nil, nil
			if fs[k].Code == finding.DeadlockUnsafe && places[i].State == "blocked" {
				places[i].State = "returned" // it will: that depends on when the model was looked at
			}
		}
		return places
	}
	fs = slices.Clone(fs)
	for i := range fs {
		fs[i].Places, fs[i].Others = same(i, fs[i].Places), same(i, fs[i].Others)
		if fs[i].Code == finding.RankDied {
			// Whether others came to wait for the dead rank before MPI ended them is chance.
			fs[i].Sentence, _, _ = strings.Cut(fs[i].Sentence, ",")
			fs[i].Hint, fs[i].Others = "", nil
		}
	}
	text, err := json.MarshalIndent(fs, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
