package whole

import (
	"testing"

	"unknot/internal/test/testkit/tape"
)

// TestEveryExampleIsReportedFromItsTape plays what each library did in each example to the agent, in several orders of
// the processes' records.
func TestEveryExampleIsReportedFromItsTape(t *testing.T) {
	kept := tape.Open(t, ".")
	for _, x := range loadExamples(t) {
		for _, mpi := range x.Want.MPI {
			t.Run(x.Name+"/"+mpi+"/broken", func(t *testing.T) {
				t.Parallel()
				for i, from := range kept.Get(t, mpi, x.Name+"/broken").Orders() {
					run, exit := Replay(t, from, tape.AsRecorded)
					for _, problem := range CheckBroken(x, run, exit) {
						t.Errorf("order %d: %s", i, problem)
					}
				}
			})
			t.Run(x.Name+"/"+mpi+"/fixed", func(t *testing.T) {
				t.Parallel()
				for i, from := range kept.Get(t, mpi, x.Name+"/fixed").Orders() {
					run, exit := Replay(t, from, tape.AsRecorded)
					for _, problem := range CheckFixed(x, run, exit) {
						t.Errorf("order %d: %s", i, problem)
					}
				}
			})
		}
	}
}

// TestFreshTapes records all examples: `make record` keeps the tapes, and nightly the agent has to make the same of
// those that are kept.
func TestFreshTapes(t *testing.T) {
	kept := tape.Renew(t, ".")
	recorder, err := BuildRecorder(keptDir(t, "unknot-recorder-"))
	if err != nil {
		t.Fatal(err)
	}
	cache := programCache(t)
	for _, x := range loadExamples(t) {
		for _, mpi := range x.Want.MPI {
			for name, p := range map[string]Program{"broken": x.Broken, "fixed": x.Fixed} {
				if !kept.Wants(mpi, x.Name+"/"+name) {
					continue
				}
				t.Run(x.Name+"/"+mpi+"/"+name, func(t *testing.T) {
					t.Parallel()
					w, path := recorded(t, recorder, cache, mpi, x, p)
					problems := CheckFixed(x, w.Run, w.Exit)
					if name == "broken" {
						problems = CheckBroken(x, w.Run, w.Exit)
					}
					for _, problem := range problems {
						t.Error(problem)
					}
					Hold(t, kept, mpi, x.Name+"/"+name, path, w.Run.Findings, Lasting)
				})
			}
		}
	}
}
